// All iterations behind a point put together: sums, merged histograms, and how busy the parts were.
//
// Pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scaling_data.h"
#include "analysis/statistics.h"

namespace scalemark::analysis {

/// How much of what it has a part used, 0..1. Nothing where a figure or the limit is not known.
struct Use {
  std::optional<double> link;  ///< the busier direction of its network interface, of its capped speed
  std::optional<double> cpu;   ///< of its share of a processor
  /// At its limit: 95 % of the link or 90 % of the processor share.
  [[nodiscard]] bool saturated() const;
  [[nodiscard]] bool known() const { return link || cpu; }
  /// "link 97%, CPU 41%", "not measured".
  [[nodiscard]] std::string words() const;
};

struct PointSummary {
  double seconds = 0;  ///< of all windows together
  std::size_t iterations = 0;
  std::optional<double> requested, conforming;  ///< summed over the iterations
  std::optional<double> operations_per_second;  ///< mean
  std::optional<double> operation_ms;           ///< a user's time per operation, waits included
  std::optional<double> connect_ms;             ///< mean, per TCP connection
  std::optional<double> connect_per_operation_ms;
  std::optional<double> first_byte_ms, last_byte_ms;                              ///< means
  std::optional<double> lateness_share, busiest_thread, late_timers, lag_p99_ms;  ///< the worst iteration's
  std::vector<std::pair<double, double>> share_above;  ///< bit/s, mean share over the iterations
  std::vector<PartFigures> nodes;                      ///< summed over the iterations; throttled: mean
  std::vector<PartFigures> proxies;                    ///< likewise
  std::optional<PartFigures> router, client;
  std::optional<MachineFigures> machine;
  std::optional<double> timed_out_per_hour;  ///< operations that a time-out ended
  std::vector<Use> node_use;                 ///< in the order of `nodes`
  std::vector<Use> proxy_use;                ///< in the order of `proxies`
  Use router_use;
};

[[nodiscard]] PointSummary summary_of(const ScalingPoint& point);
/// Of the trial that the generator limited. Only of a point that has one.
[[nodiscard]] PointSummary summary_of_limited(const ScalingPoint& point);

/// What each node carried: requests, or bytes where a log was not read. Empty unless every node has the
/// figure.
[[nodiscard]] std::vector<double> node_loads(const PointSummary& summary);
/// The index of the proxy that was nearest to its limit; nothing when no proxy's use is known.
[[nodiscard]] std::optional<std::size_t> busiest_proxy(const PointSummary& summary);
/// The index of the node that was nearest to its limit; nothing when no node's use is known.
[[nodiscard]] std::optional<std::size_t> busiest_node(const PointSummary& summary);

}  // namespace scalemark::analysis
