// The books of a worker: what its users did, by protocol, by step and by second.
//
// A worker owns one `Tally` and writes it without locks; after the iteration all tallies are merged, which is
// commutative and associative. Pure bookkeeping: no clock, no sockets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/accounting.h"
#include "core/clock.h"
#include "core/generator_health.h"
#include "core/histogram.h"
#include "mail_bench/ledger.h"
#include "mail_bench/steps.h"

namespace scalemark::mail {

/// Attempts to deliver. "good" is a 250 to the final dot.
struct SmtpTally {
  Accounting window;
  Accounting run;
  std::uint64_t connections = 0;  ///< opened, over the iteration
  std::uint64_t sent_bytes = 0;   ///< over the iteration, commands included
  std::map<std::string, std::uint64_t>
      replies;  ///< refusals and 421, over the iteration: "rcpt 452" -> count

  void merge(const SmtpTally& other);
  friend bool operator==(const SmtpTally&, const SmtpTally&) = default;
};

/// POP3 sessions. "good" is a +OK to QUIT, whatever the mailbox held.
struct Pop3Tally {
  Accounting window;
  Accounting run;
  std::uint64_t window_retrieved =
      0;                            ///< messages fetched and committed, by a session that ended in the window
  std::uint64_t run_retrieved = 0;  ///< likewise, over the iteration
  std::uint64_t empty_polls = 0;    ///< sessions that found nothing, over the iteration
  std::uint64_t locked = 0;         ///< logins turned away as the mailbox was in use, over the iteration
  std::uint64_t received_bytes = 0;               ///< over the iteration
  std::map<std::string, std::uint64_t> refusals;  ///< over the iteration: "auth locked" -> count

  void merge(const Pop3Tally& other);
  friend bool operator==(const Pop3Tally&, const Pop3Tally&) = default;
};

struct Tally {
  Accounting window;  ///< of operations: messages, from the beginning of sending to their class
  Accounting run;
  SmtpTally smtp;
  Pop3Tally pop3;
  LedgerSums ledger;
  std::array<Histogram, kSteps> steps;          ///< us, of steps that ended in the window
  std::uint64_t users_refused = 0;              ///< users that gave up since they may not log in
  std::vector<UnfinishedOperation> unfinished;  ///< at the window's close
  Histogram lag;
  std::uint64_t late_timers = 0;
  Duration lag_sum{};
  std::vector<SecondTally> seconds;
  std::vector<ThreadHealth> threads;
  Duration window_length = Duration::max();  ///< as long as it was; the shortest of the merged

  /// Adds another; lists are then in the order of their numbers, whatever the order of merging.
  void merge(const Tally& other);
  friend bool operator==(const Tally&, const Tally&) = default;
};

}  // namespace scalemark::mail
