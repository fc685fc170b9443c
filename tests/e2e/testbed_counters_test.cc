// What an emulated cluster's counters say against what the load generator says: requests and bytes must be
// the same to the last byte, and the router's counters must show which way replies go.

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "testbed/cluster.h"
#include "testbed/cluster_meter.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using testbed::Cluster;

/// Requests that the preflight makes of each target, one after another and before any load.
constexpr std::uint64_t kProbes = 4;

struct Total {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

std::uint64_t number_of(const Json& part, const char* member) {
  return part.at(member).get<std::uint64_t>();
}

std::vector<std::string> lines_of(const std::filesystem::path& log) {
  std::vector<std::string> lines;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// Bytes that a line of a log says were sent.
std::uint64_t bytes_in(const std::string& line, bool builtin) {
  std::istringstream words(line);
  std::string word;
  for (int i = builtin ? 7 : 2; i > 0; --i) {
    words >> word;
  }
  return std::stoull(word);
}

/// Good operations of the whole run, heads included; fails the test when there are any others.
Total counted_by(const Finished& run) {
  Total total;
  const Json& whole = run.iteration().at("accounting").at("run");
  EXPECT_EQ(whole.at("failed").at("total"), 0);
  EXPECT_EQ(whole.at("unfinished"), 0);
  for (const Json& cls : run.iteration().at("classes")) {
    total.requests += number_of(cls.at("run"), "good");
    total.bytes += number_of(cls.at("run"), "wire_bytes");
  }
  return total;
}

class TestbedCounters : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "emulated clusters in tests are made by root";
    }
    for (const char* program : {"ip", "tc", "nft", "nginx", "apache2", "haproxy"}) {
      if (testbed::find_program(program).empty()) {
        GTEST_SKIP() << "no " << program << " on this machine";
      }
    }
  }
  void TearDown() override { Cluster::down(name_); }

  /// Puts a short load on a cluster of two nodes; `difference_` is what the counters say of it.
  void load(const std::string& router, const std::string& server) {
    app::Program up({"testbed", "up", "web", "--name", name_, "--nodes", "2", "--router", router, "--server",
                     server, "--forwarding", "nftables", "--router-link", "1gbit", "--files", file_set()});
    ASSERT_EQ(up.wait(), 0) << up.err();
    const Cluster cluster = Cluster::find(name_).value();
    testbed::ClusterMeter meter = cluster.meter();
    const testbed::ClusterSnapshot before = meter.settled_snapshot();
    const auto logs_before = logs(cluster);
    run_ = run_on(cluster);
    difference_ = difference_json(before, meter.settled_snapshot());
    ASSERT_TRUE(ran(run_)) << run_.out << run_.err;
    probed_ = probes(logs_before, logs(cluster), server == "builtin");
  }

  /// What the nodes' counters add up to, without the preflight's requests.
  [[nodiscard]] Total served() const {
    Total total;
    for (const Json& node : difference_.at("nodes")) {
      total.requests += number_of(node, "requests");
      total.bytes += number_of(node, "bytes_served");
    }
    return {total.requests - probed_.requests, total.bytes - probed_.bytes};
  }
  [[nodiscard]] std::uint64_t sum_of(const char* member) const {
    std::uint64_t sum = 0;
    for (const Json& node : difference_.at("nodes")) {
      sum += number_of(node, member);
    }
    return sum;
  }
  void expect_the_same_books() const {
    const Total counted = counted_by(run_);
    EXPECT_GT(counted.requests, 0U);
    EXPECT_EQ(served().requests, counted.requests);
    EXPECT_EQ(served().bytes, counted.bytes);
    EXPECT_GE(number_of(difference_.at("client"), "nic_received_bytes"), counted.bytes);
    EXPECT_GE(sum_of("nic_sent_bytes"), counted.bytes);
    for (const Json& node : difference_.at("nodes")) {
      EXPECT_GT(number_of(node, "requests"), 0U) << node;
      EXPECT_GT(node.at("cpu_seconds").get<double>(), 0) << node;
    }
    EXPECT_GT(difference_.at("machine").at("busy_cpu_seconds").get<double>(), 0);
  }
  void expect_replies_through_the_router() const {
    EXPECT_GE(number_of(difference_.at("router"), "nic_sent_bytes"), counted_by(run_).bytes);
  }

  const std::string name_ = "e2ect";
  Finished run_;
  Json difference_;

 private:
  using Logs = std::vector<std::vector<std::string>>;

  static Logs logs(const Cluster& cluster) {
    Logs all;
    for (const char* node : {"n1", "n2"}) {
      all.push_back(lines_of(testbed::cluster_folder(cluster.plan().name) / node / "access.log"));
    }
    return all;
  }

  static Finished run_on(const Cluster& cluster) {
    std::vector<std::string> words{"testbed",         "run", "--name", cluster.plan().name, "--",
                                   SCALEMARK_COMMAND, "web"};
    for (const std::string& word : short_run(cluster.urls().front(), 24)) {
      words.push_back(word);
    }
    for (std::size_t i = 1; i < cluster.urls().size(); ++i) {
      words.insert(words.end(), {"--url", cluster.urls()[i]});
    }
    words.insert(words.end(), {"--json", record_path()});
    std::filesystem::remove(record_path());
    app::Program program(words);
    Finished finished;
    finished.code = program.wait();
    finished.out = program.out();
    finished.err = program.err();
    if (std::filesystem::exists(record_path())) {
      finished.record = read_record(record_path());
    }
    return finished;
  }

  /// The preflight's requests: the first new ones of each node. Routers deal them out in turns.
  static Total probes(const Logs& before, const Logs& after, bool builtin) {
    Total total;
    for (std::size_t node = 0; node < after.size(); ++node) {
      for (std::size_t i = 0; i < kProbes / after.size(); ++i) {
        ++total.requests;
        total.bytes += bytes_in(after[node].at(before[node].size() + i), builtin);
      }
    }
    return total;
  }

  Total probed_;
};

TEST_F(TestbedCounters, DirectReturnGoesPastTheRouter) {
  load("dsr", "nginx");
  if (!HasFatalFailure()) {
    expect_the_same_books();
    const Json& router = difference_.at("router");
    EXPECT_LT(number_of(router, "nic_sent_bytes"), sum_of("nic_sent_bytes") / 5);
    EXPECT_LE(number_of(router, "forwarded_packets"), number_of(router, "nic_received_bytes") / 40);
    EXPECT_GE(number_of(router, "forwarded_packets"), counted_by(run_).requests);
    EXPECT_TRUE(router.at("cpu_seconds").is_null());
  }
}

TEST_F(TestbedCounters, TranslationTakesRepliesThroughTheRouter) {
  load("nat", "builtin");
  if (!HasFatalFailure()) {
    expect_the_same_books();
    expect_replies_through_the_router();
    EXPECT_GE(number_of(difference_.at("router"), "forwarded_packets"), counted_by(run_).requests);
  }
}

TEST_F(TestbedCounters, AProxyTakesThemToo) {
  load("haproxy", "apache");
  if (!HasFatalFailure()) {
    expect_the_same_books();
    expect_replies_through_the_router();
    EXPECT_GT(difference_.at("router").at("cpu_seconds").get<double>(), 0);
    EXPECT_TRUE(difference_.at("router").at("forwarded_packets").is_null());
  }
}

}  // namespace
}  // namespace scalemark::e2e
