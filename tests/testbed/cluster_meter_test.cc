// The meter on this machine itself: its loopback interface and a node in this process. What it says of a
// whole cluster is compared with a load in tests/e2e.
#include "testbed/cluster_meter.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "testbed/nft_counter.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

/// A session with one process, which waits to be ended. This process's own may belong to somebody whom it
/// cannot see: who runs the tests of a container from outside of it.
class SessionUnderTest {
 public:
  SessionUnderTest() : leader_(::fork()) {
    if (leader_ == 0) {
      ::setsid();
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      while (true) {
        ::pause();
      }
    }
    while (::getsid(leader_) != leader_) {
      std::this_thread::yield();
    }
  }
  ~SessionUnderTest() {
    ::kill(leader_, SIGKILL);
    ::waitpid(leader_, nullptr, 0);
  }
  SessionUnderTest(const SessionUnderTest&) = delete;
  SessionUnderTest& operator=(const SessionUnderTest&) = delete;
  SessionUnderTest(SessionUnderTest&&) = delete;
  SessionUnderTest& operator=(SessionUnderTest&&) = delete;

  [[nodiscard]] pid_t id() const { return leader_; }

 private:
  pid_t leader_;
};

MeterPlan loopback_plan(const std::filesystem::path& access_log, pid_t session) {
  MeterPlan plan;
  plan.nodes.push_back({.name = "n1",
                        .port = "lo",
                        .logs = {{access_log, LogFormat::builtin}},
                        .sessions = {session},
                        .cgroup = {}});
  plan.client_port = "lo";
  return plan;
}

TEST(ClusterMeter, SeesWhatANodeServed) {
  const TempFolder folder;
  folder.write("file", std::string(20'000, 'x'));
  NodePlan plan;
  plan.access_log = folder.path() / "access.log";
  NodeUnderTest node(folder, plan);
  const SessionUnderTest session;
  ClusterMeter meter(loopback_plan(folder.path() / "access.log", session.id()));
  const ClusterSnapshot before = meter.snapshot();
  std::uint64_t bytes = 0;
  {
    Client client(node.address());
    for (int i = 0; i < 3; ++i) {
      bytes += client.get("/file").value().wire_bytes;
    }
  }
  node.stop();
  const ClusterSnapshot after = meter.settled_snapshot();
  const auto difference = difference_json(before, after);
  EXPECT_EQ(difference.at("nodes").at(0).at("requests"), 3);
  EXPECT_EQ(difference.at("nodes").at(0).at("bytes_served"), bytes);
  EXPECT_GE(difference.at("nodes").at(0).at("nic_sent_bytes").get<std::uint64_t>(), bytes);
  EXPECT_GE(difference.at("client").at("nic_received_bytes").get<std::uint64_t>(), bytes);
  EXPECT_TRUE(difference.at("nodes").at(0).at("cpu_seconds").is_number());
  EXPECT_GE(after.machine.value().processors, 1U);
  EXPECT_GE(after.machine.value().busy, before.machine.value().busy);
  EXPECT_GE(after.machine.value().foreign, before.machine.value().foreign);
  EXPECT_TRUE(difference.at("router").is_null());
}

TEST(ClusterMeter, AddsUpThePartsOfAPlace) {
  const TempFolder folder;
  folder.write("a.log", "200 1\n");
  folder.write("b.log", "200 2\n200 4\n");
  const SessionUnderTest one;
  const SessionUnderTest two;
  MeterPlan plan;
  plan.whole_logs = true;
  plan.client_port = "lo";
  const WorkLog a{folder.path() / "a.log", LogFormat::status_and_bytes};
  const WorkLog b{folder.path() / "b.log", LogFormat::status_and_bytes};
  const WorkLog later{folder.path() / "later.log", LogFormat::status_and_bytes};
  plan.nodes = {
      {.name = "n1", .port = "lo", .logs = {a, b}, .sessions = {one.id(), two.id()}, .cgroup = {}},
      {.name = "n2", .port = "lo", .logs = {a, later}, .sessions = {one.id(), 1 << 30}, .cgroup = {}}};
  plan.proxies = {{.name = "x1", .port = "lo", .logs = {}, .sessions = {two.id()}, .cgroup = {}}};
  ClusterMeter meter(plan);
  const ClusterSnapshot now = meter.snapshot();
  ASSERT_EQ(now.nodes.size(), 2U);
  EXPECT_EQ(now.nodes[0].requests.value().requests, 3U);
  EXPECT_EQ(now.nodes[0].requests.value().bytes, 7U);
  EXPECT_TRUE(now.nodes[0].cpu);
  EXPECT_FALSE(now.nodes[1].requests) << "one of the logs is not there";
  EXPECT_FALSE(now.nodes[1].cpu) << "one of the sessions is not there";
  ASSERT_EQ(now.proxies.size(), 1U);
  EXPECT_EQ(now.proxies[0].name, "x1");
  EXPECT_FALSE(now.proxies[0].requests);
  EXPECT_TRUE(now.proxies[0].cpu);
  EXPECT_TRUE(now.proxies[0].nic);
}

TEST(ClusterMeter, ARefusalNamesTheProxysPortToo) {
  MeterPlan plan;
  plan.proxies.push_back({.name = "x1", .port = "no-such-port", .logs = {}, .sessions = {}, .cgroup = {}});
  EXPECT_THROW(const ClusterMeter meter(plan), RunError);
}

TEST(ClusterMeter, NamesThePortThatIsNotThere) {
  MeterPlan plan;
  plan.client_port = "no-such-port";
  try {
    const ClusterMeter meter(plan);
    FAIL() << "measured nothing";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-port"), std::string::npos);
  }
}

TEST(ClusterMeter, RefusesANamespaceThatIsNotThere) {
  MeterPlan plan;
  plan.switch_netns = "no-such-namespace-here";
  EXPECT_THROW(const ClusterMeter meter(plan), RunError);
}

TEST(NftCounter, ACounterThatIsNotThereSaysNothing) {
  NftCounter counter("", "no_such_table", "no_such_counter");
  EXPECT_FALSE(counter.packets());
  EXPECT_FALSE(counter.packets());
}

}  // namespace
}  // namespace scalemark::testbed
