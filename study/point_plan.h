// What one point of a study asks for: its cluster, and the run of each of its trials.
//
// The study's own tables with the point's variant laid over them. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study/study_plan.h"
#include "study/workload.h"
#include "testbed/cluster_plan.h"

namespace scalemark::study {

/// The workload of a point. Throws UsageError when there is no such variant, or a setting has no such value.
[[nodiscard]] AnyWorkload workload_of(const StudyPlan& plan, const PointSetup& point);

/// One trial of it: with that load in all on `fronts`, probing or as the workload says.
[[nodiscard]] AnyWorkload trial_of(const StudyPlan& plan, const PointSetup& point, std::uint32_t load,
                                   bool probing, const Fronts& fronts);

/// The emulated cluster of a point. Throws UsageError likewise, and for a router that there is not.
[[nodiscard]] testbed::ClusterPlan cluster_of(const StudyPlan& plan, const PointSetup& point);

/// Settings of a cluster that every point has its own of.
[[nodiscard]] std::vector<std::string> point_settings(testbed::ServiceKind service);

}  // namespace scalemark::study
