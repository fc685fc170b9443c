// The classes that messages end in, and their sums.
//
// Plain data that a ledger fills for itself; sums of several are merged afterwards, which is commutative and
// associative. Pure; belongs to one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/outcome.h"
#include "mail_bench/smtp_session.h"

namespace scalemark::mail {

/// What became of a message. docs/terms.md has a sentence for each.
enum class MessageClass : std::uint8_t {
  verified,  ///< accepted, fetched whole with the right digest, its deletion committed: an operation
  refused_temporarily,  ///< a 4xx reply
  refused,              ///< a 5xx reply
  closed,               ///< the connection ended, or 421, before the final dot; nothing was delivered
  not_connected,        ///< no connection, or TLS failed
  timed_out,            ///< the SMTP time-out passed before the final dot
  protocol_error,       ///< not a legal SMTP reply
  unknown,              ///< time or connection ended after the final dot, and it was never seen
  reply_lost,      ///< the same, but it arrived: delivered late, its reply lost; neither operation nor loss
  mailbox_locked,  ///< accepted, but its mailbox was in use to the end
  mailbox_failed,  ///< accepted, but POP3 failed for the time being to the end
  login_refused,   ///< accepted, but its user may not log in
  uncommitted,     ///< fetched whole, but no QUIT after it was answered by +OK
  corrupt,         ///< fetched with another payload
  truncated,       ///< fetched without its end
  duplicate,       ///< fetched more than once as different messages
  wrong_mailbox,   ///< fetched from a mailbox that it was not sent to
  wrong_node,      ///< fetched from a node other than the accounts file says
  lost,            ///< accepted, and not seen by the end of the drain
  local,           ///< this machine's fault
  unsettled,       ///< the run was cut off before it could be known
};
inline constexpr std::size_t kMessageClasses = 21;

[[nodiscard]] std::string_view name_of(MessageClass what);
/// How a class counts in the accounting of operations that all kinds of run share. All but verified fail.
[[nodiscard]] Outcome outcome_of(MessageClass what);
/// The class of an attempt that failed for good (not good, not unknown).
[[nodiscard]] MessageClass class_of_failure(const SmtpResult& result);

/// Sums over the messages of one run. Merging is commutative and associative; an empty one is neutral.
struct LedgerSums {
  std::uint64_t planned = 0;
  std::array<std::uint64_t, kMessageClasses> classes{};
  std::uint64_t late = 0;           ///< seen after the visibility limit, whatever they ended as
  std::uint64_t leftovers = 0;      ///< fetched, of another run
  std::uint64_t foreign = 0;        ///< fetched, not made by scalemark
  std::uint64_t fetched_again = 0;  ///< the same message once more, as its deletion had not been committed
  /// Fetched by whom it was sent to, but after it was settled: delivered though it was refused, a third copy,
  /// or one that comes long after the first.
  std::uint64_t surplus = 0;
  std::map<std::string, std::uint64_t> by_node;  ///< verified, by the node that its trace names; "" unknown
  std::set<std::uint64_t> strays;  ///< numbers fetched from mailboxes that they were not sent to
  /// Accepted, never seen by its own user, and settled as that: number and class. One that meets its stray
  /// becomes wrong_mailbox and goes from here.
  std::map<std::uint64_t, MessageClass> unseen;

  [[nodiscard]] bool adds_up() const;  ///< planned = the sum of the classes; true of closed ledgers
  void merge(const LedgerSums& other);
  friend bool operator==(const LedgerSums&, const LedgerSums&) = default;
};

}  // namespace scalemark::mail
