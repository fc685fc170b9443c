// One point of a study: trial after trial until the search, or the list of loads, is through.
//
// The search decides by the trials that were made, those of an earlier, interrupted run among them. A trial
// that others on this machine disturbed is repeated and does not count, unless its repeats were disturbed
// as well. Used from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "study/hooks.h"
#include "study/point.h"
#include "study/provider.h"
#include "study/study_plan.h"
#include "study/study_store.h"

namespace scalemark::study {

/// What the points of a study share; referred to.
struct PointRun {
  const StudyPlan& plan;
  ClusterProvider& provider;
  const StudyStore& store;
  const StudyHooks& hooks;
  std::function<void()> save;  ///< called after every trial
  TrialNews news;              ///< which point of how many
};

/// Takes `result`, fresh or from an earlier run, to its end. Throws StoreError when what was measured cannot
/// be kept, and no other RunError: what keeps the point from being measured is its status `failed`.
/// `expected` is the load that the points so far let expect.
void run_point(PointRun run, PointResult& result, std::optional<double> expected);

}  // namespace scalemark::study
