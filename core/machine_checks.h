// What the preflight of every kind of run looks at on this machine. Raises the process's descriptor limit on
// the way; not thread-safe against others that change limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/preflight_finding.h"

namespace scalemark {

/// Whether the monotonic clock is fine enough.
[[nodiscard]] PreflightFinding check_clock();

/// Descriptors for so many threads and users with `per_user` each, and some for the program itself.
/// `users_name` and `option` are what the refusal calls them: "connections", "--connections".
[[nodiscard]] PreflightFinding check_descriptors(std::uint32_t threads, std::uint32_t users,
                                                 std::uint64_t per_user, const std::string& users_name,
                                                 const std::string& option);

/// Each connection of one source address to one target needs a port of its own, and a port rests for a minute
/// after a connection that the generator closed first. `at_once`: connections at a time per pair of source
/// address and target; `opened_per_second`: new ones, where that is known.
[[nodiscard]] PreflightFinding check_ports(std::uint64_t at_once, std::optional<double> opened_per_second);

}  // namespace scalemark
