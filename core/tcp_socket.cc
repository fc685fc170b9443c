#include "core/tcp_socket.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace scalemark {
namespace {

std::optional<tcp_info> tcp_info_of(int fd) {
  tcp_info info{};
  socklen_t length = sizeof info;
  return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? std::optional(info) : std::nullopt;
}

}  // namespace

int make_tcp_socket(const Address& to, const Address* from, std::uint32_t mss) {
  const int fd = ::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (fd < 0) {
    return -1;
  }
  if (mss != 0) {
    const int value = static_cast<int>(mss);
    ::setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &value, sizeof value);
  }
  if (from != nullptr) {
    // The port is chosen at connect(), so that one port can serve several targets.
    const int on = 1;
    ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (::bind(fd, from->get(), from->length) != 0) {
      const int error = errno;
      ::close(fd);
      errno = error;
      return -1;
    }
  }
  return fd;
}

Outcome outcome_of_connect_error(int error) {
  switch (error) {
    case ECONNREFUSED:
      return Outcome::connect_refused;
    case ETIMEDOUT:
      return Outcome::connect_timeout;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL:
    case EADDRINUSE:
    case EPERM:
    case EACCES:
      return Outcome::local;
    default:
      return Outcome::connect_reset;
  }
}

bool has_hung_up(int fd) {
  pollfd state{fd, POLLRDHUP, 0};
  return ::poll(&state, 1, 0) == 1;
}

bool was_reset(int fd) {
  constexpr int kClosed = 7;  // TCP_CLOSE of <netinet/tcp.h>, which does not go together with <linux/tcp.h>
  const auto info = tcp_info_of(fd);
  return info && info->tcpi_state == kClosed;
}

std::uint32_t tcp_segment_bytes(int fd) {
  int bytes = 0;
  socklen_t length = sizeof bytes;
  const bool known = fd >= 0 && ::getsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &bytes, &length) == 0;
  return known ? static_cast<std::uint32_t>(bytes) : 0;
}

std::uint64_t bytes_received(int fd) {
  const auto info = tcp_info_of(fd);
  return info ? info->tcpi_bytes_received : 0;
}

bool has_unread(int fd) {
  // Not a peek: that would take a pending error away from who reads next.
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

}  // namespace scalemark
