// How a study tells its caller what goes on, and how the caller ends it early. Hooks are called on the thread
// that runs the study; the stop flag may be set from any, and from a signal handler.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/clock.h"
#include "study/point.h"

namespace scalemark::study {

/// A trial that begins.
struct TrialNews {
  std::uint32_t point = 1;  ///< of `points`, from 1
  std::uint32_t points = 1;
  std::string point_name;   ///< "dsr, 4 nodes"
  std::uint32_t trial = 1;  ///< within the point, from 1
  std::uint32_t load = 0;   ///< connections (users)
  Purpose purpose = Purpose::probe;
  std::string why;     ///< of the search: "half of what failed"
  Duration planned{};  ///< how long it takes
};

struct StudyHooks {
  std::function<void(const TrialNews&)> trial_begins{};   ///< may be empty
  std::function<void(const PointResult&)> trial_ended{};  ///< may be empty; the trial is the point's last
  std::function<void(const PointResult&)> point_ended{};  ///< may be empty
  const std::atomic<bool>* stop = nullptr;                ///< set: end now, with what is known; never null
};

}  // namespace scalemark::study
