#include "mail_bench/ledger.h"

#include <algorithm>
#include <utility>

namespace scalemark::mail {
namespace {

using filesets::MailCondition;
using filesets::MailReading;

/// How many settled messages of a user are kept in mind, so that a second copy of one is known as such.
constexpr std::size_t kRemembered = 64;

std::string_view without_dot(std::string_view host) {
  return host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
}

bool same_name(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&lower](char a, char b) { return lower(a) == lower(b); });
}

/// Whether two names mean one host; a name without a domain means the host of that name in any domain.
bool same_host(std::string_view left, std::string_view right) {
  left = without_dot(left);
  right = without_dot(right);
  const std::size_t left_name = std::min(left.find('.'), left.size());
  const std::size_t right_name = std::min(right.find('.'), right.size());
  const bool short_one = left_name == left.size() || right_name == right.size();
  return short_one ? same_name(left.substr(0, left_name), right.substr(0, right_name))
                   : same_name(left, right);
}

/// What is wrong with a message as it was fetched; verified when nothing is.
MessageClass class_of_reading(const MailReading& reading, std::string_view recipient, std::string_view node) {
  if (reading.condition != MailCondition::sound) {
    return reading.condition == MailCondition::truncated ? MessageClass::truncated : MessageClass::corrupt;
  }
  if (reading.recipient != recipient) {
    return MessageClass::wrong_mailbox;
  }
  const bool elsewhere = !node.empty() && !reading.seen_node.empty() && !same_host(node, reading.seen_node);
  return elsewhere ? MessageClass::wrong_node : MessageClass::verified;
}

bool same_uid(std::string_view left, std::string_view right) {
  return !left.empty() && left == right;
}

}  // namespace

/// The first fault stays, whatever else is found.
void Ledger::Entry::find_bad(MessageClass how) {
  if (!bad && how != MessageClass::verified) {
    bad = true;
    verdict = how;
  }
}

Ledger::Ledger(const Setup& setup) : setup_(setup) {}

void Ledger::plan(std::uint64_t number, TimePoint begun) {
  const auto [entry, fresh] = open_.try_emplace(number);
  if (fresh) {
    entry->second.begun = begun;
    ++sums_.planned;
    ++sending_;
  }
}

std::vector<Settled> Ledger::sent(std::uint64_t number, const SmtpResult& result) {
  const auto found = open_.find(number);
  if (found == open_.end() || !found->second.sending()) {
    return {};
  }
  Entry& entry = found->second;
  if (result.outcome != Outcome::good && !result.unknown) {
    return {settle(number, class_of_failure(result), result.ended)};
  }
  --sending_;
  entry.has_reply = !result.unknown;
  entry.unknown = result.unknown;
  entry.accepted = result.ended;
  if (entry.committed) {  // it was fetched before its own reply came
    return {settle(number, final_class(entry, false), result.ended)};
  }
  return {};
}

Ledger::Sight Ledger::fetched(const Fetched& message) {
  const MailReading reading = filesets::read_message(message.text);
  Sight sight;
  session_.emplace_back();
  if (reading.condition == MailCondition::foreign) {
    ++sums_.foreign;
    return sight;
  }
  if (reading.identity.run != setup_.run) {
    ++sums_.leftovers;
    return sight;
  }
  const std::uint64_t number = reading.identity.number;
  const auto found = open_.find(number);
  if (found != open_.end()) {
    session_.back() = number;
    see(found->second, message, reading, sight);
  } else if (reading.recipient != setup_.recipient) {
    sums_.strays.insert(number);  // its own ledger is another user's: the merge brings them together
  } else {
    see_settled(number, message.uid);
  }
  return sight;
}

void Ledger::see(Entry& entry, const Fetched& message, const MailReading& reading, Sight& sight) {
  if (!entry.seen) {
    entry.uid = message.uid;
    entry.node = reading.seen_node;
    const Duration hidden = entry.sending() ? Duration{} : message.seen - entry.accepted;
    sums_.late += hidden > setup_.visible_limit ? 1U : 0U;
    sight.first = true;
    sight.has_hidden = entry.has_reply;
    sight.hidden = entry.has_reply ? std::max(hidden, Duration{}) : Duration{};
  } else if (entry.in_session || (entry.committed && !same_uid(entry.uid, message.uid))) {
    // A session lists a message once, so there are two of them, whatever their UIDs.
    entry.find_bad(MessageClass::duplicate);
  } else {
    ++sums_.fetched_again;
  }
  entry.seen = true;
  entry.in_session = true;
  entry.find_bad(class_of_reading(reading, setup_.recipient, setup_.node));
}

/// One of our own that is not open any more: a second copy of one that was fetched, or more than was due.
void Ledger::see_settled(std::uint64_t number, std::string_view uid) {
  const auto done = std::find_if(done_.begin(), done_.end(),
                                 [number](const Done& past) { return past.settled.number == number; });
  if (done == done_.end()) {
    ++sums_.surplus;
    return;
  }
  if (same_uid(done->uid, uid)) {
    ++sums_.fetched_again;
    return;
  }
  Settled correction = done->settled;
  correction.corrects = true;
  correction.was = correction.what;
  correction.what = MessageClass::duplicate;
  --sums_.classes.at(static_cast<std::size_t>(correction.was));
  ++sums_.classes.at(static_cast<std::size_t>(correction.what));
  if (correction.was == MessageClass::verified && --sums_.by_node[done->node] == 0) {
    sums_.by_node.erase(done->node);
  }
  corrections_.push_back(correction);
  done_.erase(done);
}

std::vector<Settled> Ledger::session_ended(const Pop3Result& result) {
  last_refusal_ = result.refusal;
  last_session_ = result.outcome;
  std::vector<Settled> settled = std::exchange(corrections_, {});
  const std::size_t held = result.committed ? std::min<std::size_t>(result.deleted, session_.size()) : 0;
  for (std::size_t i = 0; i < session_.size(); ++i) {
    const auto found = session_[i] ? open_.find(*session_[i]) : open_.end();
    if (found == open_.end()) {
      continue;
    }
    Entry& entry = found->second;
    entry.in_session = false;
    entry.committed = entry.committed || i < held;
    if (entry.committed && !entry.sending()) {
      settled.push_back(settle(found->first, final_class(entry, false), result.ended));
    }
  }
  session_.clear();
  return settled;
}

std::vector<Settled> Ledger::give_up(TimePoint now) {
  last_refusal_ = Pop3Refusal::login;
  last_session_ = Outcome::bad_status;
  return settle_open(now, false, false);
}

std::vector<Settled> Ledger::close(TimePoint now, bool cut_off) {
  return settle_open(now, cut_off, true);
}

std::size_t Ledger::under_way() const {
  return open_.size() - sending_;
}

/// What an open message is when no more comes, or when it is fetched and its deletion holds.
MessageClass Ledger::final_class(const Entry& entry, bool cut_off) const {
  if (entry.bad) {
    return entry.verdict;
  }
  if (entry.committed) {
    return entry.has_reply ? MessageClass::verified : MessageClass::reply_lost;
  }
  if (cut_off || entry.sending()) {
    return MessageClass::unsettled;
  }
  if (entry.unknown) {
    return entry.seen ? MessageClass::reply_lost : MessageClass::unknown;
  }
  if (entry.seen) {
    return MessageClass::uncommitted;
  }
  switch (last_refusal_) {
    case Pop3Refusal::locked:
      return MessageClass::mailbox_locked;
    case Pop3Refusal::login:
      return MessageClass::login_refused;
    case Pop3Refusal::temporary:
      return MessageClass::mailbox_failed;
    case Pop3Refusal::none:
      break;
  }
  return last_session_ == Outcome::good    ? MessageClass::lost
         : last_session_ == Outcome::local ? MessageClass::local
                                           : MessageClass::mailbox_failed;
}

std::vector<Settled> Ledger::settle_open(TimePoint now, bool cut_off, bool with_sending) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, entry] : open_) {
    if (with_sending || !entry.sending()) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<Settled> settled = std::exchange(corrections_, {});
  for (const std::uint64_t number : numbers) {
    const Entry& entry = open_.at(number);
    const MessageClass what = final_class(entry, cut_off);
    if (!entry.seen && what != MessageClass::unsettled) {
      sums_.unseen.emplace(number, what);
    }
    settled.push_back(settle(number, what, now));
  }
  session_.clear();
  return settled;
}

/// Closes the books on an open message.
Settled Ledger::settle(std::uint64_t number, MessageClass what, TimePoint at) {
  Entry entry = std::move(open_.extract(number).mapped());
  sending_ -= entry.sending() ? 1U : 0U;
  ++sums_.classes.at(static_cast<std::size_t>(what));
  Settled settled;
  settled.number = number;
  settled.what = what;
  settled.begun = entry.begun;
  settled.at = at;
  if (what == MessageClass::verified) {
    ++sums_.by_node[entry.node];
  }
  if (what == MessageClass::verified || what == MessageClass::reply_lost) {
    done_.push_back({settled, std::move(entry.uid), std::move(entry.node)});
    if (done_.size() > kRemembered) {
      done_.pop_front();
    }
  }
  return settled;
}

}  // namespace scalemark::mail
