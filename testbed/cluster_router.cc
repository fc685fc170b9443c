#include "testbed/cluster_router.h"

#include "core/process_limits.h"
#include "testbed/network.h"
#include "testbed/process.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kProxyAnswersWithin = std::chrono::seconds(5);

std::vector<NodePlace> places(const Topology& topology, std::uint32_t first, std::uint32_t last) {
  std::vector<NodePlace> nodes;
  for (std::uint32_t i = first; i <= last; ++i) {
    nodes.push_back(topology.node(i));
  }
  return nodes;
}

Dispatch dispatch_of(const Topology& topology, NodeSplit split) {
  Dispatch dispatch;
  dispatch.vip = topology.vip;
  dispatch.router_mac = topology.router_mac;
  dispatch.port = kServicePort;
  dispatch.active = places(topology, 1, split.active);
  dispatch.draining = places(topology, split.active + 1, split.known);
  return dispatch;
}

std::filesystem::path router_folder(const ClusterPlan& plan) {
  return cluster_folder(plan.name) / "router";
}

void run_all(const std::vector<std::vector<std::string>>& commands, const std::string& netns) {
  for (const auto& command : commands) {
    run_or_throw(command, netns);
  }
}

void tell_nft(const std::string& rules, const std::string& netns) {
  run_or_throw({"nft", "-f", "-"}, netns, rules);
}

}  // namespace

std::optional<ServiceSetup> router_service(const ClusterPlan& plan, const Topology& topology) {
  if (plan.router != RouterKind::haproxy) {
    return std::nullopt;
  }
  return setup_haproxy(dispatch_of(topology, {plan.nodes, plan.nodes}), places(topology, 1, kMostNodes),
                       haproxy_connections(descriptor_ceiling()), router_folder(plan),
                       find_program("haproxy"));
}

void set_up_router(const ClusterState& state, const Topology& topology, std::uint32_t nodes) {
  const ClusterPlan& plan = state.plan;
  if (plan.router != RouterKind::dsr && plan.router != RouterKind::nat) {
    return;
  }
  const Dispatch dispatch = dispatch_of(topology, {nodes, nodes});
  if (state.forwarding == Forwarding::ipvs) {
    run_all(ipvs_rules(plan.router, plan.spread, dispatch), topology.router_ns);
  } else {
    tell_nft(plan.router == RouterKind::dsr ? dsr_rules(plan.spread, dispatch) : nat_rules(dispatch),
             topology.router_ns);
  }
  apply_settings(topology.router_ns, router_settings(plan.router));  // some exist only now
}

void change_router(const ClusterState& state, const Topology& topology, NodeSplit before, NodeSplit after) {
  const ClusterPlan& plan = state.plan;
  const Dispatch dispatch = dispatch_of(topology, after);
  if (plan.router == RouterKind::none) {
    return;
  }
  if (plan.router == RouterKind::haproxy) {
    tell_haproxy(haproxy_socket(router_folder(plan)),
                 haproxy_change(dispatch, places(topology, 1, kMostNodes)), kProxyAnswersWithin);
  } else if (state.forwarding == Forwarding::ipvs) {
    run_all(ipvs_change(plan.router, dispatch_of(topology, before), dispatch), topology.router_ns);
  } else {
    tell_nft(plan.router == RouterKind::dsr ? dsr_change(plan.spread, dispatch) : nat_change(dispatch),
             topology.router_ns);
  }
}

}  // namespace scalemark::testbed
