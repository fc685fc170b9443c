#include "tests/support/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace scalemark::test_support {
namespace {

/// Whether the listener's queue holds as many connections as the system will let in.
bool queue_full(const Descriptor& listener) {
  tcp_info info{};
  socklen_t length = sizeof info;
  checked(getsockopt(listener.get(), IPPROTO_TCP, TCP_INFO, &info, &length), "TCP_INFO");
  // For a listening socket Linux reports the queue's length and its limit in these two fields, and drops
  // SYNs once the length exceeds the limit.
  return info.tcpi_unacked > info.tcpi_sacked;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
}

int checked(int result, const char* what) {
  if (result < 0) {
    throw std::system_error(errno, std::generic_category(), what);
  }
  return result;
}

std::uint16_t Endpoint::port() const {
  if (storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

std::string Endpoint::host() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* from =
      storage.ss_family == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr)
          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr);
  if (inet_ntop(storage.ss_family, from, text.data(), text.size()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "inet_ntop");
  }
  return text.data();
}

Endpoint endpoint_at(const std::string& address, std::uint16_t port) {
  Endpoint endpoint;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&endpoint.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&endpoint.storage);
  if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    endpoint.length = sizeof(sockaddr_in);
  } else if (inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    endpoint.length = sizeof(sockaddr_in6);
  } else {
    throw std::invalid_argument("not a numeric address: " + address);
  }
  return endpoint;
}

Descriptor bind_loopback(Loopback family) {
  const Endpoint endpoint = endpoint_at(family == Loopback::v6 ? "::1" : "127.0.0.1", 0);
  Descriptor socket(checked(::socket(endpoint.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  checked(bind(socket.get(), endpoint.get(), endpoint.length), "bind");
  return socket;
}

Endpoint local_endpoint(const Descriptor& socket) {
  Endpoint endpoint;
  endpoint.length = sizeof endpoint.storage;
  checked(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&endpoint.storage), &endpoint.length),
          "getsockname");
  return endpoint;
}

Endpoint remote_endpoint(const Descriptor& socket) {
  Endpoint endpoint;
  endpoint.length = sizeof endpoint.storage;
  checked(getpeername(socket.get(), reinterpret_cast<sockaddr*>(&endpoint.storage), &endpoint.length),
          "getpeername");
  return endpoint;
}

RefusedPort::RefusedPort(Loopback family)
    : socket_(bind_loopback(family)), endpoint_(local_endpoint(socket_)) {}

FullBacklogPort::FullBacklogPort(Loopback family)
    : listener_(bind_loopback(family)), endpoint_(local_endpoint(listener_)) {
  checked(listen(listener_.get(), 0), "listen");
  while (!queue_full(listener_)) {
    Descriptor filler(checked(socket(endpoint_.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(connect(filler.get(), endpoint_.get(), endpoint_.length), "connect");
    fillers_.push_back(std::move(filler));
  }
}

}  // namespace scalemark::test_support
