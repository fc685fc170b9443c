#include "web_bench/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/machine_checks.h"
#include "web_bench/probe.h"
#include "web_bench/transports.h"
#include "web_bench/user.h"

namespace scalemark::web {
namespace {

using Level = PreflightFinding::Level;

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

PreflightFinding check_ports(const WebPlan& plan, const Prepared& prepared) {
  // User i has target i mod T and source i mod S: the pairs in use are lcm(T, S), at least the larger.
  const std::uint64_t pairs = std::max({std::size_t{1}, prepared.targets.size(), prepared.bind.size()});
  const std::uint64_t at_once = (plan.connections + pairs - 1) / pairs;
  return scalemark::check_ports(at_once,
                                opened_per_second(plan, prepared.source.get(), static_cast<double>(at_once)));
}

PreflightFinding check_descriptors(const WebPlan& plan) {
  return scalemark::check_descriptors(plan.threads, plan.connections,
                                      plan.engine == Engine::curl ? kCurlDescriptorsPerUser : 1,
                                      "connections", "--connections");
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
