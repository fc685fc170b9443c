#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "mail_bench/ledger.h"
#include "tests/mail_bench/ledger_rig.h"

namespace scalemark::mail {
namespace {

constexpr std::array<MessageClass, 5> kUnseenClasses = {
    MessageClass::lost, MessageClass::unknown, MessageClass::mailbox_locked, MessageClass::mailbox_failed,
    MessageClass::login_refused};

/// Sums as a ledger may have them whose own numbers begin at `first`; strays are of any of 60 numbers.
LedgerSums random_sums(Random& random, std::uint64_t first) {
  LedgerSums sums;
  for (std::uint64_t& count : sums.classes) {
    count = random.below(50);
    sums.planned += count;
  }
  for (std::uint64_t number = first; number < first + 20; ++number) {
    if (random.below(2) == 0) {
      const MessageClass what = kUnseenClasses.at(random.below(kUnseenClasses.size()));
      sums.unseen.emplace(number, what);
      ++sums.classes.at(static_cast<std::size_t>(what));
      ++sums.planned;
    } else if (random.below(2) == 0) {
      sums.strays.insert((number + 20) % 60);  // one of another ledger
    }
  }
  sums.late = random.below(9);
  sums.leftovers = random.below(9);
  sums.foreign = random.below(9);
  sums.fetched_again = random.below(9);
  sums.surplus = random.below(9);
  for (const char* node : {"", "node1", "node2"}) {
    if (random.below(2) == 0) {
      sums.by_node[node] = 1 + random.below(9);
    }
  }
  return sums;
}

LedgerSums merged(LedgerSums left, const LedgerSums& right) {
  left.merge(right);
  return left;
}

TEST(LedgerSums, MergeIsCommutativeAndAssociativeWithAnEmptyNeutral) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const LedgerSums a = random_sums(random, 0);
    const LedgerSums b = random_sums(random, 20);
    const LedgerSums c = random_sums(random, 40);
    EXPECT_EQ(merged(a, b), merged(b, a)) << seed;
    EXPECT_EQ(merged(merged(a, b), c), merged(a, merged(b, c))) << seed;
    EXPECT_EQ(merged(merged(c, a), b), merged(a, merged(b, c))) << seed;
    EXPECT_EQ(merged(a, LedgerSums{}), a) << seed;
    EXPECT_EQ(merged(LedgerSums{}, a), a) << seed;
    EXPECT_TRUE(a.adds_up() && merged(merged(a, b), c).adds_up()) << seed;
  }
}

TEST(LedgerSums, AddUpOnlyWhenEveryMessageIsInAClass) {
  LedgerSums sums;
  EXPECT_TRUE(sums.adds_up());
  sums.planned = 2;
  sums.classes[0] = 1;
  EXPECT_FALSE(sums.adds_up());
  sums.classes[kMessageClasses - 1] = 1;
  EXPECT_TRUE(sums.adds_up());
}

TEST(LedgerSums, EveryClassHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kMessageClasses; ++i) {
    names.insert(name_of(static_cast<MessageClass>(i)));
  }
  EXPECT_EQ(names.size(), kMessageClasses);
  EXPECT_EQ(name_of(MessageClass::verified), "verified");
  EXPECT_EQ(name_of(MessageClass::login_refused), "login_refused");
  EXPECT_EQ(name_of(MessageClass::wrong_node), "wrong_node");
  EXPECT_EQ(name_of(MessageClass::unsettled), "unsettled");
}

TEST(LedgerSums, OnlyVerifiedIsGoodAndOnlyLocalIsThisMachinesFault) {
  for (std::size_t i = 0; i < kMessageClasses; ++i) {
    const auto what = static_cast<MessageClass>(i);
    EXPECT_EQ(outcome_of(what) == Outcome::good, what == MessageClass::verified) << name_of(what);
    EXPECT_EQ(outcome_of(what) == Outcome::local, what == MessageClass::local) << name_of(what);
  }
}

// ---- mailboxes of several users ----

/// The ledger of user1 or user2, both of one run.
Ledger ledger_of(std::string_view address) {
  return Ledger({.run = 7, .recipient = address, .node = "", .visible_limit = std::chrono::seconds(60)});
}

void fetch(Ledger& ledger, const Letter& letter) {
  const std::string text = letter.text();
  ledger.fetched({.uid = letter.uid, .text = text, .seen = second(2), .whole = second(2)});
}

TEST(LedgerSums, AMessageInAnotherUsersMailboxIsThereForNobodyElse) {
  Ledger one = ledger_of("user1@example.test");
  Ledger two = ledger_of("user2@example.test");
  one.plan(1, second(0));
  one.sent(1, accepted(second(1)));
  fetch(two, {.number = 1});
  EXPECT_TRUE(two.session_ended(good_quit(1, second(3))).empty());
  one.session_ended(good_quit(0, second(3)));
  EXPECT_EQ(one.close(second(9), false).at(0).what, MessageClass::lost) << "it cannot know better";
  two.close(second(9), false);
  EXPECT_TRUE(two.sums().adds_up());
  const LedgerSums sums = merged(one.sums(), two.sums());
  EXPECT_EQ(count(sums, MessageClass::wrong_mailbox), 1U);
  EXPECT_EQ(count(sums, MessageClass::lost), 0U);
  EXPECT_EQ(sums.strays, (std::set<std::uint64_t>{1}));
  EXPECT_TRUE(sums.adds_up());
}

TEST(LedgerSums, AMessageThatWasVerifiedStaysSoWhenItIsFoundElsewhereToo) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1}});
  Ledger two = ledger_of("user2@example.test");
  fetch(two, {.number = 1});
  const LedgerSums sums = merged(rig.sums(), two.sums());
  EXPECT_EQ(count(sums, MessageClass::verified), 1U);
  EXPECT_EQ(count(sums, MessageClass::wrong_mailbox), 0U);
  EXPECT_EQ(sums.strays.size(), 1U);
}

// ---- any order of events ----

/// A user, its ledger, and a mail server that fails at random. Keeps books of its own from what the ledger
/// reports and what the server did.
class Fuzz {
 public:
  Fuzz(std::uint64_t seed, std::uint64_t first, std::string address)
      : random_(seed), next_(first), address_(std::move(address)), ledger_(ledger_of(address_)) {}

  void step(Fuzz& neighbour) {
    at_ += static_cast<int>(random_.below(20));
    switch (random_.below(3)) {
      case 0:
        return begin();
      case 1:
        return end(neighbour);
      default:
        return session();
    }
  }

  void finish(bool cut_off) { book(ledger_.close(second(at_), cut_off)); }

  [[nodiscard]] const LedgerSums& sums() const { return ledger_.sums(); }
  [[nodiscard]] std::uint64_t planned() const { return planned_; }
  /// The class of every message as the reports in time have it.
  [[nodiscard]] const std::map<std::uint64_t, MessageClass>& classes() const { return classes_; }
  [[nodiscard]] std::size_t accepted_open() const { return accepted_open_.size(); }
  [[nodiscard]] std::size_t under_way() const { return ledger_.under_way(); }

 private:
  void begin() {
    ledger_.plan(next_, second(at_));
    sending_.push_back(next_++);
    ++planned_;
  }

  void end(Fuzz& neighbour) {
    if (sending_.empty()) {
      return;
    }
    const std::uint64_t number = sending_.front();
    sending_.pop_front();
    const std::uint64_t fate = random_.below(10);
    if (fate == 0) {
      return book(ledger_.sent(number, failed(Outcome::bad_status, 451, second(at_))));
    }
    accepted_open_.insert(number);
    const bool known = fate > 2;
    book(ledger_.sent(number, known ? accepted(second(at_)) : unanswered(second(at_))));
    deliver(fate == 9 ? neighbour : *this, number);
  }

  /// Puts a message, or none, or two copies, perhaps damaged, into a mailbox.
  void deliver(Fuzz& to, std::uint64_t number) {
    static constexpr std::array<int, 6> kCopies = {0, 1, 1, 1, 1, 2};
    for (int copy = kCopies.at(random_.below(kCopies.size())); copy > 0; --copy) {
      const std::string uid = random_.below(8) == 0 ? "" : std::to_string(++uids_);
      to.mailbox_.push_back({.number = number,
                             .uid = uid,
                             .run = random_.below(20) == 0 ? 6U : 7U,
                             .recipient = address_,
                             .corrupt = random_.below(10) == 0,
                             .truncated = random_.below(10) == 0});
    }
  }

  void session() {
    if (random_.below(4) == 0) {
      static constexpr std::array<Pop3Refusal, 2> kRefusals = {Pop3Refusal::locked, Pop3Refusal::temporary};
      return book(ledger_.session_ended(
          broken(Outcome::bad_status, second(at_), kRefusals.at(random_.below(kRefusals.size())))));
    }
    const std::size_t fetched = random_.below(mailbox_.size() + 1);
    for (std::size_t i = 0; i < fetched; ++i) {
      const std::string text = mailbox_[i].text();
      EXPECT_TRUE(
          ledger_.fetched({.uid = mailbox_[i].uid, .text = text, .seen = second(at_), .whole = second(at_)})
              .erase);
    }
    Pop3Result result = good_quit(static_cast<std::uint32_t>(fetched), second(at_));
    result.committed = random_.below(3) != 0;
    result.outcome = result.committed ? Outcome::good : Outcome::reset;
    book(ledger_.session_ended(result));
    if (result.committed || random_.below(3) == 0) {  // also without its reply, the server may have done it
      mailbox_.erase(mailbox_.begin(), mailbox_.begin() + static_cast<std::ptrdiff_t>(fetched));
    }
  }

  void book(const std::vector<Settled>& settled) {
    for (const Settled& message : settled) {
      const auto [entry, fresh] = classes_.emplace(message.number, message.what);
      EXPECT_NE(fresh, message.corrects) << "a message is settled once, and corrected afterwards only";
      EXPECT_TRUE(fresh || entry->second == message.was);
      entry->second = message.what;
      accepted_open_.erase(message.number);
    }
  }

  Random random_;
  std::uint64_t next_;
  std::string address_;
  Ledger ledger_;
  std::vector<Letter> mailbox_;
  std::deque<std::uint64_t> sending_;
  std::set<std::uint64_t> accepted_open_;
  std::map<std::uint64_t, MessageClass> classes_;
  std::uint64_t planned_ = 0;
  std::uint64_t uids_ = 0;
  int at_ = 0;
};

/// How often each class stands in the books of these.
std::array<std::uint64_t, kMessageClasses> tally(const std::map<std::uint64_t, MessageClass>& classes) {
  std::array<std::uint64_t, kMessageClasses> counts{};
  for (const auto& [number, what] : classes) {
    ++counts.at(static_cast<std::size_t>(what));
  }
  return counts;
}

TEST(LedgerSums, AddUpWhateverHappensInWhateverOrder) {
  std::array<std::uint64_t, kMessageClasses> met{};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Fuzz one(derive_seed(seed, {1}), 0, "user1@example.test");
    Fuzz two(derive_seed(seed, {2}), 100'000, "user2@example.test");
    Random order(seed);
    for (int i = 0; i < 150; ++i) {
      const bool first = order.below(2) == 0;
      (first ? one : two).step(first ? two : one);
      ASSERT_EQ(one.under_way(), one.accepted_open());
    }
    one.finish(seed % 5 == 0);
    two.finish(seed % 5 == 0);
    for (const Fuzz* user : {&one, &two}) {
      EXPECT_EQ(user->sums().planned, user->planned());
      EXPECT_TRUE(user->sums().adds_up());
      EXPECT_EQ(user->sums().classes, tally(user->classes())) << "the reports in time say the same";
      EXPECT_EQ(user->under_way(), 0U);
    }
    const LedgerSums both = merged(one.sums(), two.sums());
    EXPECT_TRUE(both.adds_up());
    EXPECT_EQ(both, merged(two.sums(), one.sums()));
    for (std::size_t i = 0; i < kMessageClasses; ++i) {
      met[i] += both.classes[i];
    }
  }
  for (const MessageClass what :
       {MessageClass::verified, MessageClass::refused_temporarily, MessageClass::unknown,
        MessageClass::reply_lost, MessageClass::mailbox_locked, MessageClass::mailbox_failed,
        MessageClass::uncommitted, MessageClass::corrupt, MessageClass::truncated, MessageClass::duplicate,
        MessageClass::wrong_mailbox, MessageClass::lost, MessageClass::unsettled}) {
    EXPECT_GT(met.at(static_cast<std::size_t>(what)), 0U) << name_of(what) << " never came up";
  }
}

}  // namespace
}  // namespace scalemark::mail
