// Watches one socket at a time on an event loop, as somebody else decides which and what for.
//
// One event loop, one thread; stays at one address while it watches.
#pragma once

#include <event2/event_struct.h>

struct event_base;

namespace scalemark {

class SocketWatch {
 public:
  using Callback = void (*)(int fd, short what, void* argument);

  SocketWatch(event_base* loop, Callback callback, void* argument)
      : loop_(loop), callback_(callback), argument_(argument) {}
  ~SocketWatch() { off(); }
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  /// Watches `fd` for `what` (EV_READ, EV_WRITE, EV_ET) until told otherwise, and no other socket any more.
  void on(int fd, short what);
  void off();
  /// Like off(), if it is `fd` that is watched.
  void off(int fd);

 private:
  event_base* loop_;
  Callback callback_;
  void* argument_;
  event event_{};
  int fd_ = -1;
  short what_ = 0;
};

}  // namespace scalemark
