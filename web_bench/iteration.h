// The data dictionary of a web iteration: every figure that a record holds about it, one sentence each.
//
// Filled from merged tallies by figures.cc, written by web_record.cc; plain data, no behaviour. What is not
// particular to the web stands in core/accounting.h and core/generator_health.h. Times are in
// microseconds inside histograms. "Window" figures count what happened between the window's two instants,
// "run" figures everything from the iteration's first request to its last. docs/terms.md defines the words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/accounting.h"
#include "core/clock.h"
#include "core/generator_health.h"
#include "core/histogram.h"
#include "core/judgement.h"

namespace scalemark::web {

/// One class of files.
struct ClassFigures {
  std::string name;         ///< "0".."3", or a URL list's class
  double target_share = 0;  ///< what the mix asks for, 0..1
  double share = 0;         ///< of the requests issued in the window
  Accounting window;
  Accounting run;
  std::uint64_t window_bytes = 0;    ///< paced bytes of good transfers that ended in the window
  std::uint64_t run_wire_bytes = 0;  ///< all response bytes read in the iteration, failed ones included
  std::uint64_t run_body_bytes = 0;  ///< body bytes of good responses in the iteration
  Histogram first_byte;  ///< us from an operation's start to its first response byte; good, in the window
  Histogram last_byte;   ///< us from an operation's start to its last response byte; good, in the window
};

struct IterationFigures {
  std::uint32_t number = 1;
  bool partial = false;              ///< interrupted: the window is shorter than planned
  double window_seconds = 0;         ///< as it was
  TimePoint opened{};                ///< the window's first instant
  TimePoint closed{};                ///< and its end
  std::uint32_t requested = 0;       ///< connections
  std::uint32_t valid = 0;           ///< connections whose errors allow a judgement
  std::uint32_t erroneous = 0;       ///< invalid because more than 1 % of their operations failed
  std::uint32_t starved = 0;         ///< invalid because slow and without an operation of some class
  std::uint32_t conforming = 0;      ///< valid connections at or above the conforming rate
  double operations_per_second = 0;  ///< good operations / window
  double rate_min = 0;               ///< bit/s over all connections
  double rate_mean = 0;
  double rate_max = 0;
  std::vector<std::pair<double, double>> share_above;  ///< (bit/s, share of connections at or above)
  std::vector<ClassFigures> classes;
  std::map<int, std::uint64_t> bad_statuses;  ///< HTTP status -> responses, over the iteration
  std::uint64_t connections_opened = 0;       ///< TCP connections, over the iteration
  std::uint64_t reconnects_idle = 0;          ///< the server closed between two requests of a connection
  std::uint64_t retries = 0;  ///< a reused connection was found closed; the request went out again
  Histogram connect;          ///< us to connect, in the window
  std::vector<UnfinishedOperation> unfinished;  ///< the oldest, at most 20; their number is in the accounting
  GeneratorFigures generator;
  std::vector<SeriesPoint> series;
  std::vector<double>
      connection_rates;  ///< bit/s of each connection in run-wide order; not written to the record
  Findings findings;     ///< what speaks against it; its verdict is verdict_of() them

  [[nodiscard]] Accounting window_total() const;
  [[nodiscard]] Accounting run_total() const;
};

/// The iteration as it stands in the record. Histograms give count, mean, p50, p90, p99, p999, max in
/// milliseconds, null when empty.
[[nodiscard]] nlohmann::ordered_json to_json(const IterationFigures& iteration);

}  // namespace scalemark::web
