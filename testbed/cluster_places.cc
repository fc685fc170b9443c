#include "testbed/cluster_places.h"

#include <fmt/format.h>

namespace scalemark::testbed {
namespace {

std::vector<std::string> addresses_of(const Places& places) {
  std::vector<std::string> addresses;
  addresses.reserve(places.size());
  for (const Place& place : places) {
    addresses.push_back(place.at.address);
  }
  return addresses;
}

}  // namespace

Places node_places(const ClusterPlan& plan, const Topology& topology, NodeRange nodes) {
  // Where there are proxies, they are what the router sends connections to.
  const RouterKind router = plan.proxies() > 0 ? RouterKind::none : plan.effective_router();
  Places places;
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    places.push_back({.at = topology.node(i),
                      .role = PlaceRole::node,
                      .router = router,
                      .link = plan.node_link,
                      .cpu = plan.node_cpu});
  }
  return places;
}

Places proxy_places(const ClusterPlan& plan, const Topology& topology) {
  Places places;
  for (std::uint32_t i = 1; i <= plan.proxies(); ++i) {
    places.push_back({.at = topology.proxy(i),
                      .role = PlaceRole::proxy,
                      .router = plan.effective_router(),
                      .link = plan.router_link,
                      .cpu = plan.mail.proxy_cpu});
  }
  return places;
}

Places all_places(const ClusterPlan& plan, const Topology& topology) {
  Places places = node_places(plan, topology, {1, plan.nodes});
  const Places proxies = proxy_places(plan, topology);
  places.insert(places.end(), proxies.begin(), proxies.end());
  return places;
}

std::string name_of(const Place& place) {
  return fmt::format("{} {}", place.role == PlaceRole::node ? "node" : "proxy", place.at.number);
}

std::vector<std::string> namespaces_of(const Places& places) {
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const Place& place : places) {
    names.push_back(place.at.netns);
  }
  return names;
}

std::string asker_of(const Place& place, const Topology& topology) {
  return place.router == RouterKind::none ? topology.client_ns : topology.router_ns;
}

std::vector<std::string> fronts_of(const ClusterPlan& plan, const Topology& topology) {
  if (plan.has_router()) {
    return {topology.vip};
  }
  return addresses_of(plan.proxies() > 0 ? proxy_places(plan, topology)
                                         : node_places(plan, topology, {1, plan.nodes}));
}

}  // namespace scalemark::testbed
