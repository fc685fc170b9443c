// The only two things that pass between a worker under load and the rest of the process.
//
// A worker publishes counters for the live view, and is told when to end early. Both are atomic and may be
// used from any thread; nobody ever looks at a worker's own books while it works.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/clock.h"

namespace scalemark {

/// What a worker publishes about ten times a second for the live view; all since the iteration began.
struct LiveCounters {
  std::atomic<std::uint64_t> good{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> wire_bytes{0};
  std::atomic<std::uint64_t> active{0};
};

/// Tells all workers to end the iteration at the same instant.
class CutSignal {
 public:
  void set(TimePoint at) { at_.store(at.time_since_epoch().count(), std::memory_order_relaxed); }
  /// The instant, or TimePoint::max() when nobody asked.
  [[nodiscard]] TimePoint get() const { return TimePoint(Duration(at_.load(std::memory_order_relaxed))); }

 private:
  std::atomic<Duration::rep> at_{Duration::max().count()};
};

}  // namespace scalemark
