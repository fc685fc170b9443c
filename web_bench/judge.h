// From books to figures to a verdict.
//
// Pure: merged tallies in, figures and sentences out. The rules are those of docs/terms.md: a connection
// conforms when it is valid and its rate over the window reaches the conforming rate; a run says something
// about the server only when its mix, errors, accounting and generator were in order.
#pragma once

#include <cstdint>
#include <vector>

#include "web_bench/account.h"
#include "web_bench/iteration.h"
#include "web_bench/request_source.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

/// More of the connections' time than this lost to late pacing timers makes a run generator-limited: it is
/// also how far a rate may fall below the line on a server that never delays anyone.
inline constexpr double kMostLateness = 0.015;
/// A thread that was busy for more than this share of the window is the bottleneck.
inline constexpr double kMostCpuShare = 0.95;
/// Share of failed operations above which a connection (or a class) is invalid.
inline constexpr double kMostErrors = 0.01;
/// Operations that the window must let expect of a class before completing none of them says anything.
inline constexpr double kLeastExpected = 10;

/// Whether a connection's errors allow a judgement.
enum class Validity : std::uint8_t {
  valid,
  erroneous,  ///< more than 1 % of its operations failed in a class that is not rare
  starved,    ///< below the conforming rate, and completed none of a class of which ten or more were expected
};

[[nodiscard]] Validity validity_of(const ConnectionTally& connection, double rate, const WebPlan& plan,
                                   const RequestSource& source, Duration window);

/// Largest difference of a class share from its target that a run of `issued` requests may show: a tenth of
/// the target, or for short runs what independent draws would stay within in 99.9 % of cases.
[[nodiscard]] double share_tolerance(double target, std::uint64_t issued);

/// Figures of an iteration, its verdict included except for what the process as a whole adds (memory,
/// descriptors, ports: the caller's). `planned_window` tells whether it was cut short.
[[nodiscard]] IterationFigures figures_of(const Tally& tally, const WebPlan& plan,
                                          const RequestSource& source, const Schedule& schedule,
                                          std::uint32_t number, Duration planned_window);

/// Whether the iteration says anything about the server (void, generator-limited or not), and if so whether
/// its connections were starved. Requirements are judge_run()'s.
[[nodiscard]] Verdict judge(const IterationFigures& figures, const WebPlan& plan);

/// The iteration that is the run's score, as an index: of the complete ones (of the partial ones with a
/// window, if there is none) the one whose conforming count is the median; ties go by operations per second,
/// and of an even number the lower one is taken. `iterations` must not be empty.
[[nodiscard]] std::size_t median_iteration(const std::vector<IterationFigures>& iterations);

/// The run's verdict: the worst of its iterations', and the plan's requirements in the median iteration.
/// Unless the plan requires something else of them, at least 95 % of the connections must conform.
[[nodiscard]] Verdict judge_run(const std::vector<IterationFigures>& iterations, const WebPlan& plan,
                                bool interrupted);

}  // namespace scalemark::web
