#include "testbed/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<NodePlace> nodes(const std::vector<unsigned>& numbers) {
  std::vector<NodePlace> places;
  for (const unsigned number : numbers) {
    places.push_back(topology_of("web").node(number));
  }
  return places;
}

Dispatch to(const std::vector<unsigned>& active, const std::vector<unsigned>& draining = {}) {
  const Topology topology = topology_of("web");
  return {.vip = topology.vip,
          .router_mac = topology.router_mac,
          .active = nodes(active),
          .draining = nodes(draining)};
}

TEST(DirectReturn, SpreadsInTurnsAndRemembersConnections) {
  const std::string rules = dsr_rules(Spread::round_robin, to({1, 2}));
  EXPECT_THAT(rules, StartsWith("add table netdev scalemark\ndelete table netdev scalemark\n"));
  EXPECT_THAT(rules, HasSubstr("ip daddr 10.78.0.100 tcp dport 80 counter name \"forwarded\" jump balance"));
  EXPECT_THAT(rules,
              HasSubstr("tcp flags & (syn|ack) == syn meta mark set numgen inc mod 2 map { 0 : 1, 1 : 2 } "
                        "update @conns { ip saddr . tcp sport timeout 300s : meta mark }"));
  EXPECT_THAT(rules, HasSubstr("tcp flags & (fin|rst) != 0 update @conns { ip saddr . tcp sport timeout 3s : "
                               "meta mark } update @closing { ip saddr . tcp sport timeout 3s }"));
  EXPECT_THAT(rules,
              HasSubstr("ether daddr set meta mark map { 1 : 02:77:00:00:01:01, 2 : 02:77:00:00:01:02 } "
                        "fwd to \"eth0\""));
}

// The switch would learn the client's address at the router's port, and replies would go to the router.
TEST(DirectReturn, SendsUnderTheRoutersOwnAddress) {
  for (const Spread spread : {Spread::round_robin, Spread::hash}) {
    EXPECT_THAT(dsr_rules(spread, to({1})), HasSubstr("ether saddr set 02:77:00:00:00:02 ether daddr set"));
  }
}

// A port that is used again would inherit the three seconds that the end of its last connection has left.
TEST(DirectReturn, NeverAddsToTheTableWithoutRefreshingIt) {
  EXPECT_THAT(dsr_rules(Spread::round_robin, to({1, 2})), Not(HasSubstr(" add @")));
}

// What a client sends after its FIN would give the port to its old node for another five minutes.
TEST(DirectReturn, RefreshesNoConnectionThatIsEnding) {
  EXPECT_THAT(
      dsr_rules(Spread::round_robin, to({1, 2})),
      HasSubstr("meta mark != 0 ip saddr . tcp sport != @closing update @conns { ip saddr . tcp sport "
                "timeout 300s : meta mark }"));
}

// A mark of 0 is what a packet of an unknown connection has.
TEST(DirectReturn, MarksAreNodeNumbersSoThatAMissMatchesNoNode) {
  EXPECT_THAT(dsr_change(Spread::round_robin, to({2, 5})),
              AllOf(HasSubstr("numgen inc mod 2 map { 0 : 2, 1 : 5 }"),
                    HasSubstr("map { 2 : 02:77:00:00:01:02, 5 : 02:77:00:00:01:05 }")));
}

TEST(DirectReturn, ADrainingNodeKeepsItsConnectionsAndGetsNoNewOnes) {
  EXPECT_THAT(dsr_change(Spread::round_robin, to({1}, {2})),
              AllOf(HasSubstr("numgen inc mod 1 map { 0 : 1 }"),
                    HasSubstr("map { 1 : 02:77:00:00:01:01, 2 : 02:77:00:00:01:02 }")));
}

TEST(DirectReturn, AChangeReplacesTheRulesButNotTheTable) {
  const std::string text = dsr_change(Spread::round_robin, to({1, 2, 3}));
  EXPECT_THAT(text, StartsWith("flush chain netdev scalemark balance\n"));
  EXPECT_THAT(text, Not(HasSubstr("delete")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
}

TEST(DirectReturn, HashingKeepsNoTable) {
  const std::string rules = dsr_rules(Spread::hash, to({1, 2}));
  EXPECT_THAT(rules,
              HasSubstr("jhash ip saddr . tcp sport mod 2 map { 0 : 02:77:00:00:01:01, 1 : 02:77:00:00:01:02 "
                        "} fwd to \"eth0\""));
  EXPECT_THAT(rules, Not(HasSubstr("conns")));
}

Dispatch mail_to(const std::vector<unsigned>& active) {
  Dispatch dispatch = to(active);
  dispatch.ports = {25, 110};
  return dispatch;
}

// A client may use one of its ports for both at a time: they are two connections.
TEST(SeveralPorts, TheTableKnowsTheServicesPortToo) {
  const std::string rules = dsr_rules(Spread::round_robin, mail_to({1, 2}));
  EXPECT_THAT(rules, AllOf(HasSubstr("type ipv4_addr . inet_service . inet_service : mark;"),
                           HasSubstr("ip daddr 10.78.0.100 tcp dport { 25, 110 } counter"),
                           HasSubstr("ip saddr . tcp sport . tcp dport != @closing update @conns { "
                                     "ip saddr . tcp sport . tcp dport timeout 300s : meta mark }"),
                           HasSubstr("update @conns { ip saddr . tcp sport . tcp dport timeout 3s")));
  EXPECT_THAT(rules, Not(HasSubstr("ip saddr . tcp sport timeout")));
}

// Users who send and fetch in turns would all send through one proxy and fetch through the other.
TEST(SeveralPorts, EachHasTurnsOfItsOwn) {
  EXPECT_THAT(
      dsr_change(Spread::round_robin, mail_to({1, 2})),
      AllOf(HasSubstr("balance tcp dport 25 tcp flags & (syn|ack) == syn meta mark set numgen inc mod 2"),
            HasSubstr("balance tcp dport 110 tcp flags & (syn|ack) == syn meta mark set numgen")));
  EXPECT_EQ(nat_change(mail_to({2})),
            "flush chain ip scalemark balance\n"
            "add rule ip scalemark balance tcp dport 25 dnat to numgen inc mod 1 map { 0 : 10.77.0.12 }\n"
            "add rule ip scalemark balance tcp dport 110 dnat to numgen inc mod 1 map { 0 : 10.77.0.12 }\n");
  EXPECT_THAT(nat_rules(mail_to({2})), HasSubstr("tcp dport { 25, 110 } jump balance"));
}

TEST(SeveralPorts, IpvsHasAServiceForEach) {
  EXPECT_THAT(
      ipvs_rules(RouterKind::dsr, Spread::round_robin, mail_to({1})),
      ElementsAre(
          ElementsAre("ipvsadm", "-C"), ElementsAre("ipvsadm", "-A", "-t", "10.78.0.100:25", "-s", "rr"),
          ElementsAre("ipvsadm", "-a", "-t", "10.78.0.100:25", "-r", "10.77.0.11:25", "-g", "-w", "1"),
          ElementsAre("ipvsadm", "-A", "-t", "10.78.0.100:110", "-s", "rr"),
          ElementsAre("ipvsadm", "-a", "-t", "10.78.0.100:110", "-r", "10.77.0.11:110", "-g", "-w", "1")));
  EXPECT_THAT(ipvs_change(RouterKind::dsr, mail_to({1, 2}), mail_to({1})),
              ElementsAre(ElementsAre("ipvsadm", "-d", "-t", "10.78.0.100:25", "-r", "10.77.0.12:25"),
                          ElementsAre("ipvsadm", "-d", "-t", "10.78.0.100:110", "-r", "10.77.0.12:110")));
}

TEST(Translation, GivesEachConnectionToTheNextNode) {
  EXPECT_THAT(nat_rules(to({1, 4})),
              AllOf(HasSubstr("type nat hook prerouting"),
                    HasSubstr("dnat to numgen inc mod 2 map { 0 : 10.77.0.11, 1 : 10.77.0.14 }")));
  EXPECT_EQ(nat_change(to({2}, {1})),
            "flush chain ip scalemark balance\n"
            "add rule ip scalemark balance dnat to numgen inc mod 1 map { 0 : 10.77.0.12 }\n");
}

TEST(Translation, NeedsForwardingWithoutRedirects) {
  const auto settings = router_settings(RouterKind::nat);
  ASSERT_GE(settings.size(), 3U);
  EXPECT_EQ(settings[0].path, "net/ipv4/ip_forward");
  EXPECT_EQ(settings[0].value, "1");
  EXPECT_EQ(settings[1].path, "net/ipv4/conf/all/send_redirects");
  EXPECT_EQ(settings[1].value, "0");
  EXPECT_TRUE(router_settings(RouterKind::dsr).empty());
}

TEST(Ipvs, SetsUpAService) {
  EXPECT_THAT(
      ipvs_rules(RouterKind::dsr, Spread::round_robin, to({1}, {2})),
      ElementsAre(
          ElementsAre("ipvsadm", "-C"), ElementsAre("ipvsadm", "-A", "-t", "10.78.0.100:80", "-s", "rr"),
          ElementsAre("ipvsadm", "-a", "-t", "10.78.0.100:80", "-r", "10.77.0.11:80", "-g", "-w", "1"),
          ElementsAre("ipvsadm", "-a", "-t", "10.78.0.100:80", "-r", "10.77.0.12:80", "-g", "-w", "0")));
  EXPECT_THAT(ipvs_rules(RouterKind::nat, Spread::hash, to({})).back(),
              ElementsAre("ipvsadm", "-A", "-t", "10.78.0.100:80", "-s", "sh", "-b", "sh-port"));
}

TEST(Ipvs, ChangesOnlyWhatIsDifferent) {
  EXPECT_THAT(
      ipvs_change(RouterKind::nat, to({1, 2, 3}, {4}), to({1, 5}, {2})),
      ElementsAre(
          ElementsAre("ipvsadm", "-a", "-t", "10.78.0.100:80", "-r", "10.77.0.15:80", "-m", "-w", "1"),
          ElementsAre("ipvsadm", "-e", "-t", "10.78.0.100:80", "-r", "10.77.0.12:80", "-m", "-w", "0"),
          ElementsAre("ipvsadm", "-d", "-t", "10.78.0.100:80", "-r", "10.77.0.13:80"),
          ElementsAre("ipvsadm", "-d", "-t", "10.78.0.100:80", "-r", "10.77.0.14:80")));
  EXPECT_TRUE(ipvs_change(RouterKind::dsr, to({1}, {2}), to({1}, {2})).empty());
}

TEST(Ipvs, IsUsedWhereItIsUnlessAskedOtherwise) {
  EXPECT_EQ(effective_forwarding(Forwarding::automatic, true), Forwarding::ipvs);
  EXPECT_EQ(effective_forwarding(Forwarding::automatic, false), Forwarding::nftables);
  EXPECT_EQ(effective_forwarding(Forwarding::nftables, true), Forwarding::nftables);
  EXPECT_EQ(effective_forwarding(Forwarding::ipvs, true), Forwarding::ipvs);
  EXPECT_THROW((void)effective_forwarding(Forwarding::ipvs, false), UsageError);
}

}  // namespace
}  // namespace scalemark::testbed
