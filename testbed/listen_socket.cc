#include "testbed/listen_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include "core/error.h"
#include "core/units.h"

namespace scalemark::testbed {
namespace {

constexpr int kBacklog = 4096;

using AddressInfo = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

AddressInfo parse_address(const std::string& text) {
  const auto malformed = [&text] {
    return UsageError(fmt::format(
        "'{}' is no address to listen at; write a numeric address and a port, as in 127.0.0.1:8080 or "
        "[::1]:8080",
        text));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    throw malformed();
  }
  std::string host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
  }
  if (host.empty() || bracketed != (host.find(':') != std::string::npos)) {
    throw malformed();
  }
  const auto port = parse_count(text.substr(colon + 1), "port", 0, 65535);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  addrinfo* list = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list) != 0) {
    throw malformed();
  }
  return {list, &::freeaddrinfo};
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
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &size);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  ::getnameinfo(reinterpret_cast<sockaddr*>(&bound), size, host.data(), host.size(), port.data(), port.size(),
                NI_NUMERICHOST | NI_NUMERICSERV);
  return host_and_port(host.data(), port.data());
}

}  // namespace

std::string host_and_port(std::string_view host, std::string_view port) {
  const bool bracketed = host.find(':') != std::string_view::npos;
  return fmt::format("{}{}{}:{}", bracketed ? "[" : "", host, bracketed ? "]" : "", port);
}

ListenSocket open_listen_socket(const std::string& text) {
  const AddressInfo info = parse_address(text);
  const int descriptor =
      ::socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, info->ai_protocol);
  if (descriptor < 0) {
    refuse(errno, text);
  }
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Accepted sockets inherit it: a response that leaves in pieces must not wait for acknowledgements.
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (info->ai_family == AF_INET6) {
    ::setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  if (::bind(descriptor, info->ai_addr, info->ai_addrlen) != 0 || ::listen(descriptor, kBacklog) != 0) {
    const int error = errno;
    ::close(descriptor);
    refuse(error, text);
  }
  return {descriptor, bound_address(descriptor)};
}

}  // namespace scalemark::testbed
