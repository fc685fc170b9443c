// A whole mail run: plan in, record out.
//
// Preflight (machine, servers, one login), mailboxes emptied, then iterations on worker threads, then
// judgement. Nothing is printed: progress is handed to the caller as snapshots, and the caller's stop flag
// ends the run early with a partial record. One run at a time per process.
#pragma once

#include "core/clock.h"
#include "core/run_hooks.h"
#include "mail_bench/mail_plan.h"

namespace scalemark {
struct RunRecord;  // core/run_record.h
}

namespace scalemark::mail {

/// Runs. Throws UsageError or RunError when it cannot; once load has begun it always returns a record.
[[nodiscard]] RunRecord run(const MailPlan& plan, const RunHooks& hooks);

/// Time that the plan takes in all, drains and the emptying of mailboxes excluded.
[[nodiscard]] Duration planned_time(const MailPlan& plan);

}  // namespace scalemark::mail
