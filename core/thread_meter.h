// How busy the calling thread is: over an iteration, and over its window. Belongs to the thread that it
// measures.
#pragma once

#include "core/clock.h"
#include "core/generator_health.h"

namespace scalemark {

class ThreadMeter {
 public:
  explicit ThreadMeter(const Clock& clock) : clock_(clock) {}

  /// The iteration begins.
  void begin();
  /// To be called now and then, with whether the window is open or was.
  void watch(bool window_open, bool window_closed);
  /// What was measured up to now.
  [[nodiscard]] ThreadHealth health(std::uint32_t worker) const;

 private:
  const Clock& clock_;
  Duration cpu_at_begin_{};
  Duration cpu_at_open_{};
  TimePoint opened_at_{};
  bool noted_open_ = false;
  bool noted_close_ = false;
  double window_cpu_share_ = 0;
};

}  // namespace scalemark
