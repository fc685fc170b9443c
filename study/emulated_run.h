// A run of this very process, made from within an emulated cluster's client.
//
// What `scalemark web --testbed NAME` does, and mail. Studies run their trials as processes of their own
// instead (study/measured_trial.h); the record's member `cluster` is the same. Used from one thread.
#pragma once

#include "core/run_hooks.h"
#include "core/run_record.h"
#include "study/workload.h"
#include "testbed/cluster.h"

namespace scalemark::study {

/// Where clients of that cluster go.
[[nodiscard]] Fronts fronts_of(const testbed::Cluster& cluster);

/// The members of a record's `cluster` that say what the cluster is. Pure.
[[nodiscard]] Json description_of(const testbed::ClusterPlan& plan);

/// A cluster of which a part has ended meanwhile is not the one that was to be measured: unless `damage` is
/// "", it and `advice` become the first of the record's reasons, and the run is void. Pure.
void void_if_damaged(const std::string& damage, const std::string& advice, RunRecord& record);

/// Moves this thread into the client's network for good, runs, and adds what the cluster's parts did. Throws
/// UsageError or RunError as Workload::run() does.
[[nodiscard]] RunRecord run_within(const testbed::Cluster& cluster, const Workload& workload,
                                   const RunHooks& hooks);

}  // namespace scalemark::study
