// What this machine lets a run have: descriptors, ephemeral ports, memory.
//
// The functions look at (and, where said, change) the limits of the whole process. Not thread-safe against
// others that change limits.
#pragma once

#include <cstdint>

#include "web_bench/web_plan.h"

namespace scalemark::web {

/// Descriptors that a plan needs, with some to spare for the program itself.
[[nodiscard]] std::uint64_t descriptors_needed(const WebPlan& plan);
/// Raises the soft descriptor limit to `needed`, and the hard one where allowed. Returns the soft limit.
std::uint64_t raise_descriptor_limit(std::uint64_t needed);
/// Descriptors open at the moment.
[[nodiscard]] std::uint64_t open_descriptors();

/// Ephemeral ports that one source address has towards one target.
[[nodiscard]] std::uint64_t ephemeral_ports();

/// Largest resident size of the process so far, in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace scalemark::web
