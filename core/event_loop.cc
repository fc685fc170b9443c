#include "core/event_loop.h"

#include <event2/event.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace scalemark {

EventLoop::EventLoop() : base_(nullptr) {
  event_config* config = event_config_new();
  if (config != nullptr) {
    // One thread owns the loop: no locks. No changelist either: it would take a descriptor out of epoll after
    // it was closed, when the number may be another thread's already.
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    base_ = event_base_new_with_config(config);
    event_config_free(config);
  }
  if (base_ == nullptr) {
    throw RunError("cannot create an event loop: no descriptors or memory left; raise 'ulimit -n'");
  }
}

EventLoop::~EventLoop() {
  event_base_free(base_);
}

void EventLoop::run() {
  event_base_dispatch(base_);
  if (fault_) {
    std::rethrow_exception(std::exchange(fault_, nullptr));
  }
}

void EventLoop::stop() {
  event_base_loopbreak(base_);
}

void EventLoop::guard(const std::function<void()>& call) noexcept {
  try {
    call();
  } catch (...) {
    fault_ = std::current_exception();
    stop();
  }
}

Timer::Timer(EventLoop& loop, std::function<void()> call)
    : loop_(loop), call_(std::move(call)), event_(nullptr) {
  event_ = event_new(
      loop.base(), -1, 0,
      [](int, short, void* self) {
        auto& timer = *static_cast<Timer*>(self);
        timer.loop_.guard(timer.call_);
      },
      this);
  if (event_ == nullptr) {
    throw RunError("cannot create a timer: out of memory");
  }
}

Timer::~Timer() {
  event_free(event_);
}

void Timer::set(Duration delay) {
  const auto micros = std::chrono::ceil<std::chrono::microseconds>(std::max(delay, Duration::zero())).count();
  const timeval wait{micros / 1'000'000, static_cast<suseconds_t>(micros % 1'000'000)};
  event_add(event_, &wait);
}

ExactTimer::ExactTimer(EventLoop& loop, Duration grain, std::function<void()> call)
    : loop_(loop),
      call_(std::move(call)),
      grain_(std::max(grain, Duration(1))),
      descriptor_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
      event_(nullptr) {
  if (descriptor_ < 0) {
    throw RunError("cannot create a timer: no descriptors left; raise 'ulimit -n'");
  }
  // Edge-triggered: each expiry is told once, and nothing has to be read.
  event_ = event_new(
      loop.base(), descriptor_, EV_READ | EV_PERSIST | EV_ET,
      [](int, short, void* self) {
        auto& timer = *static_cast<ExactTimer*>(self);
        timer.loop_.guard(timer.call_);
      },
      this);
  if (event_ == nullptr || event_add(event_, nullptr) != 0) {
    ::close(descriptor_);
    throw RunError("cannot create a timer: out of memory");
  }
}

ExactTimer::~ExactTimer() {
  event_free(event_);
  ::close(descriptor_);
}

void ExactTimer::set(TimePoint at) {
  constexpr Duration kFar = std::chrono::hours(24 * 365 * 100);  // keeps "never" from overflowing
  const auto grains = (std::min(at.time_since_epoch(), kFar) + grain_ - Duration(1)) / grain_;
  const auto nanos = std::max<Duration::rep>((grains * grain_).count(), 1);  // 0 would disarm
  constexpr Duration::rep kSecond = 1'000'000'000;
  itimerspec when{};
  when.it_value.tv_sec = nanos / kSecond;
  when.it_value.tv_nsec = nanos % kSecond;
  ::timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &when, nullptr);
}

}  // namespace scalemark
