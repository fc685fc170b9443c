// Time, as everything that measures or decides sees it.
//
// All durations and instants are monotonic nanoseconds; wall time appears only in a record's header. Code
// that decides takes instants as arguments or a `Clock&`, so that tests run it with a `ManualClock` and no
// test ever waits. `SteadyClock` is stateless and may be used from any thread; `ManualClock` belongs to one.
#pragma once

#include <chrono>
#include <string>

namespace scalemark {

using Duration = std::chrono::nanoseconds;

/// An instant on the monotonic clock: nanoseconds since an arbitrary origin, comparable within one machine.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// The one door to the time of day.
class Clock {
 public:
  virtual ~Clock() = default;
  /// The present instant. Never goes back.
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The machine's CLOCK_MONOTONIC.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

/// A clock that stands still until it is told to move.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  void advance(Duration by) { now_ += by; }
  void set(TimePoint to) { now_ = to; }

 private:
  TimePoint now_{};
};

/// Seconds as a real number, for rates and for what people read.
[[nodiscard]] constexpr double to_seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Nearest whole nanosecond; the inverse of to_seconds().
[[nodiscard]] Duration from_seconds(double seconds);

/// The resolution that the system states for its monotonic clock.
[[nodiscard]] Duration clock_resolution();

/// UTC wall time as "2026-01-31T12:00:00Z", for a record's header only.
[[nodiscard]] std::string utc_now();

}  // namespace scalemark
