#include "testbed/cluster_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using testing::HasSubstr;

std::string fault(const ClusterPlan& plan) {
  try {
    check(plan);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

ClusterPlan good_plan() {
  ClusterPlan plan;
  plan.files = "/srv/www";
  return plan;
}

TEST(ClusterPlanTest, DefaultsArePlausibleOnceThereAreFiles) {
  EXPECT_EQ(fault(good_plan()), "");
  EXPECT_THAT(fault(ClusterPlan{}), HasSubstr("--files /srv/www"));
}

TEST(ClusterPlanTest, NamesAreShortAndPlain) {
  for (const std::string name : {"", "ninechars", "UPPER", "a-b", "a/b", ".."}) {
    ClusterPlan plan = good_plan();
    plan.name = name;
    EXPECT_THAT(fault(plan), HasSubstr("is no name for a cluster")) << name;
  }
  ClusterPlan plan = good_plan();
  plan.name = "abcdefg8";
  EXPECT_EQ(fault(plan), "");
}

TEST(ClusterPlanTest, NodesProcessorShareAndForwardingHaveTheirLimits) {
  ClusterPlan plan = good_plan();
  plan.nodes = kMostNodes + 1;
  EXPECT_THAT(fault(plan), HasSubstr("1 to 64 nodes, not 65"));
  plan = good_plan();
  plan.node_cpu = 0.005;
  EXPECT_THAT(fault(plan), HasSubstr("1 % to 100 %"));
  plan = good_plan();
  plan.forwarding = Forwarding::ipvs;
  EXPECT_EQ(fault(plan), "");
  plan.router = RouterKind::haproxy;
  EXPECT_THAT(fault(plan), HasSubstr("--router dsr or nat"));
}

TEST(ClusterPlanTest, EverySettingReadsBackWhatItSays) {
  ClusterPlan plan = good_plan();
  plan.nodes = 5;
  plan.router = RouterKind::nat;
  plan.spread = Spread::hash;
  plan.forwarding = Forwarding::nftables;
  plan.server = ServerKind::apache;
  plan.node_link.reset();
  plan.router_link = BitsPerSecond{25e6};
  plan.node_cpu = 0.2;
  ClusterPlan copy;
  Settings to = cluster_settings(copy);
  for (const Setting& setting : cluster_settings(plan)) {
    find_setting(to, setting.name).set(setting.get());
  }
  EXPECT_EQ(settings_json(cluster_settings(copy)), settings_json(cluster_settings(plan)));
  EXPECT_EQ(copy.node_link, std::nullopt);
  EXPECT_EQ(copy.router_link, BitsPerSecond{25e6});
  EXPECT_EQ(copy.node_cpu, 0.2);
}

TEST(ClusterPlanTest, NoneTakesALimitAwayAndNonsenseIsRefusedByName) {
  ClusterPlan plan = good_plan();
  Settings settings = cluster_settings(plan);
  find_setting(settings, "node-link").set({"none"});
  EXPECT_EQ(plan.node_link, std::nullopt);
  EXPECT_THROW(find_setting(settings, "node-link").set({"fast"}), UsageError);
  find_setting(settings, "node-link").set({"50mbit"});
  EXPECT_EQ(plan.node_link, BitsPerSecond{50e6});
}

}  // namespace
}  // namespace scalemark::testbed
