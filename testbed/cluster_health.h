// Whether a cluster is well: what was started runs, and each part answers a real request.
//
// The caller is inside the holder's namespaces, if there are such. Used from one thread.
#pragma once

#include <string>

#include "core/clock.h"
#include "testbed/cluster_places.h"
#include "testbed/cluster_state.h"
#include "testbed/service.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// How long a server may take from its start to its first answer.
inline constexpr Duration kFirstAnswerWithin = std::chrono::seconds(30);

/// Waits until each node answers a real request, up to `patience` for each. Throws RunError naming the first
/// that does not; one whose process has ended is given up at once.
void await_nodes(const ClusterState& state, const Topology& topology, const Service& service, NodeRange nodes,
                 Duration patience);
/// The same through what stands before the nodes: each proxy, and the router. As many requests as nodes (or
/// proxies), so that each has its turn where there are turns. Nothing to do where clients know the nodes.
void await_fronts(const ClusterState& state, const Topology& topology, const Service& service,
                  Duration patience);

/// What keeps the cluster from being what the state says: "the server of n3 has ended"; "" nothing.
[[nodiscard]] std::string damage(const ClusterState& state);

/// Which of these processes has ended, and what it said last; "" none of them. `processes` are those that
/// were started in the namespace `netns`.
[[nodiscard]] std::string first_ended(const ClusterState& state, const std::string& netns,
                                      const std::vector<ServiceProcess>& processes);

}  // namespace scalemark::testbed
