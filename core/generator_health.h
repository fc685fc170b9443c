// How the generator itself fared: what tells a slow server from a slow generator. Plain data.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/histogram.h"

namespace scalemark {

/// One generator thread.
struct ThreadHealth {
  std::uint32_t worker = 0;     ///< its number, from 0
  double cpu_seconds = 0;       ///< user + system, over the iteration
  double window_cpu_share = 0;  ///< CPU time / wall time over the window, 0..1
  friend auto operator<=>(const ThreadHealth&, const ThreadHealth&) = default;
};

struct GeneratorFigures {
  Histogram lag;                  ///< us that a pacing timer fired after it was due, in the window
  std::uint64_t late_timers = 0;  ///< of these, more than 10 ms late
  double lateness_share = 0;      ///< summed lag / summed connection time of the window: what lateness cost
  std::vector<ThreadHealth> threads;    ///< in the order of their numbers
  std::uint64_t peak_memory_bytes = 0;  ///< of the process, so far
  std::uint64_t descriptors = 0;        ///< most that were open at once (at the window's end)
  std::uint64_t descriptor_limit = 0;
  std::uint64_t ports_available = 0;  ///< ephemeral ports per source address and target
};

}  // namespace scalemark
