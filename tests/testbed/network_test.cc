#include "testbed/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Topology& topology() {
  static const Topology shared = topology_of("ab");
  return shared;
}

/// Of a web cluster with that router.
Places nodes(RouterKind router, NodeRange range) {
  ClusterPlan plan;
  plan.router = router;
  return node_places(plan, topology(), range);
}

std::string batch_of_first(RouterKind router) {
  return place_batch(topology(), nodes(router, {1, 1}).front());
}

TEST(TopologyTest, NodesHaveNamesAndAddressesOfTheirOwn) {
  const NodePlace node = topology().node(12);
  EXPECT_EQ(node.name, "n12");
  EXPECT_EQ(node.netns, "sm-ab-n12");
  EXPECT_EQ(node.address, "10.77.0.22");
  EXPECT_EQ(node.mac, "02:77:00:00:01:0c");
  EXPECT_EQ(node.port, "p12");
  EXPECT_NE(topology_of("a").node(1).netns, topology().node(1).netns);
}

TEST(TopologyTest, ProxiesDoNotGetInTheWayOfNodes) {
  const NodePlace proxy = topology().proxy(kMostProxies);
  EXPECT_EQ(proxy.name, "x8");
  EXPECT_EQ(proxy.netns, "sm-ab-x8");
  EXPECT_EQ(proxy.address, "10.77.0.208");
  EXPECT_EQ(proxy.mac, "02:77:00:00:02:08");
  EXPECT_EQ(proxy.port, "x8");
  EXPECT_NE(proxy.mac, topology().node(8).mac);
}

TEST(NetworkTest, ThereIsARouterOnlyWhereOneIsWanted) {
  EXPECT_THAT(common_namespaces(topology(), RouterKind::dsr), ElementsAre("sm-ab-sw", "sm-ab-c", "sm-ab-r"));
  EXPECT_THAT(common_namespaces(topology(), RouterKind::none), ElementsAre("sm-ab-sw", "sm-ab-c"));
  EXPECT_THAT(namespaces_of(nodes(RouterKind::dsr, {2, 3})), ElementsAre("sm-ab-n2", "sm-ab-n3"));
  EXPECT_THAT(switch_batch(topology(), RouterKind::none), Not(HasSubstr("sm-ab-r")));
}

TEST(NetworkTest, CablesCarryTheAddressThatTheRouterSendsTo) {
  EXPECT_EQ(ports_batch(nodes(RouterKind::dsr, {1, 2})),
            "link add p1 type veth peer name eth0 address 02:77:00:00:01:01 netns sm-ab-n1\n"
            "link set p1 master br0 up\n"
            "link add p2 type veth peer name eth0 address 02:77:00:00:01:02 netns sm-ab-n2\n"
            "link set p2 master br0 up\n");
  EXPECT_THAT(
      switch_batch(topology(), RouterKind::dsr),
      AllOf(HasSubstr("link add br0 type bridge stp_state 0 forward_delay 0\n"),
            HasSubstr("link add pr type veth peer name eth0 address 02:77:00:00:00:02 netns sm-ab-r\n")));
}

TEST(NetworkTest, OnlyDirectReturnPutsTheServicesAddressOnNodes) {
  EXPECT_THAT(batch_of_first(RouterKind::dsr), AllOf(HasSubstr("addr add 10.78.0.100/32 dev lo\n"),
                                                     HasSubstr("route add 10.78.0.0/24 dev eth0\n")));
  EXPECT_THAT(
      batch_of_first(RouterKind::nat),
      AllOf(Not(HasSubstr("10.78.0.100")), HasSubstr("route add 10.78.0.0/24 via 10.77.0.2 dev eth0\n")));
  EXPECT_THAT(batch_of_first(RouterKind::none), Not(HasSubstr("10.78.0.100")));
}

TEST(NetworkTest, TheRouterOfAClusterWithProxiesServesThem) {
  ClusterPlan plan = default_cluster(ServiceKind::mail);
  plan.mail.proxies = 2;
  plan.nodes = 3;
  plan.router_link = BitsPerSecond{50e6};
  const Places places = all_places(plan, topology());
  EXPECT_THAT(namespaces_of(places), ElementsAre("sm-ab-n1", "sm-ab-n2", "sm-ab-n3", "sm-ab-x1", "sm-ab-x2"));
  EXPECT_THAT(place_batch(topology(), places[0]), Not(HasSubstr("10.78.0.100")));
  EXPECT_THAT(place_batch(topology(), places[3]), AllOf(HasSubstr("addr add 10.78.0.100/32 dev lo\n"),
                                                        HasSubstr("addr add 10.77.0.201/24 dev eth0")));
  EXPECT_EQ(places[0].link, plan.node_link);
  EXPECT_EQ(places[3].link, plan.router_link);
  EXPECT_EQ(asker_of(places[0], topology()), "sm-ab-c");
  EXPECT_EQ(asker_of(places[3], topology()), "sm-ab-r");
  EXPECT_EQ(name_of(places[4]), "proxy 2");
}

TEST(NetworkTest, ClientsTalkToWhatStandsForemost) {
  ClusterPlan plan = default_cluster(ServiceKind::mail);
  plan.nodes = 2;
  EXPECT_THAT(fronts_of(plan, topology()), ElementsAre("10.77.0.201"));
  plan.mail.proxies = 2;
  EXPECT_THAT(fronts_of(plan, topology()), ElementsAre("10.78.0.100"));
  plan.mail.proxy = ProxyKind::none;
  EXPECT_THAT(fronts_of(plan, topology()), ElementsAre("10.77.0.11", "10.77.0.12"));
}

TEST(NetworkTest, LinksAreShapedWithALongQueue) {
  EXPECT_EQ(shaping_line("eth0", BitsPerSecond{100e6}),
            "qdisc add dev eth0 root tbf rate 100000000bit burst 16384b latency 400ms\n");
  // A burst must hold what a fast link sends between two looks at the clock.
  EXPECT_THAT(shaping_line("p1", BitsPerSecond{1e9}), HasSubstr("burst 125000b "));
}

TEST(NetworkTest, LargePacketsFitIntoTheBurst) {
  EXPECT_EQ(offload_line("eth0", BitsPerSecond{100e6}), "link set dev eth0 gso_max_size 15000\n");
  EXPECT_EQ(offload_line("eth0", BitsPerSecond{1e9}), "link set dev eth0 gso_max_size 65536\n");
}

TEST(NetworkTest, ConnectionsThatStillHaveBusinessAreCounted) {
  const std::string table =
      "  sl  local_address rem_address   st tx_queue rx_queue\n"
      "   0: 00000000:0050 00000000:0000 0A 00000000:00000000\n"   // listens
      "   1: 64004E0A:0050 01004E0A:C001 01 00000000:00000000\n"   // established
      "   2: 64004E0A:0050 01004E0A:C002 06 00000000:00000000\n"   // over: TIME_WAIT
      "   3: 64004E0A:0050 01004E0A:C003 08 00000000:00000000\n"   // CLOSE_WAIT
      "   4: 64004E0A:C004 01004E0A:0050 01 00000000:00000000\n"   // another's port 80
      "   5: 64004E0A:1F50 01004E0A:C005 01 00000000:00000000\n";  // another port
  EXPECT_EQ(open_connections_in(table, {80}), 2U);
  EXPECT_EQ(open_connections_in(table, {25, 80, 8016}), 3U);
  EXPECT_EQ(open_connections_in(table, {25}), 0U);
  EXPECT_EQ(open_connections_in("", {80}), 0U);
}

}  // namespace
}  // namespace scalemark::testbed
