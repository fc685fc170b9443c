// What this process may have of its machine and what it has: descriptors, ephemeral ports, memory.
//
// The functions look at (and, where said, change) the limits of the whole process. Not thread-safe against
// others that change limits.
#pragma once

#include <cstdint>

namespace scalemark {

/// Descriptors that the process may have open: the soft limit.
[[nodiscard]] std::uint64_t descriptor_limit();
/// How far that limit may be raised without privileges: the hard limit.
[[nodiscard]] std::uint64_t descriptor_ceiling();
/// Raises the soft descriptor limit to `needed`, and the hard one where allowed; lowers none. Returns the
/// soft limit, which is less than `needed` when the system did not allow it.
std::uint64_t raise_descriptor_limit(std::uint64_t needed);
/// Descriptors open at the moment.
[[nodiscard]] std::uint64_t open_descriptors();

/// Ephemeral ports that one source address has towards one target.
[[nodiscard]] std::uint64_t ephemeral_ports();

/// Largest resident size of the process so far, in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace scalemark
