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

/// Moves this thread into the client's network for good, runs, and adds what the cluster's parts did. Throws
/// UsageError or RunError as Workload::run() does.
[[nodiscard]] RunRecord run_within(const testbed::Cluster& cluster, const Workload& workload,
                                   const RunHooks& hooks);

}  // namespace scalemark::study
