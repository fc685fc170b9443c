// Loopback sockets for tests: an owned descriptor, an endpoint, and two ports that nobody serves.
//
// Everything throws std::system_error when the system refuses, so that a test fails where the trouble is.
// Objects belong to one thread; endpoints are plain data.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scalemark::test_support {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// Throws std::system_error with errno and `what` unless `result` is a success (not negative).
int checked(int result, const char* what);

enum class Loopback : std::uint8_t { v4, v6 };

/// Where a test's socket is bound or connected to.
struct Endpoint {
  sockaddr_storage storage{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  [[nodiscard]] std::uint16_t port() const;
  /// "127.0.0.1" or "::1", without port and brackets.
  [[nodiscard]] std::string host() const;
};

/// An endpoint from a numeric IPv4 or IPv6 address. Sends nothing anywhere.
[[nodiscard]] Endpoint endpoint_at(const std::string& address, std::uint16_t port);

/// A TCP socket bound to a free loopback port, not listening yet.
[[nodiscard]] Descriptor bind_loopback(Loopback family);
/// What a socket is bound to, and what it is connected to.
[[nodiscard]] Endpoint local_endpoint(const Descriptor& socket);
[[nodiscard]] Endpoint remote_endpoint(const Descriptor& socket);

/// A port that refuses every connection: bound, so that nobody else gets it, but not listening.
class RefusedPort {
 public:
  explicit RefusedPort(Loopback family = Loopback::v4);
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  Descriptor socket_;
  Endpoint endpoint_;
};

/// A port on which a connection is neither made nor refused: it listens, never accepts, and its queue of
/// connections to accept is full, so that the system drops every further SYN.
class FullBacklogPort {
 public:
  explicit FullBacklogPort(Loopback family = Loopback::v4);
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  Descriptor listener_;
  Endpoint endpoint_;
  std::vector<Descriptor> fillers_;
};

}  // namespace scalemark::test_support
