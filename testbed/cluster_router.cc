#include "testbed/cluster_router.h"

#include "core/process_limits.h"
#include "testbed/network.h"
#include "testbed/process.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kProxyAnswersWithin = std::chrono::seconds(5);

/// Nodes or, where there are such, proxies.
std::vector<NodePlace> targets(const ClusterPlan& plan, const Topology& topology, std::uint32_t first,
                               std::uint32_t last) {
  std::vector<NodePlace> places;
  for (std::uint32_t i = first; i <= last; ++i) {
    places.push_back(plan.proxies() > 0 ? topology.proxy(i) : topology.node(i));
  }
  return places;
}

/// All that the router may ever send connections to.
std::vector<NodePlace> possible_targets(const ClusterPlan& plan, const Topology& topology) {
  return targets(plan, topology, 1, plan.proxies() > 0 ? kMostProxies : kMostNodes);
}

Dispatch dispatch_of(const ClusterPlan& plan, const Topology& topology, const Service& service,
                     NodeSplit split) {
  if (plan.proxies() > 0) {
    split = {plan.proxies(), plan.proxies()};
  }
  Dispatch dispatch;
  dispatch.vip = topology.vip;
  dispatch.router_mac = topology.router_mac;
  dispatch.ports = service.ports();
  dispatch.active = targets(plan, topology, 1, split.active);
  dispatch.draining = targets(plan, topology, split.active + 1, split.known);
  return dispatch;
}

std::filesystem::path router_folder(const ClusterPlan& plan) {
  return cluster_folder(plan.name) / kRouterService;
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

std::optional<ServiceProcess> router_service(const ClusterPlan& plan, const Topology& topology,
                                             const Service& service) {
  if (plan.effective_router() != RouterKind::haproxy) {
    return std::nullopt;
  }
  const Dispatch dispatch = dispatch_of(plan, topology, service, {plan.nodes, plan.nodes});
  return ServiceProcess{kRouterService, setup_haproxy(dispatch, possible_targets(plan, topology),
                                                      haproxy_connections(descriptor_ceiling()),
                                                      router_folder(plan), find_program("haproxy"))};
}

void set_up_router(const ClusterState& state, const Topology& topology, const Service& service) {
  const ClusterPlan& plan = state.plan;
  const RouterKind router = plan.effective_router();
  if (router != RouterKind::dsr && router != RouterKind::nat) {
    return;
  }
  const Dispatch dispatch = dispatch_of(plan, topology, service, {plan.nodes, plan.nodes});
  if (state.forwarding == Forwarding::ipvs) {
    run_all(ipvs_rules(router, plan.spread, dispatch), topology.router_ns);
  } else {
    tell_nft(router == RouterKind::dsr ? dsr_rules(plan.spread, dispatch) : nat_rules(dispatch),
             topology.router_ns);
  }
  apply_settings(topology.router_ns, router_settings(router));  // some exist only now
}

void change_router(const ClusterState& state, const Topology& topology, const Service& service,
                   NodeSplit before, NodeSplit after) {
  const ClusterPlan& plan = state.plan;
  const RouterKind router = plan.effective_router();
  if (router == RouterKind::none || plan.proxies() > 0) {
    return;
  }
  const Dispatch dispatch = dispatch_of(plan, topology, service, after);
  if (router == RouterKind::haproxy) {
    tell_haproxy(haproxy_socket(router_folder(plan)),
                 haproxy_change(dispatch, possible_targets(plan, topology)), kProxyAnswersWithin);
  } else if (state.forwarding == Forwarding::ipvs) {
    run_all(ipvs_change(router, dispatch_of(plan, topology, service, before), dispatch), topology.router_ns);
  } else {
    tell_nft(router == RouterKind::dsr ? dsr_change(plan.spread, dispatch) : nat_change(dispatch),
             topology.router_ns);
  }
}

}  // namespace scalemark::testbed
