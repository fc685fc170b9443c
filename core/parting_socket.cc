#include "core/parting_socket.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace scalemark {
namespace {

// Enough for TLS' farewell and a few stray segments; a peer that goes on sending is cut off.
constexpr int kReads = 8;

}  // namespace

PartingSocket::Found PartingSocket::hold(int fd) {
  close();
  fd_ = fd;
  reads_left_ = kReads;
  char byte = 0;
  const ssize_t seen = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (seen == 0 || (seen < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    close();
    return Found::closed;
  }
  event_assign(&waiting_, loop_, fd_, EV_READ, &PartingSocket::on_readable, this);
  wait();
  return seen > 0 ? Found::bytes : Found::nothing;
}

void PartingSocket::close() {
  if (fd_ < 0) {
    return;
  }
  if (event_initialized(&waiting_) != 0) {
    event_del(&waiting_);
  }
  ::close(fd_);
  fd_ = -1;
}

void PartingSocket::wait() {
  constexpr timeval kLimit{std::chrono::duration_cast<std::chrono::seconds>(kPatience).count(), 0};
  event_add(&waiting_, &kLimit);
}

void PartingSocket::on_readable(int /*fd*/, short what, void* self) {
  auto& parting = *static_cast<PartingSocket*>(self);
  if ((what & EV_TIMEOUT) != 0 || parting.drain()) {
    parting.close();
  } else {
    parting.wait();
  }
}

bool PartingSocket::drain() {
  std::array<char, 4096> waste;
  const ssize_t got = ::recv(fd_, waste.data(), waste.size(), MSG_DONTWAIT);
  if (got < 0) {
    return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
  }
  return got == 0 || --reads_left_ == 0;
}

}  // namespace scalemark
