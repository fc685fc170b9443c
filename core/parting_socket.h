// Lets the peer close a connection first.
//
// Of the two ends of a TCP connection the one that closes first keeps the port in TIME_WAIT for a minute. A
// generator that opens thousands of connections a second would run out of ports, so after the last exchange
// of a connection it waits for the server's FIN before it closes its own side - for a while only: a server
// that does not close must not hold our descriptors. Holds one socket at a time. One event loop, one thread.
#pragma once

#include <event2/event_struct.h>

#include "core/clock.h"

struct event_base;

namespace scalemark {

class PartingSocket {
 public:
  /// How long the peer may take; then we close.
  static constexpr Duration kPatience = std::chrono::seconds(1);

  explicit PartingSocket(event_base* loop) : loop_(loop) {}
  /// Closes what is held.
  ~PartingSocket() { close(); }
  PartingSocket(const PartingSocket&) = delete;
  PartingSocket& operator=(const PartingSocket&) = delete;

  /// What a socket had to say when it was handed over.
  enum class Found {
    nothing,  ///< held until its peer closes
    closed,   ///< the peer had closed or reset it: closed at once
    bytes,    ///< unread bytes: held all the same, they are thrown away
  };
  /// Takes over a non-blocking socket; the one that was held before is closed.
  Found hold(int fd);
  void close();

 private:
  static void on_readable(int fd, short what, void* self);
  /// Throws away what has come. Returns whether the socket needs no more waiting.
  bool drain();
  void wait();

  event_base* loop_;
  event waiting_{};
  int fd_ = -1;
  int reads_left_ = 0;
};

}  // namespace scalemark
