// The places of a cluster where its service runs: nodes, and proxies before them, with what limits each.
//
// Follows from the plan alone. Pure; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/units.h"
#include "testbed/cluster_plan.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// Nodes, or proxies, `first` to `last`.
struct NodeRange {
  std::uint32_t first = 1;
  std::uint32_t last = 0;
};

enum class PlaceRole : std::uint8_t { node, proxy };

struct Place {
  NodePlace at;
  PlaceRole role = PlaceRole::node;
  RouterKind router = RouterKind::none;  ///< whose connections come here; none: it is reached directly
  std::optional<BitsPerSecond> link;     ///< each way; none: no cap
  std::optional<double> cpu;             ///< share of one processor; none: no cap
};
using Places = std::vector<Place>;

[[nodiscard]] Places node_places(const ClusterPlan& plan, const Topology& topology, NodeRange nodes);
/// All of them; none in a cluster without proxies.
[[nodiscard]] Places proxy_places(const ClusterPlan& plan, const Topology& topology);
/// All nodes, then all proxies.
[[nodiscard]] Places all_places(const ClusterPlan& plan, const Topology& topology);

/// "node 3", "proxy 1"
[[nodiscard]] std::string name_of(const Place& place);
[[nodiscard]] std::vector<std::string> namespaces_of(const Places& places);
/// The namespace from which a place is asked whether it serves: what is behind a router answers others than
/// the router by a way that the question did not come.
[[nodiscard]] std::string asker_of(const Place& place, const Topology& topology);
/// The addresses that clients talk to: the router's, else the proxies', else the nodes'.
[[nodiscard]] std::vector<std::string> fronts_of(const ClusterPlan& plan, const Topology& topology);

}  // namespace scalemark::testbed
