// A whole study: plan in, record out, each trial's record kept on the way.
//
// Nothing is printed. A point that fails does not keep the others from being measured. The record is written
// anew after every trial, so that whatever ends the study loses nothing. One study at a time per process.
#pragma once

#include "core/run_record.h"
#include "study/hooks.h"
#include "study/provider.h"
#include "study/study_plan.h"
#include "study/study_store.h"

namespace scalemark::study {

/// Runs what is not in the store yet. Always returns a record; throws StoreError only, when it cannot
/// be written.
[[nodiscard]] RunRecord run(const StudyPlan& plan, ClusterProvider& provider, const StudyStore& store,
                            const StudyHooks& hooks);

}  // namespace scalemark::study
