#include "core/thread_meter.h"

#include <sys/resource.h>

namespace scalemark {
namespace {

/// User and system time of the calling thread.
Duration thread_cpu() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto of = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace

void ThreadMeter::begin() {
  cpu_at_begin_ = thread_cpu();
}

void ThreadMeter::watch(bool window_open, bool window_closed) {
  if (!noted_open_ && window_open) {
    noted_open_ = true;
    opened_at_ = clock_.now();
    cpu_at_open_ = thread_cpu();
  }
  if (noted_open_ && !noted_close_ && window_closed) {
    noted_close_ = true;
    const double wall = to_seconds(clock_.now() - opened_at_);
    window_cpu_share_ = wall > 0 ? to_seconds(thread_cpu() - cpu_at_open_) / wall : 0;
  }
}

ThreadHealth ThreadMeter::health(std::uint32_t worker) const {
  return {worker, to_seconds(thread_cpu() - cpu_at_begin_), window_cpu_share_};
}

}  // namespace scalemark
