// From "127.0.0.1:8080" to a listening socket.
#pragma once

#include <string>

#include "core/clock.h"

namespace scalemark::testbed {

/// A bound, listening, non-blocking TCP socket; the owner closes it.
struct ListenSocket {
  int descriptor = -1;
  std::string address;  ///< as really bound: "127.0.0.1:41234", "[::1]:8080"
};

/// How long a server that has no descriptor left waits before it accepts again.
inline constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

/// Listens at `text`: a numeric IPv4 or bracketed IPv6 address, a colon, a port (0: any free one). Throws
/// UsageError when the text is malformed, the address is not this machine's or the port is privileged, and
/// RunError when the port is taken or the system refuses.
[[nodiscard]] ListenSocket open_listen_socket(const std::string& text);

}  // namespace scalemark::testbed
