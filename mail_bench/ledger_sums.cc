#include "mail_bench/ledger_sums.h"

#include <numeric>

namespace scalemark::mail {
namespace {

std::uint64_t& count_of(LedgerSums& sums, MessageClass what) {
  return sums.classes.at(static_cast<std::size_t>(what));
}

/// Moves a message that was not seen to where it turned up. The stray stays noted, whatever else it meets, so
/// that the order of merging does not matter.
void found_astray(LedgerSums& sums, std::uint64_t number) {
  const auto unseen = sums.unseen.find(number);
  if (unseen != sums.unseen.end() && sums.strays.contains(number)) {
    --count_of(sums, unseen->second);
    ++count_of(sums, MessageClass::wrong_mailbox);
    sums.unseen.erase(unseen);
  }
}

}  // namespace

std::string_view name_of(MessageClass what) {
  static constexpr std::array<std::string_view, kMessageClasses> kNames = {
      "verified",       "refused_temporarily", "refused",     "closed",     "not_connected",
      "timed_out",      "protocol_error",      "unknown",     "reply_lost", "mailbox_locked",
      "mailbox_failed", "login_refused",       "uncommitted", "corrupt",    "truncated",
      "duplicate",      "wrong_mailbox",       "wrong_node",  "lost",       "local",
      "unsettled",
  };
  return kNames.at(static_cast<std::size_t>(what));
}

Outcome outcome_of(MessageClass what) {
  switch (what) {
    case MessageClass::verified:
      return Outcome::good;
    case MessageClass::refused_temporarily:
    case MessageClass::refused:
    case MessageClass::mailbox_locked:
    case MessageClass::mailbox_failed:
    case MessageClass::login_refused:
      return Outcome::bad_status;
    case MessageClass::closed:
    case MessageClass::uncommitted:
      return Outcome::closed_early;
    case MessageClass::not_connected:
      return Outcome::connect_refused;
    case MessageClass::timed_out:
    case MessageClass::unknown:
    case MessageClass::reply_lost:
    case MessageClass::lost:
    case MessageClass::unsettled:
      return Outcome::read_timeout;
    case MessageClass::protocol_error:
      return Outcome::malformed;
    case MessageClass::truncated:
      return Outcome::short_body;
    case MessageClass::duplicate:
      return Outcome::long_body;
    case MessageClass::corrupt:
    case MessageClass::wrong_mailbox:
    case MessageClass::wrong_node:
      return Outcome::wrong_content;
    case MessageClass::local:
      break;
  }
  return Outcome::local;
}

MessageClass class_of_failure(const SmtpResult& result) {
  switch (result.outcome) {
    case Outcome::connect_refused:
    case Outcome::connect_timeout:
    case Outcome::connect_reset:
    case Outcome::tls_failed:
      return MessageClass::not_connected;
    case Outcome::reset:
    case Outcome::closed_early:
      return MessageClass::closed;
    case Outcome::read_timeout:
      return MessageClass::timed_out;
    case Outcome::local:
      return MessageClass::local;
    case Outcome::bad_status:
      break;
    default:
      return MessageClass::protocol_error;
  }
  if (result.code == 421 || result.code == 521) {  // the server takes its leave, whatever was asked
    return MessageClass::closed;
  }
  // An unknown code means what its first digit means.
  return result.code / 100 == 4   ? MessageClass::refused_temporarily
         : result.code / 100 == 5 ? MessageClass::refused
                                  : MessageClass::protocol_error;
}

bool LedgerSums::adds_up() const {
  return planned == std::accumulate(classes.begin(), classes.end(), std::uint64_t{0});
}

void LedgerSums::merge(const LedgerSums& other) {
  planned += other.planned;
  for (std::size_t i = 0; i < kMessageClasses; ++i) {
    classes[i] += other.classes[i];
  }
  late += other.late;
  leftovers += other.leftovers;
  foreign += other.foreign;
  fetched_again += other.fetched_again;
  surplus += other.surplus;
  for (const auto& [node, count] : other.by_node) {
    by_node[node] += count;
  }
  strays.insert(other.strays.begin(), other.strays.end());
  unseen.insert(other.unseen.begin(), other.unseen.end());
  for (const std::uint64_t number : other.strays) {
    found_astray(*this, number);
  }
  for (const auto& [number, what] : other.unseen) {
    found_astray(*this, number);
  }
}

}  // namespace scalemark::mail
