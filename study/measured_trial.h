// A trial with a meter beside it: what the cluster's parts did while the generator ran.
//
// Snapshots of all counters are taken twice a second; what they said when a window opened and closed is
// interpolated, and the differences become the record's member `cluster`. Used from one thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "study/workload.h"
#include "testbed/cluster_meter.h"
#include "testbed/counters.h"

namespace scalemark::study {

struct TrialSetup {
  AnyWorkload workload;
  std::string netns;             ///< where the generator runs; "": here
  std::filesystem::path folder;  ///< for what the generator says: trial.log, that of the last trial
  testbed::ClusterMeter meter;
  Json description;  ///< of the cluster: the members of `cluster` beside the figures
};

/// Runs the trial. Throws RunError with the generator's own words when it left no record.
[[nodiscard]] RunRecord run_measured(TrialSetup setup, const std::atomic<bool>& stop);

/// The record that a generator printed. Throws RunError when there is none: with the generator's last words
/// in `log`.
[[nodiscard]] RunRecord printed_record(const std::string& output, int exit_code,
                                       const std::filesystem::path& log);

/// The record's member `cluster`: `description`, and the figures over each iteration's window and over all of
/// the snapshots. Pure.
[[nodiscard]] Json cluster_json(Json description, const Json& iterations,
                                const std::vector<testbed::ClusterSnapshot>& snapshots);

}  // namespace scalemark::study
