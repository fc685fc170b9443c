#include "web_bench/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/process_limits.h"
#include "core/units.h"
#include "web_bench/probe.h"
#include "web_bench/transports.h"
#include "web_bench/user.h"

namespace scalemark::web {
namespace {

using Level = PreflightFinding::Level;

// Standard streams, libraries, the record, and per thread an epoll descriptor and a few more.
constexpr std::uint64_t kOwnDescriptors = 64;
constexpr std::uint64_t kDescriptorsPerThread = 8;

PreflightFinding check_clock() {
  const Duration resolution = clock_resolution();
  const bool fine = resolution <= std::chrono::microseconds(100);
  return {fine ? Level::ok : Level::warning, "clock",
          fmt::format("the monotonic clock counts in steps of {}{}", human_duration(resolution),
                      fine ? "" : ": short times will be coarse")};
}

/// Descriptors that a plan needs, with some to spare for the program itself.
std::uint64_t descriptors_needed(const WebPlan& plan) {
  const std::uint64_t per_user = plan.engine == Engine::curl ? kCurlDescriptorsPerUser : 1;
  return kOwnDescriptors + plan.threads * kDescriptorsPerThread + plan.connections * per_user;
}

PreflightFinding check_descriptors(const WebPlan& plan) {
  const std::uint64_t needed = descriptors_needed(plan);
  const std::uint64_t limit = raise_descriptor_limit(needed);
  if (limit >= needed) {
    return {Level::ok, "descriptors", fmt::format("{} needed, {} allowed", needed, limit)};
  }
  return {Level::refuse, "descriptors",
          fmt::format("{} connections need {} descriptors, but only {} are allowed: raise the hard limit "
                      "('ulimit -Hn', or LimitNOFILE= of the service) or lower --connections",
                      plan.connections, needed, limit)};
}

/// TCP connections that a pair of source address and target opens in a second at the full line rate.
/// Nothing when the sizes are unknown.
std::optional<double> opened_per_second(const WebPlan& plan, const RequestSource* source,
                                        double connections) {
  const auto mean = source == nullptr ? std::nullopt : source->mean_bytes();
  if (!mean || *mean <= 0) {
    return std::nullopt;
  }
  const KeepAlivePlan keep_alive(plan.persistent_share, plan.requests_per_connection_min,
                                 plan.requests_per_connection_max);
  return connections * plan.line_speed.value / (*mean * 8) / keep_alive.mean_requests();
}

/// Each connection of one source address to one target needs a port of its own, and a port rests for a
/// minute after a connection that the generator closed first.
PreflightFinding check_ports(const WebPlan& plan, const Prepared& prepared) {
  constexpr double kTimeWaitSeconds = 60;
  const std::uint64_t ports = ephemeral_ports();
  // User i has target i mod T and source i mod S: the pairs in use are lcm(T, S), at least the larger.
  const std::uint64_t pairs = std::max({std::size_t{1}, prepared.targets.size(), prepared.bind.size()});
  const std::uint64_t at_once = (plan.connections + pairs - 1) / pairs;
  if (at_once > ports) {
    return {Level::refuse, "ports",
            fmt::format("{} connections per source address and target need as many ephemeral ports, but only "
                        "{} exist: widen net.ipv4.ip_local_port_range, or give more --bind addresses",
                        at_once, ports)};
  }
  const auto opened = opened_per_second(plan, prepared.source.get(), static_cast<double>(at_once));
  const bool many = opened && *opened * kTimeWaitSeconds > static_cast<double>(ports);
  return {many ? Level::warning : Level::ok, "ports",
          fmt::format("{} ephemeral ports; {} connections at once{} per source address and target{}", ports,
                      at_once, opened ? fmt::format(" and about {:.0f} new ones a second", *opened) : "",
                      many ? ": enough as long as the server closes first; otherwise set "
                             "net.ipv4.tcp_tw_reuse=1 or give more --bind addresses"
                           : "")};
}

/// One request per class, or up to 16 of a list of URLs.
PreflightFinding check_target(const WebPlan& plan, const Target& target, Prepared& prepared,
                              const std::atomic<bool>* stop) {
  for (const Item item : prepared.source->probes()) {
    const ProbeResult result = probe(target, prepared.bind, *prepared.source, item, plan, stop);
    if (result.fault) {
      return {Level::refuse, "target", *result.fault};
    }
    prepared.mss = prepared.mss == 0 ? result.mss : prepared.mss;
  }
  return {Level::ok, "target",
          fmt::format("{} ({}) gave {} probes byte for byte", target.url, target.address.text(),
                      prepared.source->probes().size())};
}

}  // namespace

Prepared prepare(const WebPlan& plan, const std::atomic<bool>* stop) {
  Prepared prepared;
  prepared.bind = bind_addresses(plan.bind);
  if (!plan.urls.empty()) {
    prepared.source = make_request_source(plan);
    prepared.targets = resolve_targets(plan.urls);
  }
  prepared.findings = {check_clock(), check_descriptors(plan), check_ports(plan, prepared)};
  for (const Target& target : prepared.targets) {
    prepared.findings.push_back(check_target(plan, target, prepared, stop));
  }
  return prepared;
}

std::vector<PreflightFinding> preflight(const WebPlan& plan) {
  return prepare(plan).findings;
}

}  // namespace scalemark::web
