#include "testbed/web_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "testbed/cluster_state.h"

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ClusterPlan web_plan(ServerKind server) {
  ClusterPlan plan = default_cluster(ServiceKind::web);
  plan.files = "/srv/www";
  plan.server = server;
  return plan;
}

TEST(WebService, IsOneServerPerNodeThatCanComeAndGo) {
  const auto service = make_service(web_plan(ServerKind::builtin));
  EXPECT_THAT(service->ports(), ElementsAre(80));
  EXPECT_TRUE(service->can_grow());
  EXPECT_THAT(service->missing(), IsEmpty());
  EXPECT_THAT(service->shared(), IsEmpty());
  EXPECT_THAT(service->folders(), IsEmpty());
  const NodePlace node = topology_of("web").node(3);
  const auto processes = service->of_node(node);
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes[0].name, "n3");
  EXPECT_THAT(processes[0].setup.argv, testing::Contains("0.0.0.0:80"));
  EXPECT_THAT(service->of_proxy(node), IsEmpty());
}

TEST(WebService, CountsItsWorkInTheServersOwnLog) {
  const NodePlace node = topology_of("web").node(3);
  const auto logs = make_service(web_plan(ServerKind::builtin))->work_logs(node);
  ASSERT_EQ(logs.size(), 1U);
  EXPECT_EQ(logs[0].path, cluster_folder("web") / "n3" / "access.log");
  EXPECT_EQ(logs[0].format, LogFormat::builtin);
  EXPECT_EQ(make_service(web_plan(ServerKind::nginx))->work_logs(node).at(0).format,
            LogFormat::status_and_bytes);
}

TEST(WebService, NginxEndsItsConnectionsInGoodOrderOnAnotherSignal) {
  EXPECT_EQ(make_service(web_plan(ServerKind::nginx))->good_ending(), SIGQUIT);
  EXPECT_EQ(make_service(web_plan(ServerKind::apache))->good_ending(), SIGTERM);
}

}  // namespace
}  // namespace scalemark::testbed
