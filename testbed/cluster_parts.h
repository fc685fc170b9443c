// The steps that clusters are made of, changed by and taken down with (testbed/cluster.h puts them together).
//
// Each step that makes something writes the state file first, so that whatever a killed command leaves behind
// is known to be ours. The caller holds the ClusterLock and is inside the holder's namespaces, if there are
// such. All throw RunError with a sentence about what stood in the way.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbed/cluster_places.h"
#include "testbed/cluster_state.h"
#include "testbed/service.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// What happens, a line at a time. May throw to give up: what was made so far is taken down again.
using Notice = std::function<void(const std::string&)>;

/// Claims these namespaces and makes them. Throws RunError, with nothing made or claimed, when one of that
/// name is there already and not ours.
void make_namespaces(ClusterState& state, const std::vector<std::string>& names);
/// Claims and makes the service's folders outside of the cluster's. Throws RunError, with nothing made or
/// claimed, when one is there already.
void make_folders(ClusterState& state, const Service& service);
/// Claims and makes the control groups of those places that have a cap.
void make_cgroups(ClusterState& state, const Places& places);
/// Puts the cap on them.
void cap_places(const Places& places);

/// Starts what belongs to the cluster as a whole; it serves when this returns.
void start_shared(ClusterState& state, Service& service);
/// Starts the servers of these places. They may not answer yet.
void start_places(ClusterState& state, Service& service, const Places& places);
/// Starts the router's process, where it has one.
void start_router(ClusterState& state, const Topology& topology, const Service& service);
/// What runs there.
[[nodiscard]] std::vector<ServiceProcess> processes_at(const Service& service, const Place& place);

/// Ends by `signal` and removes nodes, which the router has forgotten.
void remove_nodes(ClusterState& state, const Topology& topology, NodeRange nodes, int signal,
                  const Notice& notice);
/// Ends and removes all that the state claims, and the state file. What is of a claimed name but not what was
/// made is left alone, with a notice.
void take_down(ClusterState state, const Notice& notice);

}  // namespace scalemark::testbed
