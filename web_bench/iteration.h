// The data dictionary of a web iteration: every figure that a record holds about it, one sentence each.
//
// Filled by the judge from merged tallies, written by web_record.cc; plain data, no behaviour. Times are in
// microseconds inside histograms. "Window" figures count what happened between the window's two instants,
// "run" figures everything from the iteration's first request to its last. docs/terms.md defines the words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/histogram.h"
#include "core/outcome.h"
#include "core/verdict.h"

namespace scalemark::web {

/// Operations of one kind over one span (the window, or the whole iteration).
/// carried_in + issued = good + failed + unfinished, always.
struct Accounting {
  std::uint64_t carried_in = 0;  ///< in transfer when the span began
  std::uint64_t issued = 0;      ///< started within the span
  OutcomeCounts ended{};         ///< transfers that ended within it, by outcome
  std::uint64_t unfinished = 0;  ///< in transfer when the span ended

  [[nodiscard]] std::uint64_t good() const { return ended[index_of(Outcome::good)]; }
  [[nodiscard]] std::uint64_t failed() const { return failures(ended); }
  [[nodiscard]] bool adds_up() const { return carried_in + issued == good() + failed() + unfinished; }
  void merge(const Accounting& other);
  friend bool operator==(const Accounting&, const Accounting&) = default;
};

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

/// What one second of the iteration looked like.
struct SeriesPoint {
  std::uint32_t second = 0;  ///< since the iteration began
  std::string phase;         ///< phase at the second's beginning
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t wire_bytes = 0;  ///< of transfers that ended in this second
  std::uint64_t active = 0;      ///< users started and not stopped at the second's end
};

/// How the generator itself fared, per thread.
struct ThreadHealth {
  double cpu_seconds = 0;       ///< user + system, over the iteration
  double window_cpu_share = 0;  ///< CPU time / wall time over the window, 0..1
};

struct GeneratorFigures {
  Histogram lag;                  ///< us that a pacing timer fired after it was due, in the window
  std::uint64_t late_timers = 0;  ///< of these, more than 10 ms late
  double lateness_share = 0;      ///< summed lag / summed connection time of the window: what lateness cost
  std::vector<ThreadHealth> threads;
  std::uint64_t peak_memory_bytes = 0;  ///< of the process, so far
  std::uint64_t descriptors = 0;        ///< most that were open at once (at the window's end)
  std::uint64_t descriptor_limit = 0;
  std::uint64_t ports_available = 0;  ///< ephemeral ports per source address and target
};

/// An operation that was still in transfer when the window closed.
struct UnfinishedOperation {
  std::uint32_t connection = 0;  ///< the user's run-wide number
  std::string cls;
  double age_seconds = 0;  ///< since it started
  std::uint64_t received_bytes = 0;
};

struct IterationFigures {
  std::uint32_t number = 1;
  bool partial = false;              ///< interrupted: the window is shorter than planned
  double window_seconds = 0;         ///< as it was
  std::uint32_t requested = 0;       ///< connections
  std::uint32_t valid = 0;           ///< connections whose errors allow a judgement
  std::uint32_t erroneous = 0;       ///< invalid because more than 1 % of their operations failed
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
  Verdict verdict;       ///< of this iteration

  [[nodiscard]] Accounting window_total() const;
  [[nodiscard]] Accounting run_total() const;
};

/// The iteration as it stands in the record. Histograms give count, mean, p50, p90, p99, p999, max in
/// milliseconds, null when empty.
[[nodiscard]] nlohmann::ordered_json to_json(const IterationFigures& iteration);

}  // namespace scalemark::web
