// The router of a cluster that stands: set up, and told of other nodes while connections go on.
//
// Brings together what testbed/dispatcher.h says and who does it: the kernel, told by nft or ipvsadm in the
// router's namespace, or a proxy. All throw RunError with the program's own words.
#pragma once

#include <optional>

#include "testbed/cluster_state.h"
#include "testbed/dispatcher.h"
#include "testbed/service.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// What the state calls the router's process.
inline constexpr const char* kRouterService = "router";

/// New connections go to nodes 1 to `active`; nodes after them up to `known` keep what they have. (Where
/// there are proxies the router sends to all of them, and knows of no node.)
struct NodeSplit {
  std::uint32_t active = 1;
  std::uint32_t known = 1;
};

/// HAProxy, to be started; none where the kernel routes.
[[nodiscard]] std::optional<ServiceProcess> router_service(const ClusterPlan& plan, const Topology& topology,
                                                           const Service& service);
/// Kernel routers: tells the kernel, for the first time. HAProxy needs to have been started only.
void set_up_router(const ClusterState& state, const Topology& topology, const Service& service);
void change_router(const ClusterState& state, const Topology& topology, const Service& service,
                   NodeSplit before, NodeSplit after);

}  // namespace scalemark::testbed
