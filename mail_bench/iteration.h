// The data dictionary of a mail iteration: every figure that a record holds about it, one sentence each.
//
// Filled from merged tallies by figures.cc, written by mail_record.cc; plain data, no behaviour. Times are in
// microseconds inside histograms. "Window" figures count what happened between the window's two instants,
// "run" figures everything from the iteration's first message to the end of the drain. docs/terms.md defines
// the words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/accounting.h"
#include "core/clock.h"
#include "core/generator_health.h"
#include "core/judgement.h"
#include "mail_bench/account.h"

namespace scalemark::mail {

struct IterationFigures {
  std::uint32_t number = 1;
  bool partial = false;       ///< interrupted: the window is shorter than planned
  double window_seconds = 0;  ///< as it was
  TimePoint opened{};
  TimePoint closed{};
  std::uint32_t users = 0;         ///< simulated users
  double operations_per_hour = 0;  ///< the score: good operations of the window x 3,600 s / window (under
                                   ///< independent pairing the smaller of the next two)
  double smtp_per_hour = 0;        ///< deliveries accepted in the window, likewise
  double pop3_per_hour = 0;        ///< messages retrieved and committed in the window, likewise
  Accounting window;               ///< of operations
  Accounting run;
  SmtpTally smtp;
  Pop3Tally pop3;
  LedgerSums ledger;
  std::array<Histogram, kSteps> steps;
  std::uint64_t users_refused = 0;              ///< users that gave up since they may not log in
  std::vector<UnfinishedOperation> unfinished;  ///< the oldest at the window's close, at most 20
  GeneratorFigures generator;
  std::vector<SeriesPoint> series;
  Findings findings;  ///< what speaks against it; its verdict is verdict_of() them
};

/// The iteration as it stands in the record. Histograms give count, mean, p50, p90, p99, p999, max in
/// milliseconds, null when empty.
[[nodiscard]] nlohmann::ordered_json to_json(const IterationFigures& iteration);

}  // namespace scalemark::mail
