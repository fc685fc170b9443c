// Clusters whose service has several ports, several processes at a place, proxies before the nodes, and a
// process of the cluster as a whole: on this very machine, with real routers.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "testbed/cluster.h"
#include "testbed/cluster_meter.h"
#include "testbed/cpu_cap.h"
#include "testbed/holder.h"
#include "testbed/netns.h"
#include "testbed/server.h"
#include "tests/core/temporary_folder.h"
#include "tests/e2e/two_port_service.h"
#include "tests/e2e/web_case.h"
#include "tests/support/sockets.h"

namespace scalemark::e2e {
namespace {

using test_support::checked;
using test_support::Descriptor;
using testbed::Cluster;
using testbed::ClusterPlan;
using testbed::RouterKind;
using testbed::ServiceKind;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

unsigned lines_in(const fs::path& log) {
  std::ifstream file(log);
  unsigned count = 0;
  for (std::string line; std::getline(file, line);) {
    ++count;
  }
  return count;
}

/// Waits until the log has so many lines at least, for servers write them a little later; returns how many.
unsigned lines_when(const fs::path& log, unsigned wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  unsigned count = lines_in(log);
  while (count < wanted && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    count = lines_in(log);
  }
  return count;
}

/// A connection from a port of one's choice in the client's network, kept open.
class Line {
 public:
  Line(const std::string& netns, std::uint16_t own_port, const std::string& address, std::uint16_t port) {
    const testbed::NetnsVisit visit(netns);
    socket_ = Descriptor(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    const int yes = 1;
    checked(::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), "setsockopt");
    const timeval patience{10, 0};
    checked(::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "setsockopt");
    const auto from = test_support::endpoint_at("10.78.0.1", own_port);
    checked(::bind(socket_.get(), from.get(), from.length), "bind");
    const auto to = test_support::endpoint_at(address, port);
    checked(::connect(socket_.get(), to.get(), to.length), "connect");
  }

  /// Whether a request on it is answered.
  [[nodiscard]] bool serves() const {
    const std::string request = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
    std::array<char, 4096> answer{};
    return ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(request.size()) &&
           ::recv(socket_.get(), answer.data(), answer.size(), 0) > 0;
  }

 private:
  Descriptor socket_;
};

class TestbedServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (testbed::privilege() != testbed::Privilege::root) {
      GTEST_SKIP() << "control groups and namespaces of these tests belong to root";
    }
    for (const char* program : {"ip", "tc", "nft", "haproxy", "nginx"}) {
      if (testbed::find_program(program).empty()) {
        GTEST_SKIP() << "there is no " << program << " on this machine";
      }
    }
  }
  void TearDown() override {
    Cluster::down(name_);
    Cluster::down(other_name_);
  }

  [[nodiscard]] ClusterPlan plan(std::uint32_t nodes, std::uint32_t proxies,
                                 RouterKind router = RouterKind::dsr) const {
    ClusterPlan plan = testbed::default_cluster(ServiceKind::mail);
    plan.name = name_;
    plan.nodes = nodes;
    plan.router = router;
    plan.forwarding = testbed::Forwarding::nftables;
    plan.mail.proxy = proxies == 0 ? testbed::ProxyKind::none : testbed::ProxyKind::nginx;
    plan.mail.proxies = std::max(proxies, 1U);
    if (testbed::cpu_cgroups().version == testbed::CgroupVersion::none) {
      plan.node_cpu.reset();
      plan.mail.proxy_cpu.reset();
    }
    return plan;
  }
  [[nodiscard]] testbed::ServiceMaker maker() const {
    return [files = file_set(), outside = outside_.path(), diary = diary_](const ClusterPlan& plan) {
      return std::make_unique<TwoPortService>(plan, files, outside, diary);
    };
  }
  Cluster up(const ClusterPlan& plan) {
    notices_.clear();
    return Cluster::up(
        plan, [this](const std::string& text) { notices_ += text + "\n"; }, maker());
  }
  /// Whatever of the cluster is on this machine.
  [[nodiscard]] std::vector<std::string> remains() const {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const char* folder : {"/run/netns", "/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with(testbed::namespace_prefix(name_))) {
          found.push_back(entry.path());
        }
      }
    }
    for (const fs::path& path : {testbed::cluster_folder(name_), outside_.path() / ("sm-" + name_)}) {
      if (fs::exists(path)) {
        found.push_back(path);
      }
    }
    for (const testbed::ProcessLine& process : testbed::all_processes()) {
      std::ifstream file(fmt::format("/proc/{}/cmdline", process.id.pid));
      std::string line;
      std::getline(file, line);
      if (line.find("/" + name_ + "/") != std::string::npos ||
          line.find("sm-" + name_) != std::string::npos) {
        found.push_back(fmt::format("process {}", process.id.pid));
      }
    }
    return found;
  }

  const std::string name_ = fmt::format("s{}", ::getpid());
  const std::string other_name_ = fmt::format("o{}", ::getpid());
  const TemporaryFolder outside_;
  std::shared_ptr<ServiceDiary> diary_ = std::make_shared<ServiceDiary>();
  std::string notices_;
};

TEST_F(TestbedServiceTest, EveryRouterSpreadsBothPortsOverTheProxies) {
  for (const RouterKind router : {RouterKind::dsr, RouterKind::nat, RouterKind::haproxy}) {
    const Cluster cluster = up(plan(2, 2, router));
    EXPECT_THAT(cluster.fronts(), ElementsAre("10.78.0.100"));
    EXPECT_THAT(cluster.urls(), IsEmpty());
    const auto& service = dynamic_cast<const TwoPortService&>(cluster.service());
    static_cast<void>(cluster.meter().settled_snapshot());  // all logs are written by then
    std::map<fs::path, unsigned> before;
    for (const char* place : {"x1", "x2", "n1"}) {
      for (const std::uint16_t port : service.ports()) {
        before[service.log_of(place, port)] = lines_in(service.log_of(place, port));
      }
    }
    for (unsigned turn = 0; turn < 4; ++turn) {
      EXPECT_EQ(service.ask_front(cluster.topology().client_ns, cluster.fronts().front(), turn,
                                  std::chrono::seconds(5)),
                "");
    }
    for (const auto& [log, lines] : before) {
      const unsigned more = log.parent_path().filename() == "n1" ? 0 : 2;
      EXPECT_EQ(lines_when(log, lines + more), lines + more) << log;
    }
  }
  EXPECT_TRUE(Cluster::down(name_));
  EXPECT_THAT(remains(), IsEmpty());
}

TEST_F(TestbedServiceTest, OnePortOfTheClientIsTwoConnectionsToTwoPorts) {
  const Cluster cluster = up(plan(1, 2));
  const auto& service = dynamic_cast<const TwoPortService&>(cluster.service());
  const std::string& client = cluster.topology().client_ns;
  static_cast<void>(cluster.meter().settled_snapshot());  // all logs are written by then
  const unsigned smtp_before = lines_in(service.log_of("x2", 25));
  const unsigned pop_before = lines_in(service.log_of("x1", 110));
  // Each port's turns begin at the first proxy; this one is answered by nobody, since it asks nothing.
  const Line first_turn(client, 30000, "10.78.0.100", 25);
  const Line smtp(client, 30001, "10.78.0.100", 25);
  const Line pop(client, 30001, "10.78.0.100", 110);
  EXPECT_TRUE(smtp.serves());
  EXPECT_TRUE(pop.serves());
  EXPECT_TRUE(smtp.serves());
  // A table that knew them by the client's port only would have sent both to where the first went.
  EXPECT_EQ(lines_when(service.log_of("x2", 25), smtp_before + 2), smtp_before + 2);
  EXPECT_EQ(lines_when(service.log_of("x1", 110), pop_before + 1), pop_before + 1);
}

TEST_F(TestbedServiceTest, PartsComeUpInOrderAndCapsComeLast) {
  const ClusterPlan wanted = plan(2, 1);
  const Cluster cluster = up(wanted);
  EXPECT_EQ(diary_->places, 3U);
  EXPECT_TRUE(diary_->db_before_places);
  EXPECT_THAT(diary_->settled, ElementsAre("10.77.0.201"));
  EXPECT_FALSE(diary_->capped_at_settling);
  EXPECT_FALSE(testbed::netns_exists(cluster.topology().router_ns)) << "one proxy needs no router";
  ASSERT_NE(cluster.state().service("db"), nullptr);
  EXPECT_EQ(cluster.state().service("db")->netns, "");
  EXPECT_NE(cluster.state().service("x1.pop"), nullptr);
  if (wanted.node_cpu) {
    const auto* proxy = cluster.state().service("x1.smtp");
    ASSERT_NE(proxy, nullptr);
    EXPECT_EQ(proxy->cgroup.filename(), cluster.topology().proxy(1).netns);
  }
}

TEST_F(TestbedServiceTest, WithoutAProxyClientsKnowTheNodes) {
  const Cluster cluster = up(plan(2, 0));
  EXPECT_THAT(cluster.fronts(), ElementsAre("10.77.0.11", "10.77.0.12"));
  EXPECT_EQ(cluster.ask_node(2, std::chrono::seconds(5)), "");
  cluster.check_health();
}

TEST_F(TestbedServiceTest, TheMeterSeesProxiesAndAddsAPlacesLogsUp) {
  const Cluster cluster = up(plan(1, 1));
  testbed::ClusterMeter meter = cluster.meter();
  const auto before = meter.settled_snapshot();
  EXPECT_EQ(cluster.ask_node(1, std::chrono::seconds(5)), "");
  const auto& service = cluster.service();
  EXPECT_EQ(service.ask_front(cluster.topology().client_ns, "10.77.0.201", 0, std::chrono::seconds(5)), "");
  const Json difference = difference_json(before, meter.settled_snapshot());
  EXPECT_EQ(difference.at("nodes").at(0).at("requests"), 2) << "one at each port";
  ASSERT_EQ(difference.at("proxies").size(), 1U);
  const Json& proxy = difference.at("proxies").at(0);
  EXPECT_EQ(proxy.at("name"), "x1");
  EXPECT_GT(proxy.at("nic_sent_bytes"), 0);
  EXPECT_TRUE(proxy.at("cpu_seconds").is_number());
  EXPECT_TRUE(difference.at("router").is_null());
}

TEST_F(TestbedServiceTest, AServiceThatCannotGrowIsMadeAnew) {
  up(plan(1, 1));
  up(plan(1, 1));
  EXPECT_THAT(notices_, AllOf(HasSubstr("stands already"), testing::Not(HasSubstr("anew"))));
  const Cluster cluster = up(plan(2, 1));
  EXPECT_THAT(notices_, HasSubstr("made anew: mail servers cannot change their number while they serve"));
  EXPECT_EQ(cluster.plan().nodes, 2U);
  cluster.check_health();
}

TEST_F(TestbedServiceTest, WhatAKilledCommandLeftIsClearedAway) {
  for (const char* at : {"making", "starting", "asking", "letting"}) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        Cluster::up(
            plan(2, 2),
            [at](const std::string& text) {
              if (text.starts_with(at)) {
                ::raise(SIGKILL);
              }
            },
            maker());
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << at;
    Cluster::down(name_);
    EXPECT_THAT(remains(), IsEmpty()) << at;
  }
}

TEST_F(TestbedServiceTest, TheClustersOwnProcessIsMissedWhenItHasEnded) {
  const Cluster cluster = up(plan(1, 1));
  const auto* db = cluster.state().service("db");
  ASSERT_NE(db, nullptr);
  const testbed::ProcessId db_session = db->process;
  ASSERT_EQ(testbed::session_members({db_session, ""}).size(), 2U);
  ASSERT_TRUE(testbed::send_signal(db->process, SIGKILL));
  ASSERT_EQ(::waitpid(db->process.pid, nullptr, 0), db->process.pid);
  try {
    static_cast<void>(Cluster::find(name_, maker()));
    FAIL() << "found a cluster without its database";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the cluster's db has ended"));
  }
  // Its own process has lost its leader, but not us.
  EXPECT_TRUE(Cluster::down(name_));
  EXPECT_THAT(remains(), IsEmpty());
  EXPECT_THAT(testbed::session_members({db_session, ""}), IsEmpty());
}

TEST_F(TestbedServiceTest, AFolderThatIsNotOursIsRefusedAndLeftAlone) {
  const fs::path foreign = outside_.path() / ("sm-" + name_);
  fs::create_directory(foreign);
  std::ofstream(foreign / "letter") << "dear\n";
  EXPECT_THROW(up(plan(1, 1)), RunError);
  EXPECT_THAT(remains(), ElementsAre(foreign.string()));
  EXPECT_TRUE(fs::exists(foreign / "letter"));
}

TEST_F(TestbedServiceTest, ClustersOfTwoServicesStandSideBySide) {
  const Cluster mail = up(plan(1, 2));
  ClusterPlan web = testbed::default_cluster(ServiceKind::web);
  web.name = other_name_;
  web.files = file_set();
  const Cluster pages = Cluster::up(web);
  mail.check_health();
  pages.check_health();
  EXPECT_THAT(Cluster::names(), AllOf(Contains(name_), Contains(other_name_)));
  EXPECT_TRUE(Cluster::down(other_name_));
  mail.check_health();
}

}  // namespace
}  // namespace scalemark::e2e
