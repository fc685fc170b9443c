// Where a study's nodes come from, and where its generator runs.
//
// A provider sets up one point after another and runs trials on it. The study around it decides which
// and how often; tests give it a provider of their own. Used from one thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "study/study_plan.h"

namespace scalemark::study {

class ClusterProvider {
 public:
  virtual ~ClusterProvider() = default;

  /// Makes the cluster what the point asks for and returns where clients go. Every node has answered a
  /// request when it returns. Throws RunError when that cannot be had, or when `stop` was set meanwhile: the
  /// point fails, the study goes on.
  virtual Fronts prepare(const PointSetup& point, const std::atomic<bool>& stop) = 0;

  /// Runs one trial on the point that was prepared last and returns its record with the member `cluster`.
  /// Throws RunError when there is no record: the trial could not begin. `stop` ends it early.
  virtual RunRecord run(const Workload& trial, const std::atomic<bool>& stop) = 0;
};

/// The provider that the plan asks for. An emulated cluster goes down with it. `folder` is where it may put
/// files of its own; `notice` is told what takes long. Throws UsageError or RunError.
[[nodiscard]] std::unique_ptr<ClusterProvider> make_provider(
    const StudyPlan& plan, const std::filesystem::path& folder,
    const std::function<void(const std::string&)>& notice);

}  // namespace scalemark::study
