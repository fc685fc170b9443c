#include "study/emulated_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::study {
namespace {

using testbed::ClusterPlan;
using testbed::ServiceKind;

TEST(DescriptionOfACluster, OfWebServersNamesTheServer) {
  ClusterPlan plan = testbed::default_cluster(ServiceKind::web);
  plan.nodes = 4;
  plan.node_cpu = 0.2;
  EXPECT_EQ(description_of(plan), Json::parse(R"({
    "provider": "emulated", "service": "web", "nodes": 4, "router": "dsr", "server": "nginx",
    "spread": "round-robin", "node_link_bits_per_second": 1e8, "router_link_bits_per_second": 1e8,
    "node_cpu_share": 0.2})"));
  plan.router = testbed::RouterKind::none;
  EXPECT_TRUE(description_of(plan).at("router_link_bits_per_second").is_null());
}

TEST(DescriptionOfACluster, OfMailServersSaysWhatStandsBeforeThem) {
  ClusterPlan plan = testbed::default_cluster(ServiceKind::mail);
  plan.nodes = 4;
  EXPECT_EQ(description_of(plan), Json::parse(R"({
    "provider": "emulated", "service": "mail", "nodes": 4, "router": "none", "spread": "round-robin",
    "node_link_bits_per_second": 1e8, "router_link_bits_per_second": 1e8, "node_cpu_share": 0.1,
    "proxy": "nginx", "proxies": 1, "proxy_cpu_share": 0.1, "accounts": 96, "delivery": "postfix"})"));
  plan.mail.proxies = 2;
  EXPECT_EQ(description_of(plan).at("router"), "dsr");
  plan.mail.proxy = testbed::ProxyKind::none;
  const Json direct = description_of(plan);
  EXPECT_EQ(direct.at("proxies"), 0);
  EXPECT_TRUE(direct.at("proxy_cpu_share").is_null());
  EXPECT_TRUE(direct.at("router_link_bits_per_second").is_null());
}

TEST(DamagedCluster, VoidsWhatWasMeasuredOnIt) {
  for (const Status status : {Status::pass, Status::fail, Status::generator_limited}) {
    RunRecord record;
    record.verdict = {status, {"1 message got lost"}};
    void_if_damaged("", "; make it anew", record);
    EXPECT_EQ(record.verdict.status, status);
    void_if_damaged("the server of n1 has ended", "; make it anew", record);
    EXPECT_EQ(record.verdict.status, Status::void_run);
    EXPECT_THAT(record.verdict.reasons,
                testing::ElementsAre("the server of n1 has ended; make it anew", "1 message got lost"));
  }
}

TEST(DamagedCluster, AnInterruptedRunStaysOne) {
  RunRecord record;
  record.verdict = {Status::interrupted, {}};
  void_if_damaged("the server of n1 has ended", "", record);
  EXPECT_EQ(record.verdict.status, Status::interrupted);
}

}  // namespace
}  // namespace scalemark::study
