// The cluster's network: what `ip` and `tc` are told, and telling them.
//
// The makers of texts are pure: batches for `ip -batch -` and `tc -batch -`, one per namespace, so that a
// cluster of eight comes up in a few dozen program starts. The others do it, and throw RunError with the
// program's own words. What was made until then stays: take the namespaces away again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/units.h"
#include "testbed/cluster_places.h"
#include "testbed/cluster_plan.h"
#include "testbed/dispatcher.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// Switch, client and, if there is one, router; without nodes and proxies.
[[nodiscard]] std::vector<std::string> common_namespaces(const Topology& topology, RouterKind router);

/// In the switch's namespace: the bridge with the client's port and the router's.
[[nodiscard]] std::string switch_batch(const Topology& topology, RouterKind router);
/// In the switch's namespace: a port and a cable for each place.
[[nodiscard]] std::string ports_batch(const Places& places);
[[nodiscard]] std::string client_batch(const Topology& topology);
[[nodiscard]] std::string router_batch(const Topology& topology);
/// A node or a proxy, to which connections come by `place.router`.
[[nodiscard]] std::string place_batch(const Topology& topology, const Place& place);
/// For ip: large packets of `device` are no larger than the burst of a link of `rate`. Else the limiter would
/// cut each into segments, which cost several times as much on their way through switch and router.
[[nodiscard]] std::string offload_line(const std::string& device, BitsPerSecond rate);
/// For tc: what limits what `device` sends to `rate`, with a queue long enough (400 ms) that no connection
/// starves; a short one drops the packets of some again and again.
[[nodiscard]] std::string shaping_line(const std::string& device, BitsPerSecond rate);

[[nodiscard]] std::vector<KernelSetting> switch_settings();
/// Ports are used again after a second, and there are many: what ran before must not slow down what runs
/// next.
[[nodiscard]] std::vector<KernelSetting> client_settings();
/// A node or proxy answers no question for the service's address, which is on its lo. Must be set before that
/// is.
[[nodiscard]] std::vector<KernelSetting> place_settings();

/// Applies settings in order; those whose file does not exist are passed over.
void apply_settings(const std::string& netns, const std::vector<KernelSetting>& settings);

void add_namespaces(const std::vector<std::string>& names);
void remove_namespaces(const std::vector<std::string>& names);
/// Everything but nodes and proxies. The namespaces exist and are empty.
void make_common_network(const ClusterPlan& plan, const Topology& topology);
void make_place_network(const Topology& topology, const Places& places);

/// Connections that servers in this namespace have at these ports and that have not ended. Throws RunError.
[[nodiscard]] unsigned open_connections(const std::string& netns, const std::vector<std::uint16_t>& ports);
/// The same, of the text of /proc/net/tcp. Pure.
[[nodiscard]] unsigned open_connections_in(const std::string& table, const std::vector<std::uint16_t>& ports);

}  // namespace scalemark::testbed
