// One iteration: worker threads, their common start, the live view, and the merged figures.
#pragma once

#include <cstdint>

#include "core/clock.h"
#include "core/run_hooks.h"
#include "mail_bench/iteration.h"
#include "mail_bench/mail_plan.h"
#include "mail_bench/worker.h"

namespace scalemark::mail {

/// What an iteration shares with the run that it is part of; referred to.
struct IterationSetup {
  const MailPlan& plan;
  const Prepared& prepared;
  const RunHooks& hooks;
  const Clock& clock;
  TimePoint run_begin;
  std::uint64_t run;  ///< the run's identity; each iteration's is derived from it
};

/// Runs iteration `number` (from 1), judged. Blocks for its phases and at most the plan's drain more; ends
/// early when the hooks' stop flag is set. Throws RunError only when its threads cannot be built.
[[nodiscard]] IterationFigures run_iteration(const IterationSetup& setup, std::uint32_t number);

}  // namespace scalemark::mail
