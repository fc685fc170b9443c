#include "testbed/listen_socket.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "core/address.h"
#include "core/error.h"

namespace scalemark::testbed {
namespace {

constexpr int kBacklog = 4096;

Address address_to_listen_at(const std::string& text) {
  const auto parts = split_host_and_port(text);
  const auto address = parts ? numeric_address(parts->host, parts->port) : std::nullopt;
  if (!address) {
    throw UsageError(fmt::format(
        "'{}' is no address to listen at; write a numeric address and a port, as in 127.0.0.1:8080 or "
        "[::1]:8080",
        text));
  }
  return *address;
}

[[noreturn]] void refuse(int error, const std::string& text) {
  switch (error) {
    case EADDRINUSE:
      throw RunError(fmt::format(
          "cannot listen at {}: the port is in use; stop what uses it or choose another port", text));
    case EADDRNOTAVAIL:
      throw UsageError(fmt::format(
          "cannot listen at {}: no interface of this machine has that address; 'ip address' lists them",
          text));
    case EACCES:
      throw UsageError(
          fmt::format("cannot listen at {}: ports below 1024 need privileges; choose a higher port", text));
    case EMFILE:
    case ENFILE:
      throw RunError(fmt::format("cannot listen at {}: no descriptors left; raise 'ulimit -n'", text));
    default:
      throw RunError(fmt::format("cannot listen at {}: {}; try another address or port", text,
                                 std::generic_category().message(error)));
  }
}

std::string bound_address(int descriptor) {
  Address bound;
  bound.length = sizeof bound.storage;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound.storage), &bound.length);
  return bound.text();
}

}  // namespace

ListenSocket open_listen_socket(const std::string& text) {
  const Address address = address_to_listen_at(text);
  const int descriptor = ::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) {
    refuse(errno, text);
  }
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Accepted sockets inherit it: a response that leaves in pieces must not wait for acknowledgements.
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (address.family() == AF_INET6) {
    ::setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  if (::bind(descriptor, address.get(), address.length) != 0 || ::listen(descriptor, kBacklog) != 0) {
    const int error = errno;
    ::close(descriptor);
    refuse(error, text);
  }
  return {descriptor, bound_address(descriptor)};
}

}  // namespace scalemark::testbed
