#include "core/socket_watch.h"

#include <event2/event.h>

namespace scalemark {

void SocketWatch::on(int fd, short what) {
  if (fd_ == fd && what_ == what) {
    return;
  }
  off();
  event_assign(&event_, loop_, fd, static_cast<short>(what | EV_PERSIST), callback_, argument_);
  event_add(&event_, nullptr);
  fd_ = fd;
  what_ = what;
}

void SocketWatch::off() {
  if (fd_ >= 0) {
    event_del(&event_);
    fd_ = -1;
  }
}

void SocketWatch::off(int fd) {
  if (fd_ == fd) {
    off();
  }
}

}  // namespace scalemark
