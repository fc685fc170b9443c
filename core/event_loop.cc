#include "core/event_loop.h"

#include <event2/event.h>

#include <algorithm>

#include "core/error.h"

namespace scalemark {

EventLoop::EventLoop(TimerGrain grain) : base_(nullptr) {
  event_config* config = event_config_new();
  if (config != nullptr) {
    // One thread owns the loop, and descriptors are never duplicated: no locks, and changes go to epoll in
    // batches, where an add and a delete of the same turn cancel out. A cached time would let timers that
    // are set late in a busy turn fire early.
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
    event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
    if (grain == TimerGrain::fine) {
      event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    }
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
}

void EventLoop::stop() {
  event_base_loopbreak(base_);
}

Timer::Timer(EventLoop& loop, std::function<void()> call) : call_(std::move(call)), event_(nullptr) {
  event_ = event_new(
      loop.base(), -1, 0, [](int, short, void* self) { static_cast<Timer*>(self)->call_(); }, this);
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

}  // namespace scalemark
