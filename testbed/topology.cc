#include "testbed/topology.h"

#include <fmt/format.h>

namespace scalemark::testbed {
namespace {

constexpr unsigned kFirstAddress = 10;        // node 1 is .11: the low ones are for routers
constexpr unsigned kFirstProxyAddress = 200;  // proxy 1 is .201: behind the last node

}  // namespace

std::string namespace_prefix(const std::string& cluster_name) {
  return fmt::format("sm-{}-", cluster_name);
}

Topology topology_of(const std::string& cluster_name) {
  Topology topology;
  const std::string prefix = namespace_prefix(cluster_name);
  topology.cluster = cluster_name;
  topology.switch_ns = prefix + "sw";
  topology.client_ns = prefix + "c";
  topology.router_ns = prefix + "r";
  return topology;
}

NodePlace Topology::node(unsigned number) const {
  return {.number = number,
          .name = fmt::format("n{}", number),
          .netns = fmt::format("{}n{}", namespace_prefix(cluster), number),
          .address = fmt::format("10.77.0.{}", kFirstAddress + number),
          .mac = fmt::format("02:77:00:00:01:{:02x}", number),
          .port = fmt::format("p{}", number)};
}

NodePlace Topology::proxy(unsigned number) const {
  return {.number = number,
          .name = fmt::format("x{}", number),
          .netns = fmt::format("{}x{}", namespace_prefix(cluster), number),
          .address = fmt::format("10.77.0.{}", kFirstProxyAddress + number),
          .mac = fmt::format("02:77:00:00:02:{:02x}", number),
          .port = fmt::format("x{}", number)};
}

}  // namespace scalemark::testbed
