// Where the requests go: a base URL and the address that it was resolved to.
//
// Names are looked up once, before any load, so that a run measures a server and not a resolver; the address
// in use is part of the record. Immutable after construction; shared by threads.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace scalemark::web {

/// An IPv4 or IPv6 address with a port, ready for connect() and bind().
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  [[nodiscard]] int family() const { return storage.ss_family; }
  /// "10.0.0.1:80" or "[::1]:80".
  [[nodiscard]] std::string text() const;
};

struct Target {
  std::string url;     ///< as given
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< name or address, IPv6 without brackets
  std::uint16_t port = 80;
  std::string base_path;    ///< begins and ends with '/': an item's path is appended to it
  std::string host_header;  ///< host, in brackets for IPv6, with ":port" unless it is the scheme's own
  Address address;          ///< the first address that the name resolved to
};

/// Parses and resolves. Throws UsageError for a bad URL (query, fragment, user name, unknown scheme) and
/// RunError when the name does not resolve.
[[nodiscard]] std::vector<Target> resolve_targets(const std::vector<std::string>& urls);

/// Local addresses (port 0) from texts such as "10.0.0.2", "10.0.0.2-10.0.0.20", "fd00::1-fd00::8". Throws
/// UsageError for a bad text, an empty or huge (> 65,536) range; checks by bind() that each is local.
[[nodiscard]] std::vector<Address> bind_addresses(const std::vector<std::string>& texts);

}  // namespace scalemark::web
