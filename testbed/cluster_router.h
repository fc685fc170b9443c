// The router of a cluster that stands: set up, and told of other nodes while connections go on.
//
// Brings together what testbed/dispatcher.h says and who does it: the kernel, told by nft or ipvsadm in the
// router's namespace, or a proxy. All throw RunError with the program's own words.
#pragma once

#include <optional>

#include "testbed/cluster_state.h"
#include "testbed/dispatcher.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// New connections go to nodes 1 to `active`; nodes after them up to `known` keep what they have.
struct NodeSplit {
  std::uint32_t active = 1;
  std::uint32_t known = 1;
};

/// The proxy to start; none where the kernel routes.
[[nodiscard]] std::optional<ServiceSetup> router_service(const ClusterPlan& plan, const Topology& topology);
/// Kernel routers: tells the kernel, for the first time. A proxy needs to have been started only.
void set_up_router(const ClusterState& state, const Topology& topology, std::uint32_t nodes);
void change_router(const ClusterState& state, const Topology& topology, NodeSplit before, NodeSplit after);

}  // namespace scalemark::testbed
