#include "testbed/mail_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace scalemark::testbed {
namespace {

using std::chrono::seconds;

class MailStoreTest : public ::testing::Test {
 protected:
  std::shared_ptr<const MailText> text(const std::string& body) {
    auto made = std::make_shared<MailText>(memory_);
    EXPECT_TRUE(made->append(body));
    EXPECT_TRUE(made->append(kFinalDot));
    made->finish(0);
    return made;
  }
  std::uint64_t deliver(MailStore& store, const std::string& mailbox, const std::string& body) {
    return store.deliver(mailbox, text(body), clock_.now());
  }
  /// What a session sees, marked or not.
  static std::vector<std::string> bodies(const MailboxSession& session) {
    std::vector<std::string> bodies;
    for (std::size_t i = 0; i < session.size(); ++i) {
      const std::string_view wire = session.mail(i).text->wire();
      bodies.emplace_back(wire.substr(0, wire.size() - kFinalDot.size()));
    }
    return bodies;
  }
  std::vector<std::string> contents(MailStore& store, const std::string& mailbox) {
    const auto session = store.open(mailbox, clock_.now());
    return session == nullptr ? std::vector<std::string>{"(locked)"} : bodies(*session);
  }

  ManualClock clock_;
  MailMemory memory_{1'000'000};
};

TEST_F(MailStoreTest, KeepsMailboxesApartAndInOrder) {
  MailStore store(Duration::zero());
  const auto first = deliver(store, "a", "1");
  const auto second = deliver(store, "b", "2");
  const auto third = deliver(store, "a", "3");
  EXPECT_TRUE(first != second && second != third && first != third);
  EXPECT_EQ(contents(store, "a"), (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(contents(store, "b"), (std::vector<std::string>{"2"}));
  EXPECT_TRUE(contents(store, "c").empty());
  EXPECT_EQ(store.kept(), 3U);
}

TEST_F(MailStoreTest, OneSessionAtATime) {
  MailStore store(Duration::zero());
  auto session = store.open("a", clock_.now());
  EXPECT_EQ(store.open("a", clock_.now()), nullptr);
  EXPECT_NE(store.open("b", clock_.now()), nullptr);
  session.reset();
  EXPECT_NE(store.open("a", clock_.now()), nullptr);
}

TEST_F(MailStoreTest, ASessionSeesWhatWasThereWhenItBegan) {
  MailStore store(Duration::zero());
  deliver(store, "a", "1");
  auto session = store.open("a", clock_.now());
  deliver(store, "a", "2");
  EXPECT_EQ(bodies(*session), (std::vector<std::string>{"1"}));
  session->mark(0);
  EXPECT_EQ(session->commit().size(), 1U);
  session.reset();
  EXPECT_EQ(contents(store, "a"), (std::vector<std::string>{"2"}));
}

TEST_F(MailStoreTest, WhatIsNotCommittedStays) {
  MailStore store(Duration::zero());
  deliver(store, "a", "1");
  deliver(store, "a", "2");
  auto session = store.open("a", clock_.now());
  session->mark(0);
  EXPECT_TRUE(session->marked(0));
  EXPECT_EQ(session->unmarked(), (std::pair<std::size_t, std::uint64_t>(1, 1)));
  session.reset();
  EXPECT_EQ(contents(store, "a"), (std::vector<std::string>{"1", "2"}));
  session = store.open("a", clock_.now());
  session->mark(0);
  session->unmark_all();
  EXPECT_TRUE(session->commit().empty());
  session.reset();
  EXPECT_EQ(contents(store, "a"), (std::vector<std::string>{"1", "2"}));
}

TEST_F(MailStoreTest, CommitTakesOutExactlyWhatIsMarked) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    MailStore store(Duration::zero());
    const unsigned before = random() % 8;
    for (unsigned i = 0; i < before; ++i) {
      deliver(store, "a", std::to_string(i));
    }
    auto session = store.open("a", clock_.now());
    deliver(store, "a", "new");
    std::vector<std::string> staying;
    std::size_t marked = 0;
    for (unsigned i = 0; i < before; ++i) {
      if (random() % 2 == 0) {
        session->mark(i);
        ++marked;
      } else {
        staying.push_back(std::to_string(i));
      }
    }
    staying.emplace_back("new");
    EXPECT_EQ(session->commit().size(), marked);
    session.reset();
    EXPECT_EQ(contents(store, "a"), staying);
    EXPECT_EQ(store.kept(), staying.size());
  }
}

TEST_F(MailStoreTest, AMessageIsVisibleAfterItsTime) {
  MailStore store(seconds(5));
  deliver(store, "a", "1");
  clock_.advance(seconds(3));
  deliver(store, "a", "2");
  EXPECT_TRUE(contents(store, "a").empty());
  clock_.advance(seconds(2));
  auto session = store.open("a", clock_.now());
  EXPECT_EQ(bodies(*session), (std::vector<std::string>{"1"}));
  clock_.advance(seconds(10));  // a session is a snapshot
  EXPECT_EQ(bodies(*session), (std::vector<std::string>{"1"}));
  session.reset();
  EXPECT_EQ(contents(store, "a"), (std::vector<std::string>{"1", "2"}));
}

TEST_F(MailStoreTest, MemoryIsFreeWhenTheLastMailboxHasLetGo) {
  MailStore store(Duration::zero());
  auto shared = text(std::string(100, 'x'));
  store.deliver("a", shared, clock_.now());
  store.deliver("b", shared, clock_.now());
  shared.reset();
  const auto used = memory_.used();
  EXPECT_GE(used, 103U);
  for (const char* mailbox : {"a", "b"}) {
    EXPECT_EQ(memory_.used(), used);
    auto session = store.open(mailbox, clock_.now());
    session->mark(0);
    static_cast<void>(session->commit());
  }
  EXPECT_EQ(memory_.used(), 0U);
}

TEST(MailboxNameTest, UpperAndLowerCaseAreTheSame) {
  EXPECT_EQ(mailbox_name("User.One@Example.TEST"), "user.one@example.test");
  EXPECT_EQ(mailbox_name("j\xc3\x84"
                         "@x"),
            "j\xc3\x84"
            "@x");
}

}  // namespace
}  // namespace scalemark::testbed
