// The folder of a study: its record, the record of every trial, and how an interrupted study finds them
// again.
//
//   OUT/study.json             the study's record, written anew after every trial
//   OUT/dsr-4/trial-01.json    the record of a trial
//
// A trial's record is kept as soon as it is made. Two studies must not share a folder: the second is refused.
// Used from one thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_record.h"
#include "study/point.h"
#include "study/study_plan.h"

namespace scalemark::study {

/// What was measured cannot be kept. The sentence names the file and the disk; what was kept before stays.
class StoreError : public RunError {
 public:
  using RunError::RunError;
};

class StudyStore {
 public:
  /// Opens or makes the folder. Throws UsageError when it cannot be written, when another study's results
  /// stand there (the plan differs), or when another process is at work in it.
  StudyStore(std::filesystem::path folder, const StudyPlan& plan);
  ~StudyStore();
  StudyStore(const StudyStore&) = delete;
  StudyStore& operator=(const StudyStore&) = delete;

  /// What is known of a point from an earlier, interrupted study here; a fresh result when nothing is.
  [[nodiscard]] PointResult earlier(const PointSetup& setup) const;
  [[nodiscard]] bool resumed() const { return !earlier_.empty(); }

  /// Keeps the record of a trial and enters its file into `report`. Throws StoreError when it cannot;
  /// likewise below.
  void keep_trial(const PointResult& point, const RunRecord& record, TrialReport& report) const;
  /// Writes the study's record.
  void keep_study(const RunRecord& record) const;
  [[nodiscard]] std::filesystem::path study_file() const { return folder_ / "study.json"; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  void lock();
  void read_earlier(const StudyPlan& plan);
  void keep(const std::filesystem::path& path, const RunRecord& record) const;

  std::filesystem::path folder_;
  std::vector<PointResult> earlier_;
  int lock_ = -1;
};

/// All effective settings of a study: those of its tables, and what its variants have else.
[[nodiscard]] Json plan_json(const StudyPlan& plan);

}  // namespace scalemark::study
