// How a router spreads connections over nodes: the texts and commands that tell the kernel or HAProxy so.
//
// For each kind there is a text that sets it up and one that changes the set of nodes while connections go
// on. A change is atomic and keeps what is known of open connections: those on a node that is `draining` stay
// with it, new ones go to the `active` nodes in turns. A node that is in neither list gets nothing any more;
// its connections are reset. Give a draining node 4 s at least before it is left out: so long the table knows
// a port whose connection has ended, and its next connection would go to the old node. (Spreading by hash
// keeps no table: any change moves connections, and breaks them.)
//
// Marks in the connection table are node numbers, never 0: a packet of an unknown connection then matches no
// node, reaches the router's own stack and is answered with a reset, instead of going to some first node.
//
// The nodes may also be proxies that stand before them: what is said of nodes here goes for either. Each
// port of a service has its turns. The connection table is one for all of them, and knows the port too: a
// client may use one port of its own with each of them at a time.
//
// Everything here is pure and thread-safe, except where it says that it asks the system. `nft -f -` is to be
// run in the router's namespace; HAProxy's socket may be used from anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/cluster_plan.h"
#include "testbed/server.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// The nft table that everything lies in, and the counter of forwarded packets in it.
inline constexpr const char* kDispatchTable = "scalemark";
inline constexpr const char* kDispatchCounter = "forwarded";

/// What is to be spread over whom.
struct Dispatch {
  std::string vip;         ///< the service's address, "10.78.0.100"
  std::string router_mac;  ///< of `device`
  std::string device = "eth0";
  std::vector<std::uint16_t> ports = {80};  ///< that clients use; at least one
  std::vector<NodePlace> active;            ///< get new connections; at least one
  std::vector<NodePlace> draining;          ///< keep those that they have
};

/// Direct server return: `nft -f` input that makes the table anew, in whatever state it was.
[[nodiscard]] std::string dsr_rules(Spread spread, const Dispatch& dispatch);
/// Changes the nodes of a table that dsr_rules() made, and keeps its connection table.
[[nodiscard]] std::string dsr_change(Spread spread, const Dispatch& dispatch);

/// Address translation. The kernel's connection tracking keeps open connections where they are.
[[nodiscard]] std::string nat_rules(const Dispatch& dispatch);
[[nodiscard]] std::string nat_change(const Dispatch& dispatch);

/// A file below /proc/sys and its value.
struct KernelSetting {
  std::string path;  ///< "net/ipv4/ip_forward"
  std::string value;
};
/// What the router's namespace must be told for `router`. In order; the last ones exist only once rules that
/// track connections are loaded, so apply them after the rules and ignore those that are not there.
[[nodiscard]] std::vector<KernelSetting> router_settings(RouterKind router);

/// Commands that set IPVS up for `router` (dsr or nat), one argv each, to be run in this order.
[[nodiscard]] std::vector<std::vector<std::string>> ipvs_rules(RouterKind router, Spread spread,
                                                               const Dispatch& dispatch);
/// Commands from the nodes of `before` to those of `after`; a draining node gets weight 0.
[[nodiscard]] std::vector<std::vector<std::string>> ipvs_change(RouterKind router, const Dispatch& before,
                                                                const Dispatch& after);
/// Asks the system: whether the kernel has IPVS and there is an ipvsadm.
[[nodiscard]] bool ipvs_available();
/// What does the work: `wanted`, or for `automatic` what is there. Throws UsageError when IPVS is asked for
/// and not there.
[[nodiscard]] Forwarding effective_forwarding(Forwarding wanted, bool ipvs_is_available);

/// The most connections that a proxy carries at once, two descriptors each; fewer where `descriptors`, the
/// hard limit of the system, does not allow so many.
[[nodiscard]] std::uint64_t haproxy_connections(std::uint64_t descriptors);
/// HAProxy in TCP mode, one thread, a front and a back for each port. `possible` are all nodes that there may
/// ever be, up or not: the proxy knows them from the start, so that adding one is a word on its socket. `dir`
/// is its own folder.
[[nodiscard]] ServiceSetup setup_haproxy(const Dispatch& dispatch, const std::vector<NodePlace>& possible,
                                         std::uint64_t connections, const std::filesystem::path& dir,
                                         const std::filesystem::path& program);
/// Lines for the proxy's socket that make a running proxy do what `dispatch` says.
[[nodiscard]] std::vector<std::string> haproxy_change(const Dispatch& dispatch,
                                                      const std::vector<NodePlace>& possible);
/// The proxy's socket, when setup_haproxy() was given `dir`.
[[nodiscard]] std::filesystem::path haproxy_socket(const std::filesystem::path& dir);
/// Says the lines to a running proxy. Throws RunError when it does not answer within `timeout` or refuses.
void tell_haproxy(const std::filesystem::path& socket, const std::vector<std::string>& lines,
                  Duration timeout);

}  // namespace scalemark::testbed
