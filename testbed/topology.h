// Names and addresses of an emulated cluster's parts.
//
// One bridge in a network namespace of its own, and a namespace each for the client, the router and every
// node, all with one interface, eth0. Two subnets share that segment, so that clients reach nodes directly,
// by direct server return, through address translation or through a proxy without any plumbing in between:
//
//   sm-NAME-sw   bridge br0, ports pc, pr, p1 to pN, x1 to xP
//   sm-NAME-c    client   10.78.0.1
//   sm-NAME-r    router   10.78.0.2, 10.77.0.2 and the service's address 10.78.0.100
//   sm-NAME-nI   node I   10.77.0.(10+I); the service's address on lo
//   sm-NAME-xK   proxy K  10.77.0.(200+K); the same. Only where proxies stand before the nodes
//
// Interfaces have fixed link-layer addresses, since a direct-return router addresses nodes by them. Every
// cluster uses the same addresses: nothing of them is visible outside of its namespaces. Pure; thread-safe.
#pragma once

#include <string>

namespace scalemark::testbed {

/// Where one node or proxy stands.
struct NodePlace {
  unsigned number = 0;  ///< from 1
  std::string name;     ///< "n1"
  std::string netns;    ///< "sm-web-n1"
  std::string address;  ///< "10.77.0.11"
  std::string mac;      ///< of its eth0: "02:77:00:00:01:01"
  std::string port;     ///< of the switch: "p1"
};

struct Topology {
  std::string cluster;
  std::string switch_ns;
  std::string client_ns;
  std::string router_ns;
  std::string bridge = "br0";
  std::string client_port = "pc";  ///< of the switch
  std::string router_port = "pr";  ///< of the switch
  std::string client_address = "10.78.0.1";
  std::string client_net = "10.78.0.0/24";
  std::string node_net = "10.77.0.0/24";
  std::string router_client_address = "10.78.0.2";  ///< on the client's subnet
  std::string router_node_address = "10.77.0.2";    ///< on the nodes' subnet
  std::string router_mac = "02:77:00:00:00:02";
  std::string vip = "10.78.0.100";  ///< the service's address

  /// `number` from 1 to kMostNodes.
  [[nodiscard]] NodePlace node(unsigned number) const;
  /// `number` from 1 to kMostProxies.
  [[nodiscard]] NodePlace proxy(unsigned number) const;
};

[[nodiscard]] Topology topology_of(const std::string& cluster_name);

/// What the names of all namespaces of that cluster begin with: "sm-web-".
[[nodiscard]] std::string namespace_prefix(const std::string& cluster_name);

}  // namespace scalemark::testbed
