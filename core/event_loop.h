// The event loop of one worker thread: libevent behind a few small owners.
//
// An `EventLoop` and everything attached to it belong to one thread; no locking is compiled in. Timers are
// cancelled when they go out of scope. An exception from a timer's call ends the loop and comes out of run():
// none travels through libevent's own frames.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "core/clock.h"

struct event;
struct event_base;

namespace scalemark {

class EventLoop {
 public:
  /// Throws RunError when the system refuses (descriptors).
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  [[nodiscard]] event_base* base() const { return base_; }
  /// Dispatches events until stop(). Throws what a guarded call threw.
  void run();
  /// Ends run() after the event at hand.
  void stop();
  /// Makes a call; if it throws, ends run(), which throws the same again.
  void guard(const std::function<void()>& call) noexcept;

 private:
  event_base* base_;
  std::exception_ptr fault_;
};

/// Calls a function once, about some time from now; can be set again, also from within the call. Cheap, and
/// as coarse as libevent's clock: up to two kernel ticks (8 ms) early or late. For what must be exact:
/// ExactTimer.
class Timer {
 public:
  Timer(EventLoop& loop, std::function<void()> call);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Fires `delay` from now (at once when not positive), replacing an earlier setting.
  void set(Duration delay);

 private:
  EventLoop& loop_;
  std::function<void()> call_;
  event* event_;
};

/// Calls a function at an instant, never before; can be set again, also from within the call. Holds a
/// descriptor (a timerfd), so it is for the few timers of a worker, not for one per user.
class ExactTimer {
 public:
  /// The instant is rounded up to a multiple of `grain`, so that what is due within one grain is done in one
  /// turn of the loop, which is cheaper. Throws RunError when no descriptor is left.
  ExactTimer(EventLoop& loop, Duration grain, std::function<void()> call);
  ~ExactTimer();
  ExactTimer(const ExactTimer&) = delete;
  ExactTimer& operator=(const ExactTimer&) = delete;

  /// Fires at `at` of the steady clock (at once when that is over), replacing an earlier setting.
  void set(TimePoint at);

 private:
  EventLoop& loop_;
  std::function<void()> call_;
  Duration grain_;
  int descriptor_;
  event* event_;
};

}  // namespace scalemark
