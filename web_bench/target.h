// Where the requests go: a base URL and the address that it was resolved to.
//
// Names are looked up once, before any load, so that a run measures a server and not a resolver; the address
// in use is part of the record. Immutable after construction; shared by threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/address.h"

namespace scalemark::web {

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

}  // namespace scalemark::web
