#include "testbed/needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MachineFacts good_machine() {
  MachineFacts machine;
  machine.privilege = Privilege::root;
  machine.ip = machine.tc = machine.nft = machine.haproxy = true;
  machine.cgroups = {CgroupVersion::v1, "/sys/fs/cgroup/cpu", ""};
  return machine;
}

TEST(NeedsTest, AGoodMachineLacksNothing) {
  ClusterPlan plan;
  plan.node_cpu = 0.1;
  EXPECT_THAT(missing(plan, Forwarding::nftables, good_machine()), IsEmpty());
}

TEST(NeedsTest, EachThingThatLacksHasASentenceWithWhatToDo) {
  ClusterPlan plan;
  plan.node_cpu = 0.1;
  MachineFacts machine;
  machine.service_lacks = {"there is no nginx; install the package nginx"};
  machine.cgroups.why_not = "nothing is mounted";
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine),
              ElementsAre(HasSubstr("run as root"), HasSubstr("install the package iproute2"),
                          HasSubstr("install the package nftables"), HasSubstr("no nginx"),
                          HasSubstr("--node-cpu cannot be had here: nothing is mounted")));
}

TEST(NeedsTest, OnlyWhatThePlanUsesIsNeeded) {
  MachineFacts machine = good_machine();
  machine.tc = machine.nft = machine.haproxy = false;
  machine.cgroups = {};
  ClusterPlan plan;
  plan.router = RouterKind::none;
  plan.node_link.reset();
  plan.router_link.reset();
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), IsEmpty());
  plan.router = RouterKind::dsr;
  EXPECT_THAT(missing(plan, Forwarding::ipvs, machine), IsEmpty());
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), ElementsAre(HasSubstr("'nft'")));
  plan.router = RouterKind::haproxy;
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), ElementsAre(HasSubstr("'haproxy'")));
  plan.node_link = BitsPerSecond{1e6};
  plan.router = RouterKind::none;
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), ElementsAre(HasSubstr("'tc'")));
}

TEST(NeedsTest, ARouterIsNeededOnlyBeforeSeveralProxiesAndACapOfTheirsIsNamed) {
  MachineFacts machine = good_machine();
  machine.nft = false;
  ClusterPlan plan = default_cluster(ServiceKind::mail);
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), IsEmpty());
  plan.mail.proxies = 2;
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), ElementsAre(HasSubstr("'nft'")));
  machine = good_machine();
  machine.cgroups = {};
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine),
              ElementsAre(HasSubstr("--node-cpu and --proxy-cpu")));
  plan.node_cpu.reset();
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), ElementsAre(HasSubstr("--proxy-cpu cannot")));
  plan.mail.proxy_cpu.reset();
  EXPECT_THAT(missing(plan, Forwarding::nftables, machine), IsEmpty());
}

}  // namespace
}  // namespace scalemark::testbed
