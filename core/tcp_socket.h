// Making a TCP socket, what it means when it does not connect, and the few questions that are asked of one
// beside reading and writing it. Thread-safe.
#pragma once

#include <cstdint>

#include "core/address.h"
#include "core/outcome.h"

namespace scalemark {

/// A non-blocking TCP socket that can be connected to `to`, bound to `from` unless that is null, with a
/// maximum segment size unless that is 0. -1 with errno when this machine gives none.
[[nodiscard]] int make_tcp_socket(const Address& to, const Address* from, std::uint32_t mss);

/// What the errno of a failed connect() or of a pending connection (SO_ERROR) means. Also for a `from` that
/// has no port left. An error that names neither the peer's refusal, its silence nor this machine's want is
/// a connection that cannot be made: connect_reset.
[[nodiscard]] Outcome outcome_of_connect_error(int error);

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

}  // namespace scalemark
