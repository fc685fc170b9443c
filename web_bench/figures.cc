#include "web_bench/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/max.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/min.hpp>
#include <boost/accumulators/statistics/stats.hpp>

#include "web_bench/judge.h"

namespace scalemark::web {
namespace {

namespace acc = boost::accumulators;
using Extremes = acc::accumulator_set<double, acc::stats<acc::tag::min, acc::tag::mean, acc::tag::max>>;

/// Where share_above is taken: 200 to 400 Kb/s in steps of 20 for the usual line, scaled for others.
constexpr double kShareFrom = 0.5;
constexpr int kShareSteps = 10;
/// Unfinished operations that the record lists.
constexpr std::size_t kMostListed = 20;

double share_of(const RequestSource& source, std::size_t cls) {
  const auto& mix = source.mix();
  const double parts = std::accumulate(mix.begin(), mix.end(), 0.0);
  return mix[cls] / parts;
}

ClassFigures class_figures(const ClassTally& tally, const RequestSource& source, std::size_t cls,
                           std::uint64_t issued_in_all) {
  ClassFigures figures;
  figures.name = source.classes()[cls];
  figures.target_share = share_of(source, cls);
  figures.window = tally.window;
  figures.run = tally.run;
  figures.share =
      issued_in_all == 0 ? 0 : static_cast<double>(tally.window.issued) / static_cast<double>(issued_in_all);
  figures.window_bytes = tally.window_bytes;
  figures.run_wire_bytes = tally.run_wire_bytes;
  figures.run_body_bytes = tally.run_body_bytes;
  figures.first_byte = tally.first_byte;
  figures.last_byte = tally.last_byte;
  return figures;
}

/// Whether a connection's errors allow a judgement.
enum class Validity : std::uint8_t {
  valid,
  erroneous,  // more than 1 % of its operations failed in a class that is not rare
  starved,    // below the conforming rate, and completed none of a class of which ten or more were expected
};

/// Operations that a full line brings within the window, per class; nothing for a class that is too rare to
/// be judged per connection.
std::vector<std::optional<double>> expected_operations(const WebPlan& plan, const RequestSource& source,
                                                       Duration window) {
  const auto mean_bytes = source.mean_bytes();
  const double in_all =
      mean_bytes && *mean_bytes > 0 ? to_seconds(window) * plan.line_speed.value / (*mean_bytes * 8) : 0;
  std::vector<std::optional<double>> expected(source.classes().size());
  for (std::size_t cls = 0; cls < expected.size(); ++cls) {
    if (!source.rare(static_cast<std::uint32_t>(cls))) {
      expected[cls] = in_all * share_of(source, cls);
    }
  }
  return expected;
}

Validity validity_of(const ConnectionTally& connection, bool below_rate,
                     const std::vector<std::optional<double>>& expected) {
  for (std::size_t cls = 0; cls < expected.size(); ++cls) {
    if (!expected[cls]) {
      continue;
    }
    if (error_rate(connection.good[cls], connection.failed[cls]) > kMostErrors) {
      return Validity::erroneous;
    }
    // A connection that holds its rate is not starved: a few large files may have filled a short window.
    if (connection.good[cls] == 0 && *expected[cls] >= kLeastExpected && below_rate) {
      return Validity::starved;
    }
  }
  return Validity::valid;
}

/// A rate to the thousandth of a bit, so that sums of fractions do not put a user beside the line it holds.
double millibits(double rate) {
  return std::round(rate * 1000) / 1000;
}

void enter_connections(IterationFigures& figures, const Tally& tally, const WebPlan& plan,
                       const RequestSource& source, Duration window) {
  const auto expected = expected_operations(plan, source, window);
  Extremes extremes;
  for (const ConnectionTally& connection : tally.connections) {
    const double rate = millibits(connection.bits / to_seconds(window));
    const bool below_rate = rate < plan.conforming_rate.value;
    extremes(rate);
    figures.connection_rates.push_back(rate);
    const Validity validity = validity_of(connection, below_rate, expected);
    figures.valid += validity == Validity::valid ? 1 : 0;
    figures.erroneous += validity == Validity::erroneous ? 1 : 0;
    figures.starved += validity == Validity::starved ? 1 : 0;
    figures.conforming += validity == Validity::valid && !below_rate ? 1 : 0;
  }
  figures.rate_min = acc::min(extremes);
  figures.rate_mean = acc::mean(extremes);
  figures.rate_max = acc::max(extremes);
  for (int step = 0; step <= kShareSteps; ++step) {
    const double rate =
        millibits(plan.line_speed.value * (kShareFrom + (1 - kShareFrom) * step / kShareSteps));
    const auto above = std::count_if(figures.connection_rates.begin(), figures.connection_rates.end(),
                                     [rate](double of) { return of >= rate; });
    figures.share_above.emplace_back(
        rate, static_cast<double>(above) / static_cast<double>(figures.connection_rates.size()));
  }
}

}  // namespace

IterationFigures figures_of(const Tally& tally, const WebPlan& plan, const RequestSource& source,
                            const Schedule& schedule, std::uint32_t number,
                            std::vector<std::string> generator_faults) {
  IterationFigures figures;
  figures.number = number;
  const Duration window = tally.window == Duration::max() ? Duration::zero() : tally.window;
  figures.partial = window < plan.phases.window;
  figures.window_seconds = to_seconds(window);
  figures.opened = schedule.open;
  figures.closed = schedule.open + window;
  figures.requested = plan.connections;
  std::uint64_t issued = 0;
  for (const ClassTally& cls : tally.classes) {
    issued += cls.window.issued;
  }
  for (std::size_t cls = 0; cls < tally.classes.size(); ++cls) {
    figures.classes.push_back(class_figures(tally.classes[cls], source, cls, issued));
  }
  figures.bad_statuses = tally.bad_statuses;
  figures.connections_opened = tally.connections_opened;
  figures.reconnects_idle = tally.reconnects_idle;
  figures.retries = tally.retries;
  figures.connect = tally.connect;
  figures.generator.lag = tally.lag;
  figures.generator.late_timers = tally.late_timers;
  figures.generator.threads = tally.threads;
  figures.unfinished = oldest(tally.unfinished, kMostListed);
  figures.series = series_of(tally.seconds, schedule);
  if (window > Duration::zero() && !tally.connections.empty()) {
    enter_connections(figures, tally, plan, source, window);
    figures.operations_per_second =
        static_cast<double>(figures.window_total().good()) / figures.window_seconds;
    figures.generator.lateness_share =
        to_seconds(tally.lag_sum) / (figures.window_seconds * static_cast<double>(plan.connections));
  }
  figures.findings.broken = std::move(generator_faults);
  figures.findings.add(findings_of(figures, plan));
  return figures;
}

}  // namespace scalemark::web
