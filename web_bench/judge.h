// From figures to a verdict.
//
// Pure: figures in, sentences out. The rules are those of docs/terms.md: a connection conforms when it is
// valid and its rate over the window reaches the conforming rate; a run says something about the server only
// when its mix, errors, accounting and generator were in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/judgement.h"
#include "web_bench/iteration.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

/// Share of failed operations above which a connection (or a class) is invalid.
inline constexpr double kMostErrors = 0.01;
/// Operations that the window must let expect of a class before completing none of them says anything.
inline constexpr double kLeastExpected = 10;

/// Largest difference of a class share from its target that a run of `issued` requests may show: a tenth of
/// the target, or for short runs what independent draws would stay within in 99.9 % of cases.
[[nodiscard]] double share_tolerance(double target, std::uint64_t issued);

/// What the figures of an iteration say against it. Requirements are judge_run()'s.
[[nodiscard]] Findings findings_of(const IterationFigures& figures, const WebPlan& plan);

/// The iteration that is the run's score, as an index: the median (median_of) by conforming connections, ties
/// by operations per second. Nothing when no window opened.
[[nodiscard]] std::optional<std::size_t> median_iteration(const std::vector<IterationFigures>& iterations);

/// The run's score: the conforming connections of the median iteration; NaN when there is none.
[[nodiscard]] Score score_of(const std::vector<IterationFigures>& iterations);

/// The run's verdict: what speaks against any of its iterations, and the plan's requirements in the median
/// one. Unless the plan requires something else of them, at least 95 % of the connections must conform.
[[nodiscard]] Verdict judge_run(const std::vector<IterationFigures>& iterations, const WebPlan& plan,
                                bool interrupted);

}  // namespace scalemark::web
