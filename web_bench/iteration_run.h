// One iteration: worker threads, their common start, the live view, and the merged figures.
#pragma once

#include <cstdint>

#include "core/clock.h"
#include "web_bench/iteration.h"
#include "web_bench/preflight.h"
#include "web_bench/run.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

/// What an iteration shares with the run that it is part of; referred to.
struct IterationSetup {
  const WebPlan& plan;
  const Prepared& prepared;
  const RunHooks& hooks;
  const Clock& clock;
  TimePoint run_begin;
};

/// Runs iteration `number` (from 1), judged. Blocks for its phases and at most the plan's drain more; ends
/// early when the hooks' stop flag is set. Throws RunError only when its threads cannot be built.
[[nodiscard]] IterationFigures run_iteration(const IterationSetup& setup, std::uint32_t number);

}  // namespace scalemark::web
