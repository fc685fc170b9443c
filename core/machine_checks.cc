#include "core/machine_checks.h"

#include <fmt/format.h>

#include "core/clock.h"
#include "core/process_limits.h"
#include "core/units.h"

namespace scalemark {
namespace {

using Level = PreflightFinding::Level;

// Standard streams, libraries, the record, and per thread an epoll descriptor and a few more.
constexpr std::uint64_t kOwnDescriptors = 64;
constexpr std::uint64_t kDescriptorsPerThread = 8;

}  // namespace

PreflightFinding check_clock() {
  const Duration resolution = clock_resolution();
  const bool fine = resolution <= std::chrono::microseconds(100);
  return {fine ? Level::ok : Level::warning, "clock",
          fmt::format("the monotonic clock counts in steps of {}{}", human_duration(resolution),
                      fine ? "" : ": short times will be coarse")};
}

PreflightFinding check_descriptors(std::uint32_t threads, std::uint32_t users, std::uint64_t per_user,
                                   const std::string& users_name, const std::string& option) {
  const std::uint64_t needed = kOwnDescriptors + threads * kDescriptorsPerThread + users * per_user;
  const std::uint64_t limit = raise_descriptor_limit(needed);
  if (limit >= needed) {
    return {Level::ok, "descriptors", fmt::format("{} needed, {} allowed", needed, limit)};
  }
  return {Level::refuse, "descriptors",
          fmt::format("{} {} need {} descriptors, but only {} are allowed: raise the hard limit "
                      "('ulimit -Hn', or LimitNOFILE= of the service) or lower {}",
                      users, users_name, needed, limit, option)};
}

PreflightFinding check_ports(std::uint64_t at_once, std::optional<double> opened_per_second) {
  constexpr double kTimeWaitSeconds = 60;
  const std::uint64_t ports = ephemeral_ports();
  if (at_once > ports) {
    return {Level::refuse, "ports",
            fmt::format("{} connections per source address and target need as many ephemeral ports, but only "
                        "{} exist: widen net.ipv4.ip_local_port_range, or give more --bind addresses",
                        at_once, ports)};
  }
  const bool many = opened_per_second && *opened_per_second * kTimeWaitSeconds > static_cast<double>(ports);
  return {many ? Level::warning : Level::ok, "ports",
          fmt::format(
              "{} ephemeral ports; {} connections at once{} per source address and target{}", ports, at_once,
              opened_per_second ? fmt::format(" and about {:.0f} new ones a second", *opened_per_second) : "",
              many ? ": enough as long as the server closes first; otherwise set "
                     "net.ipv4.tcp_tw_reuse=1 or give more --bind addresses"
                   : "")};
}

}  // namespace scalemark
