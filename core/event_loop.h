// The event loop of one worker thread: libevent behind two small owners.
//
// An `EventLoop` and everything attached to it belong to one thread; no locking is compiled in. Timers never
// fire early, are late by the loop's grain, and are cancelled when they go out of scope.
#pragma once

#include <functional>
#include <memory>

#include "core/clock.h"

struct event;
struct event_base;

namespace scalemark {

/// How exactly an event loop's timers fire.
enum class TimerGrain {
  millisecond,  ///< up to a millisecond late: what is due together is done in one turn, which is cheaper
  fine,         ///< within some tens of microseconds, at a system call more per turn
};

class EventLoop {
 public:
  /// Throws RunError when the system refuses (descriptors).
  explicit EventLoop(TimerGrain grain = TimerGrain::millisecond);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  [[nodiscard]] event_base* base() const { return base_; }
  /// Dispatches events until stop().
  void run();
  /// Ends run() after the event at hand.
  void stop();

 private:
  event_base* base_;
};

/// Calls a function once, some time from now; can be set again, also from within the call.
class Timer {
 public:
  Timer(EventLoop& loop, std::function<void()> call);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Fires `delay` from now (at once when not positive), replacing an earlier setting.
  void set(Duration delay);

 private:
  std::function<void()> call_;
  event* event_;
};

}  // namespace scalemark
