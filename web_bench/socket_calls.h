// The few questions that are asked of a TCP socket beside reading and writing it. Thread-safe.
#pragma once

#include <cstdint>

#include "web_bench/target.h"

namespace scalemark::web {

/// A non-blocking TCP socket that can be connected to `to`, bound to `from` unless that is null, with a
/// maximum segment size unless that is 0. -1 with errno when this machine gives none.
[[nodiscard]] int make_tcp_socket(const Address& to, const Address* from, std::uint32_t mss);

/// Whether the peer has closed or reset the connection; unread bytes before its end do not matter.
[[nodiscard]] bool has_hung_up(int fd);

/// Whether the connection ended by a reset rather than by a close in good order.
[[nodiscard]] bool was_reset(int fd);

/// Bytes that came in over the connection's life, unread ones included; a FIN counts as one.
[[nodiscard]] std::uint64_t bytes_received(int fd);

/// Maximum segment size of a connection in bytes; 0 when there is none.
[[nodiscard]] std::uint32_t tcp_segment_bytes(int fd);

/// Whether there are bytes to read.
[[nodiscard]] bool has_unread(int fd);

}  // namespace scalemark::web
