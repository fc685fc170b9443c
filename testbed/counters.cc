#include "testbed/counters.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using Json = nlohmann::ordered_json;

// --- Between two snapshots: `share` of the way from one to the other.

std::uint64_t between(std::uint64_t a, std::uint64_t b, double share) {
  const auto step = static_cast<double>(b > a ? b - a : 0);
  return a + static_cast<std::uint64_t>(std::llround(step * share));
}

Duration between(Duration a, Duration b, double share) {
  const auto step = static_cast<double>(std::max(b - a, Duration::zero()).count());
  return a + Duration(std::llround(step * share));
}

NicCount between(const NicCount& a, const NicCount& b, double share) {
  return {between(a.sent_bytes, b.sent_bytes, share), between(a.received_bytes, b.received_bytes, share)};
}

RequestCount between(const RequestCount& a, const RequestCount& b, double share) {
  return {between(a.requests, b.requests, share), between(a.bytes, b.bytes, share)};
}

QuotaCount between(const QuotaCount& a, const QuotaCount& b, double share) {
  return {between(a.periods, b.periods, share), between(a.throttled, b.throttled, share)};
}

RouterSample between(const RouterSample& a, const RouterSample& b, double share);
MachineSample between(const MachineSample& a, const MachineSample& b, double share);

template <typename T>
std::optional<T> between(const std::optional<T>& a, const std::optional<T>& b, double share) {
  return a && b ? std::optional<T>(between(*a, *b, share)) : std::nullopt;
}

NodeSample between(const NodeSample& a, const NodeSample& b, double share) {
  return {a.name, between(a.requests, b.requests, share), between(a.nic, b.nic, share),
          between(a.cpu, b.cpu, share), between(a.quota, b.quota, share)};
}

RouterSample between(const RouterSample& a, const RouterSample& b, double share) {
  return {between(a.nic, b.nic, share), between(a.cpu, b.cpu, share), between(a.quota, b.quota, share),
          between(a.forwarded_packets, b.forwarded_packets, share)};
}

MachineSample between(const MachineSample& a, const MachineSample& b, double share) {
  return {b.processors, between(a.busy, b.busy, share), between(a.stolen, b.stolen, share),
          between(a.foreign, b.foreign, share)};
}

std::vector<NodeSample> between(const std::vector<NodeSample>& a, const std::vector<NodeSample>& b,
                                double share) {
  std::vector<NodeSample> middle;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    middle.push_back(between(a[i], b[i], share));
  }
  return middle;
}

ClusterSnapshot between(const ClusterSnapshot& a, const ClusterSnapshot& b, TimePoint time) {
  const double share = to_seconds(time - a.at) / to_seconds(b.at - a.at);
  return {.at = time,
          .nodes = between(a.nodes, b.nodes, share),
          .proxies = between(a.proxies, b.proxies, share),
          .router = between(a.router, b.router, share),
          .client = between(a.client, b.client, share),
          .machine = between(a.machine, b.machine, share)};
}

// --- From one snapshot to another, for the record.

Json grown(std::uint64_t from, std::uint64_t to) {
  return to >= from ? Json(to - from) : Json();
}

Json grown(Duration from, Duration to) {
  return to >= from ? Json(to_seconds(to - from)) : Json();
}

/// The growth of one member of a part; null when the part was not read both times.
template <typename Part, typename Member>
Json grown(const std::optional<Part>& from, const std::optional<Part>& to, Member Part::*member) {
  return from && to ? grown((*from).*member, (*to).*member) : Json();
}

template <typename T>
Json grown(const std::optional<T>& from, const std::optional<T>& to) {
  return from && to ? grown(*from, *to) : Json();
}

/// Share of the periods in which the quota was used up; null without a cap, or when nothing wanted to run.
Json throttled_share(const std::optional<QuotaCount>& from, const std::optional<QuotaCount>& to) {
  if (!from || !to || to->periods <= from->periods || to->throttled < from->throttled) {
    return {};
  }
  return static_cast<double>(to->throttled - from->throttled) /
         static_cast<double>(to->periods - from->periods);
}

void add_nic(Json& part, const std::optional<NicCount>& from, const std::optional<NicCount>& to) {
  part["nic_sent_bytes"] = grown(from, to, &NicCount::sent_bytes);
  part["nic_received_bytes"] = grown(from, to, &NicCount::received_bytes);
}

Json node_json(const NodeSample& from, const NodeSample& to) {
  Json node{{"name", to.name}};
  node["requests"] = grown(from.requests, to.requests, &RequestCount::requests);
  node["bytes_served"] = grown(from.requests, to.requests, &RequestCount::bytes);
  add_nic(node, from.nic, to.nic);
  node["cpu_seconds"] = grown(from.cpu, to.cpu);
  node["throttled_share"] = throttled_share(from.quota, to.quota);
  return node;
}

Json nodes_json(const std::vector<NodeSample>& from, const std::vector<NodeSample>& to) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    nodes.push_back(node_json(from[i], to[i]));
  }
  return nodes;
}

Json router_json(const std::optional<RouterSample>& from, const std::optional<RouterSample>& to) {
  if (!from || !to) {
    return {};
  }
  Json router;
  add_nic(router, from->nic, to->nic);
  router["cpu_seconds"] = grown(from->cpu, to->cpu);
  router["throttled_share"] = throttled_share(from->quota, to->quota);
  router["forwarded_packets"] = grown(from->forwarded_packets, to->forwarded_packets);
  return router;
}

Json client_json(const std::optional<NicCount>& from, const std::optional<NicCount>& to) {
  if (!from || !to) {
    return {};
  }
  Json client;
  add_nic(client, from, to);
  return client;
}

Json machine_json(const std::optional<MachineSample>& from, const std::optional<MachineSample>& to) {
  if (!from || !to) {
    return {};
  }
  return {{"processors", to->processors},
          {"busy_cpu_seconds", grown(from->busy, to->busy)},
          {"stolen_cpu_seconds", grown(from->stolen, to->stolen)},
          // Processes' own clocks and the idle time are read one after another: never more than there was.
          {"foreign_cpu_seconds",
           grown(from->foreign, std::min(to->foreign, from->foreign + (to->busy - from->busy)))}};
}

}  // namespace

ClusterSnapshot at(const std::vector<ClusterSnapshot>& snapshots, TimePoint time) {
  if (snapshots.empty()) {
    throw RunError("the cluster's counters were never read");
  }
  const auto later =
      std::lower_bound(snapshots.begin(), snapshots.end(), time,
                       [](const ClusterSnapshot& snapshot, TimePoint t) { return snapshot.at < t; });
  if (later == snapshots.begin()) {
    return snapshots.front();
  }
  if (later == snapshots.end()) {
    return snapshots.back();
  }
  return later->at == time ? *later : between(*(later - 1), *later, time);
}

nlohmann::ordered_json difference_json(const ClusterSnapshot& from, const ClusterSnapshot& to) {
  Json difference{{"seconds", to_seconds(to.at - from.at)}};
  difference["nodes"] = nodes_json(from.nodes, to.nodes);
  if (!to.proxies.empty()) {
    difference["proxies"] = nodes_json(from.proxies, to.proxies);
  }
  difference["router"] = router_json(from.router, to.router);
  difference["client"] = client_json(from.client, to.client);
  difference["machine"] = machine_json(from.machine, to.machine);
  return difference;
}

}  // namespace scalemark::testbed
