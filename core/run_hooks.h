// What a run of any kind says while it goes on, and how it is told to stop.
//
// Runs print nothing: they hand snapshots and sentences to whoever started them. The calls come from one
// thread, the run's own; the stop flag may be set from any, a signal handler included.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/clock.h"

namespace scalemark {

/// What the live view shows; made from the threads' published snapshots about once a second.
struct Snapshot {
  std::uint32_t iteration = 1;
  std::uint32_t iterations = 1;
  std::string phase;
  Duration elapsed{};                ///< since the run began
  Duration planned{};                ///< what the run takes in all
  std::uint64_t active = 0;          ///< users at work
  std::uint64_t operations = 0;      ///< good, since the iteration began
  std::uint64_t failed = 0;          ///< since the iteration began
  double operations_per_second = 0;  ///< good, over the last second
  double bits_per_second = 0;        ///< over the last second
};

struct RunHooks {
  std::function<void(const Snapshot&)> progress;   ///< may be empty; called from one thread
  std::function<void(const std::string&)> notice;  ///< may be empty; a sentence worth a line
  const std::atomic<bool>* stop = nullptr;         ///< set: end now, with what is known
};

}  // namespace scalemark
