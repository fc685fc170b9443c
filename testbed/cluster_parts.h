// The steps that clusters are made of, changed by and taken down with (testbed/cluster.h puts them together).
//
// Each step that makes something writes the state file first, so that whatever a killed command leaves behind
// is known to be ours. The caller holds the ClusterLock and is inside the holder's namespaces, if there are
// such. All throw RunError with a sentence about what stood in the way.
#pragma once

#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/cluster.h"
#include "testbed/cluster_state.h"
#include "testbed/network.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// How long a server may take from its start to its first answer.
inline constexpr Duration kFirstAnswerWithin = std::chrono::seconds(15);

/// Tells who listens, if anybody does.
void say(const Notice& notice, const std::string& text);

/// Claims these namespaces and makes them. Throws RunError, with nothing made or claimed, when one of that
/// name is there already and not ours.
void make_namespaces(ClusterState& state, const std::vector<std::string>& names);
/// Claims and makes the control groups of these nodes; does nothing without a cap.
void make_cgroups(ClusterState& state, const Topology& topology, NodeRange nodes);
/// Puts the cap on them.
void cap_nodes(const ClusterState& state, const Topology& topology, NodeRange nodes);
/// Starts the nodes' servers, and the router's proxy if `with_router`. They may not answer yet.
void start_services(ClusterState& state, const Topology& topology, NodeRange nodes, bool with_router);

/// Waits until each node answers a real request. A server that has ended is given up at once.
void await_nodes(const ClusterState& state, const Topology& topology, NodeRange nodes, Duration patience);
/// The same through the router; as many requests as nodes, so that each has its turn where there are turns.
void await_router(const ClusterState& state, const Topology& topology, Duration patience);

/// What keeps the cluster from being what the state says: "the server of node 3 has ended"; "" nothing.
[[nodiscard]] std::string damage(const ClusterState& state);

/// Ends and removes nodes, which the router has forgotten.
void remove_nodes(ClusterState& state, const Topology& topology, NodeRange nodes, const Notice& notice);
/// Ends and removes all that the state claims, and the state file. What is of a claimed name but not what was
/// made is left alone, with a notice.
void take_down(ClusterState state, const Notice& notice);

}  // namespace scalemark::testbed
