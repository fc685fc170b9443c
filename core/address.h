// Internet addresses: from texts and names, and back to texts.
//
// Names are looked up when asked for, never behind the caller's back, so that a benchmark can do so once and
// before any load. Addresses are plain data; the functions are thread-safe.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalemark {

/// An IPv4 or IPv6 address with a port, ready for connect() and bind().
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  [[nodiscard]] int family() const { return storage.ss_family; }
  /// In figures, without port and brackets: "10.0.0.1" or "::1".
  [[nodiscard]] std::string host() const;
  [[nodiscard]] std::uint16_t port() const;
  /// "10.0.0.1:80" or "[::1]:80".
  [[nodiscard]] std::string text() const;
};

/// A host, name or address, and a port, as people write them.
struct HostPort {
  std::string host;  ///< IPv6 without brackets
  std::uint16_t port = 0;
};

/// Takes "server:80", "10.0.0.1:80" or "[::1]:80" apart; none when the text has no such form (no colon, no
/// host, IPv6 without brackets or brackets without IPv6). Throws UsageError for a port beyond 0 to 65,535.
[[nodiscard]] std::optional<HostPort> split_host_and_port(std::string_view text);

/// "server:80" or, for an IPv6 host, "[::1]:80".
[[nodiscard]] std::string host_and_port(std::string_view host, std::uint16_t port);

/// The address that a host in figures stands for ("10.0.0.1", "fe80::1%eth0"); none for anything else. Asks
/// no resolver.
[[nodiscard]] std::optional<Address> numeric_address(const std::string& host, std::uint16_t port);

/// The first address that the system gives for a name or an address in figures. May wait for a resolver.
/// Throws RunError when there is none; its sentence says that the host was named in `named_in`, e.g. a URL.
[[nodiscard]] Address resolve_address(const std::string& host, std::uint16_t port, std::string_view named_in);

/// Local addresses (port 0) from texts such as "10.0.0.2", "10.0.0.2-10.0.0.20", "fd00::1-fd00::8". Throws
/// UsageError for a bad text, an empty or huge (> 65,536) range; checks by bind() that each is local.
[[nodiscard]] std::vector<Address> bind_addresses(const std::vector<std::string>& texts);

}  // namespace scalemark
