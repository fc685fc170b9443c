// A whole web run: plan in, record out.
//
// Preflight, then iterations on worker threads, then judgement. Nothing is printed: progress is handed to the
// caller as snapshots, and the caller's stop flag ends the run early with a partial record. One run at a time
// per process.
#pragma once

#include <vector>

#include "core/clock.h"
#include "core/preflight_finding.h"
#include "core/run_hooks.h"
#include "web_bench/web_plan.h"

namespace scalemark {
struct RunRecord;  // core/run_record.h
}

namespace scalemark::web {

/// Checks what a run needs, without load beyond one request per class and target. Raises the soft descriptor
/// limit. Without a server in the plan only the machine is checked. A list of URLs is probed at up to 16 of
/// them.
[[nodiscard]] std::vector<PreflightFinding> preflight(const WebPlan& plan);

/// Runs. Throws UsageError or RunError when it cannot (a preflight refusal among them); once load has begun
/// it always returns a record.
[[nodiscard]] RunRecord run(const WebPlan& plan, const RunHooks& hooks);

/// Time that the plan takes in all, drains excluded: they last no longer than the server lets them.
[[nodiscard]] Duration planned_time(const WebPlan& plan);

}  // namespace scalemark::web
