#include "web_bench/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/max.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/min.hpp>
#include <boost/accumulators/statistics/stats.hpp>

#include "core/requirement.h"
#include "web_bench/metrics.h"

namespace scalemark::web {
namespace {

namespace acc = boost::accumulators;
using Extremes = acc::accumulator_set<double, acc::stats<acc::tag::min, acc::tag::mean, acc::tag::max>>;

/// Where share_above is taken: 200 to 400 Kb/s in steps of 20 for the usual line, scaled for others.
constexpr double kShareFrom = 0.5;
constexpr int kShareSteps = 10;

/// Two-sided 99.9 % of the normal distribution.
constexpr double kNormal999 = 3.2905;

double share_of(const RequestSource& source, std::size_t cls) {
  const auto& mix = source.mix();
  const double parts = std::accumulate(mix.begin(), mix.end(), 0.0);
  return mix[cls] / parts;
}

double error_rate(std::uint64_t good, std::uint64_t failed) {
  const std::uint64_t ended = good + failed;
  return ended == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(ended);
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

void enter_connections(IterationFigures& figures, const Tally& tally, const WebPlan& plan,
                       const RequestSource& source, Duration window) {
  std::vector<ConnectionTally> connections = tally.connections;
  std::sort(connections.begin(), connections.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  Extremes extremes;
  for (const ConnectionTally& connection : connections) {
    const double rate = connection.bits / to_seconds(window);
    extremes(rate);
    figures.connection_rates.push_back(rate);
    const Validity validity = validity_of(connection, rate, plan, source, window);
    figures.valid += validity == Validity::valid ? 1 : 0;
    figures.erroneous += validity == Validity::erroneous ? 1 : 0;
    figures.conforming += validity == Validity::valid && rate >= plan.conforming_rate.value ? 1 : 0;
  }
  figures.rate_min = acc::min(extremes);
  figures.rate_mean = acc::mean(extremes);
  figures.rate_max = acc::max(extremes);
  for (int step = 0; step <= kShareSteps; ++step) {
    const double rate = plan.line_speed.value * (kShareFrom + (1 - kShareFrom) * step / kShareSteps);
    const auto above = std::count_if(figures.connection_rates.begin(), figures.connection_rates.end(),
                                     [rate](double of) { return of >= rate; });
    figures.share_above.emplace_back(
        rate, static_cast<double>(above) / static_cast<double>(figures.connection_rates.size()));
  }
}

void enter_unfinished(IterationFigures& figures, const Tally& tally) {
  constexpr std::size_t kMostListed = 20;
  figures.unfinished = tally.unfinished;
  std::sort(figures.unfinished.begin(), figures.unfinished.end(),
            [](const auto& a, const auto& b) { return a.age_seconds > b.age_seconds; });
  figures.unfinished.resize(std::min(figures.unfinished.size(), kMostListed));
}

void enter_series(IterationFigures& figures, const Tally& tally, const Schedule& schedule) {
  for (std::size_t i = 0; i < tally.seconds.size(); ++i) {
    const TimePoint from = schedule.begin + std::chrono::seconds(i);
    const SecondTally& second = tally.seconds[i];
    if (from >= schedule.end && second.good + second.failed == 0) {
      break;
    }
    figures.series.push_back({static_cast<std::uint32_t>(i), std::string(name_of(schedule.at(from))),
                              second.good, second.failed, second.wire_bytes, second.active});
  }
}

/// Sentences about what makes an iteration say nothing, by how.
struct Findings {
  std::vector<std::string> broken;   // this machine or this program: void
  std::vector<std::string> limited;  // generator-limited
  std::vector<std::string> odd;      // mix and errors: void
  std::vector<std::string> poor;     // fail
};

void find_broken(const IterationFigures& figures, Findings& findings) {
  for (const ClassFigures& cls : figures.classes) {
    if (!cls.window.adds_up() || !cls.run.adds_up()) {
      findings.broken.push_back(
          fmt::format("the operations of class {} do not add up: this is a fault of scalemark", cls.name));
    }
  }
  const std::uint64_t local = figures.run_total().ended[index_of(Outcome::local)];
  if (local > 0) {
    findings.broken.push_back(fmt::format(
        "{} operations failed for lack of descriptors, ports or memory on this machine; see scalemark doctor",
        local));
  }
}

void find_limits(const IterationFigures& figures, Findings& findings) {
  const GeneratorFigures& generator = figures.generator;
  if (generator.lateness_share > kMostLateness) {
    findings.limited.push_back(
        fmt::format("the generator's own lateness took {:.1f} % of the connections' time (at most {:.1f} % "
                    "is allowed); give it more --threads, an idle machine or slower lines",
                    generator.lateness_share * 100, kMostLateness * 100));
  }
  for (std::size_t i = 0; i < generator.threads.size(); ++i) {
    if (generator.threads[i].window_cpu_share > kMostCpuShare) {
      findings.limited.push_back(
          fmt::format("generator thread {} was busy for {:.0f} % of the window; give it more --threads",
                      i + 1, generator.threads[i].window_cpu_share * 100));
    }
  }
}

void find_oddities(const IterationFigures& figures, Findings& findings) {
  const std::uint64_t issued = figures.window_total().issued;
  if (figures.window_total().good() == 0) {
    findings.odd.emplace_back("no operation succeeded in the window");
    return;
  }
  for (const ClassFigures& cls : figures.classes) {
    if (std::abs(cls.share - cls.target_share) > share_tolerance(cls.target_share, issued)) {
      findings.odd.push_back(fmt::format("class {} made up {:.2f} % of the requests where {:.2f} % belong",
                                         cls.name, cls.share * 100, cls.target_share * 100));
    }
    const double errors = error_rate(cls.window.good(), cls.window.failed());
    if (errors > kMostErrors) {
      findings.odd.push_back(fmt::format("{:.1f} % of the operations of class {} failed (at most 1 % may)",
                                         errors * 100, cls.name));
    }
  }
  if (figures.erroneous > 0) {
    findings.odd.push_back(fmt::format("{} connections are invalid: more than 1 % of their operations failed",
                                       figures.erroneous));
  }
}

Verdict verdict_of(const Findings& findings) {
  Verdict verdict;
  if (!findings.broken.empty()) {
    verdict.status = Status::void_run;
  } else if (!findings.limited.empty()) {
    verdict.status = Status::generator_limited;
  } else if (!findings.odd.empty()) {
    verdict.status = Status::void_run;
  } else if (!findings.poor.empty()) {
    verdict.status = Status::fail;
  }
  for (const auto* sentences : {&findings.broken, &findings.limited, &findings.odd, &findings.poor}) {
    verdict.reasons.insert(verdict.reasons.end(), sentences->begin(), sentences->end());
  }
  return verdict;
}

/// How bad a status is; the worst of the iterations is the run's.
int badness(Status status) {
  switch (status) {
    case Status::pass:
      return 0;
    case Status::fail:
      return 1;
    case Status::generator_limited:
      return 2;
    case Status::void_run:
      return 3;
    case Status::interrupted:
      return 4;
  }
  return 4;
}

/// The plan's requirements, and the usual one unless the plan speaks of conforming connections itself.
std::vector<Requirement> requirements_of(const WebPlan& plan) {
  std::vector<Requirement> requirements;
  for (const std::string& text : plan.require) {
    requirements.push_back(parse_requirement(text));
  }
  if (std::none_of(requirements.begin(), requirements.end(),
                   [](const Requirement& requirement) { return requirement.metric == "conforming"; })) {
    requirements.push_back(parse_requirement("conforming>=95%"));
  }
  return requirements;
}

}  // namespace

Validity validity_of(const ConnectionTally& connection, double rate, const WebPlan& plan,
                     const RequestSource& source, Duration window) {
  const auto mean_bytes = source.mean_bytes();
  for (std::size_t cls = 0; cls < source.classes().size(); ++cls) {
    if (source.rare(static_cast<std::uint32_t>(cls))) {
      continue;
    }
    if (error_rate(connection.good[cls], connection.failed[cls]) > kMostErrors) {
      return Validity::erroneous;
    }
    const double expected = mean_bytes && *mean_bytes > 0 ? to_seconds(window) * plan.line_speed.value /
                                                                (*mean_bytes * 8) * share_of(source, cls)
                                                          : 0;
    // A connection that holds its rate is not starved: a few large files may have filled a short window.
    if (connection.good[cls] == 0 && expected >= kLeastExpected && rate < plan.conforming_rate.value) {
      return Validity::starved;
    }
  }
  return Validity::valid;
}

double share_tolerance(double target, std::uint64_t issued) {
  if (issued == 0) {
    return 1;
  }
  const double drawn = kNormal999 * std::sqrt(target * (1 - target) / static_cast<double>(issued));
  return std::max(target / 10, drawn);
}

IterationFigures figures_of(const Tally& tally, const WebPlan& plan, const RequestSource& source,
                            const Schedule& schedule, std::uint32_t number, Duration planned_window) {
  IterationFigures figures;
  figures.number = number;
  const Duration window = tally.window == Duration::max() ? Duration::zero() : tally.window;
  figures.partial = window < planned_window;
  figures.window_seconds = to_seconds(window);
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
  enter_unfinished(figures, tally);
  enter_series(figures, tally, schedule);
  if (window > Duration::zero()) {
    enter_connections(figures, tally, plan, source, window);
    figures.operations_per_second =
        static_cast<double>(figures.window_total().good()) / figures.window_seconds;
    figures.generator.lateness_share =
        to_seconds(tally.lag_sum) / (figures.window_seconds * static_cast<double>(plan.connections));
  }
  figures.verdict = judge(figures, plan);
  return figures;
}

Verdict judge(const IterationFigures& figures, const WebPlan& plan) {
  Findings findings;
  find_broken(figures, findings);
  if (figures.window_seconds > 0) {
    find_limits(figures, findings);
    find_oddities(figures, findings);
    const std::uint32_t starved = figures.requested - figures.valid - figures.erroneous;
    if (starved > 0) {
      findings.poor.push_back(
          fmt::format("{} connections are invalid: below {} and without a single operation of some class",
                      starved, human_rate(plan.conforming_rate)));
    }
  }
  return verdict_of(findings);
}

std::size_t median_iteration(const std::vector<IterationFigures>& iterations) {
  std::vector<std::size_t> order;
  const auto take = [&](auto&& eligible) {
    for (std::size_t i = 0; i < iterations.size(); ++i) {
      if (eligible(iterations[i])) {
        order.push_back(i);
      }
    }
  };
  take([](const IterationFigures& iteration) { return !iteration.partial; });
  if (order.empty()) {
    take([](const IterationFigures& iteration) { return iteration.window_seconds > 0; });
  }
  if (order.empty()) {
    return 0;
  }
  std::sort(order.begin(), order.end(), [&iterations](std::size_t a, std::size_t b) {
    const auto key = [&iterations](std::size_t i) {
      return std::pair(iterations[i].conforming, iterations[i].operations_per_second);
    };
    return key(a) < key(b);
  });
  return order[(order.size() - 1) / 2];
}

Verdict judge_run(const std::vector<IterationFigures>& iterations, const WebPlan& plan, bool interrupted) {
  Verdict verdict;
  for (const IterationFigures& iteration : iterations) {
    if (badness(iteration.verdict.status) > badness(verdict.status)) {
      verdict.status = iteration.verdict.status;
    }
    for (const std::string& reason : iteration.verdict.reasons) {
      verdict.reasons.push_back(
          iterations.size() == 1 ? reason : fmt::format("iteration {}: {}", iteration.number, reason));
    }
  }
  const IterationFigures& scored = iterations[median_iteration(iterations)];
  for (const Requirement& requirement : requirements_of(plan)) {
    const auto fault = unmet(requirement, [&scored](std::string_view name, ValueKind wanted) {
      return metric_of(scored, name, wanted);
    });
    if (fault && scored.window_seconds > 0) {
      verdict.reasons.push_back(*fault);
      if (badness(verdict.status) < badness(Status::fail)) {
        verdict.status = Status::fail;
      }
    }
  }
  if (interrupted) {
    verdict.status = Status::interrupted;
    verdict.reasons.insert(verdict.reasons.begin(), "ended by the user; the record is partial");
  }
  return verdict;
}

}  // namespace scalemark::web
