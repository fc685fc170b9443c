#include "testbed/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

ClusterState busy_state() {
  ClusterState state;
  state.plan.name = "t1";
  state.plan.nodes = 2;
  state.plan.router = RouterKind::haproxy;
  state.plan.node_link.reset();
  state.plan.node_cpu = 0.1;
  state.plan.files = "/srv/a \"quoted\" folder";
  state.stage = ClusterStage::changing;
  state.boot = "a-boot";
  state.forwarding = Forwarding::ipvs;
  state.holder = ProcessId{77, 1234567890123ULL};
  state.namespaces = {{"sm-t1-sw", 4026532881ULL}, {"sm-t1-n1", 0}};
  state.cgroups = {"/sys/fs/cgroup/cpu/sm-t1-n1"};
  state.services = {{"n1", "sm-t1-n1", {4711, 42}, "/sys/fs/cgroup/cpu/sm-t1-n1"},
                    {"router", "sm-t1-r", {4712, 43}, ""}};
  return state;
}

TEST(ClusterStateTest, TextReadsBackToTheSameState) {
  const ClusterState state = busy_state();
  const ClusterState copy = state_from_text(state_text(state));
  EXPECT_EQ(state_text(copy), state_text(state));
  EXPECT_EQ(copy.stage, ClusterStage::changing);
  EXPECT_EQ(copy.plan.files, state.plan.files);
  EXPECT_EQ(copy.plan.node_link, std::nullopt);
  EXPECT_EQ(copy.forwarding, Forwarding::ipvs);
  EXPECT_EQ(copy.holder, state.holder);
  EXPECT_EQ(copy.namespaces, state.namespaces);
  EXPECT_EQ(copy.cgroups, state.cgroups);
  EXPECT_EQ(copy.services, state.services);
  ClusterState without = busy_state();
  without.holder.reset();
  EXPECT_EQ(state_from_text(state_text(without)).holder, std::nullopt);
}

TEST(ClusterStateTest, AMailClusterReadsBackToo) {
  ClusterState state = busy_state();
  state.plan = default_cluster(ServiceKind::mail);
  state.plan.name = "t1";
  state.plan.mail.proxies = 2;
  state.plan.mail.proxy_cpu.reset();
  state.plan.mail.data = "/srv/mail";
  state.folders = {"/srv/mail/sm-t1"};
  state.services = {{"db", "", {4710, 41}, ""},
                    {"n1.postfix", "sm-t1-n1", {4711, 42}, "/sys/fs/cgroup/cpu/n1"}};
  const ClusterState copy = state_from_text(state_text(state));
  EXPECT_EQ(state_text(copy), state_text(state));
  EXPECT_EQ(copy.plan.service, ServiceKind::mail);
  EXPECT_EQ(copy.plan.mail.proxies, 2U);
  EXPECT_EQ(copy.plan.mail.proxy_cpu, std::nullopt);
  EXPECT_EQ(copy.plan.mail.data, "/srv/mail");
  EXPECT_EQ(copy.folders, state.folders);
  EXPECT_EQ(copy.services, state.services);
}

TEST(ClusterStateTest, AnOtherVersionsStateIsRefusedWithAWordOnWhatToDo) {
  std::string text = state_text(busy_state());
  text.replace(text.find("testbed/2"), 9, "testbed/1");
  try {
    static_cast<void>(state_from_text(text));
    FAIL() << "read a state of another version";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("scalemark-testbed/1"),
                                             testing::HasSubstr("take the cluster down with that version")));
  }
}

TEST(ClusterStateTest, WhatIsNoStateIsRefused) {
  const std::string text = state_text(busy_state());
  EXPECT_THROW(static_cast<void>(state_from_text("")), RunError);
  EXPECT_THROW(static_cast<void>(state_from_text("{}")), RunError);
  EXPECT_THROW(static_cast<void>(state_from_text(text.substr(0, text.size() / 2))), RunError);
  std::string other = text;
  other.replace(other.find("testbed/2"), 9, "testbed/9");
  EXPECT_THROW(static_cast<void>(state_from_text(other)), RunError);
  std::string stage = text;
  stage.replace(stage.find("changing"), 8, "sleeping");
  EXPECT_THROW(static_cast<void>(state_from_text(stage)), RunError);
}

TEST(ClusterStateTest, ServicesAreFoundByName) {
  const ClusterState state = busy_state();
  ASSERT_NE(state.service("router"), nullptr);
  EXPECT_EQ(state.service("router")->process.pid, 4712);
  EXPECT_EQ(state.service("n2"), nullptr);
}

}  // namespace
}  // namespace scalemark::testbed
