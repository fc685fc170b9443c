// `scalemark web` against a real nginx: what it counted must be what nginx counted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>

#include "filesets/web_files.h"
#include "tests/e2e/nginx.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using ::testing::HasSubstr;

/// Requests that the preflight makes of each target, one after another and before any load.
constexpr std::size_t kProbes = 4;

/// What a server's log says of one class.
struct Served {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t body_bytes = 0;
};

std::size_t class_of(const std::string& path) {
  const std::size_t at = path.find("/class");
  return static_cast<std::size_t>(path.at(at + 6) - '0');
}

std::array<Served, 4> served(const std::vector<NginxLine>& log, std::size_t skip) {
  std::array<Served, 4> classes;
  for (std::size_t i = skip; i < log.size(); ++i) {
    EXPECT_EQ(log[i].status, 200) << log[i].path;
    Served& cls = classes.at(class_of(log[i].path));
    ++cls.requests;
    cls.bytes += log[i].bytes_sent;
    cls.body_bytes += log[i].body_bytes_sent;
  }
  return classes;
}

class WebNginx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Nginx::available()) {
      GTEST_SKIP() << "no nginx on this machine";
    }
  }
};

class WebEngines : public WebNginx, public ::testing::WithParamInterface<const char*> {};

TEST_P(WebEngines, CountsAndBytesEqualTheServersLogExactly) {
  Nginx nginx({.root = file_set()});
  std::vector<std::string> options = short_run(nginx.url(), 30);
  options.insert(options.end(),
                 {"--engine", GetParam(), "--threads", "2", "--verify", "all", "--iterations", "2"});
  const Finished run = run_web(options);
  const std::vector<NginxLine> log = nginx.stop();
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  std::array<Served, 4> counted;
  std::uint64_t connections = 0;
  for (const Json& iteration : run.record.iterations) {
    connections += iteration.at("connections").at("opened").get<std::uint64_t>();
    for (const Json& cls : iteration.at("classes")) {
      Served& of =
          counted.at(static_cast<std::size_t>(std::atoi(cls.at("class").get<std::string>().c_str())));
      const Json& whole = cls.at("run");
      EXPECT_EQ(whole.at("failed").at("total"), 0);
      EXPECT_EQ(whole.at("unfinished"), 0);
      of.requests += whole.at("good").get<std::uint64_t>();
      of.bytes += whole.at("wire_bytes").get<std::uint64_t>();
      of.body_bytes += whole.at("good_body_bytes").get<std::uint64_t>();
    }
  }
  const std::array<Served, 4> truth = served(log, kProbes);
  for (std::size_t cls = 0; cls < 4; ++cls) {
    EXPECT_EQ(counted.at(cls).requests, truth.at(cls).requests) << "class " << cls;
    EXPECT_EQ(counted.at(cls).bytes, truth.at(cls).bytes) << "class " << cls;
    EXPECT_EQ(counted.at(cls).body_bytes, truth.at(cls).body_bytes) << "class " << cls;
  }
  std::uint64_t first_requests = 0;
  for (std::size_t i = kProbes; i < log.size(); ++i) {
    first_requests += log[i].connection_requests == 1 ? 1U : 0U;
  }
  EXPECT_EQ(connections, first_requests);
}

TEST_P(WebEngines, AServerThatEndsConnectionsEarlyCausesNoErrors) {
  Nginx nginx({.root = file_set(), .extra = "keepalive_requests 2; keepalive_timeout 50ms;"});
  std::vector<std::string> options = short_run(nginx.url(), 20);
  options.insert(options.end(), {"--engine", GetParam(), "--persistent-share", "100%"});
  const Finished run = run_web(options);
  EXPECT_TRUE(ran(run)) << run.out << run.err;
  EXPECT_EQ(run.iteration().at("conforming"), 20);
  EXPECT_EQ(run.iteration().at("accounting").at("run").at("failed").at("total"), 0);
  if (GetParam() == std::string("native")) {
    EXPECT_GT(run.iteration().at("connections").at("reconnects_idle").get<int>(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, WebEngines, ::testing::Values("native", "curl"),
                         [](const auto& engine) { return std::string(engine.param); });

TEST_F(WebNginx, BothEnginesReportTheSame) {
  std::vector<Finished> runs;
  for (const std::string engine : {"native", "curl"}) {
    Nginx nginx({.root = file_set()});
    std::vector<std::string> options = short_run(nginx.url(), 40);
    options.insert(options.end(), {"--engine", engine, "--seed", "7"});
    runs.push_back(run_web(options));
    ASSERT_TRUE(ran(runs.back())) << runs.back().out << runs.back().err;
  }
  EXPECT_EQ(runs[0].iteration().at("conforming"), runs[1].iteration().at("conforming"));
  // At the window's edges each connection may have one operation more or less.
  const auto issued = [](const Finished& run, std::size_t cls) {
    return run.iteration().at("classes").at(cls).at("issued").get<double>();
  };
  double mean = 0;
  for (std::size_t cls = 0; cls < 4; ++cls) {
    EXPECT_NEAR(issued(runs[0], cls), issued(runs[1], cls), 40 * 0.5 + 2) << "class " << cls;
    mean += issued(runs[0], cls);
  }
  EXPECT_GT(mean, 100);
}

TEST_F(WebNginx, RatesStayWithinTheLineOnAServerThatDelaysNobody) {
  Nginx nginx({.root = file_set()});
  const Finished run = run_web(short_run(nginx.url(), 25));
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  EXPECT_LE(run.iteration().at("bits_per_second").at("max").get<double>(), 400'000 * (1 + 1e-9));
  EXPECT_GE(run.iteration().at("bits_per_second").at("min").get<double>(), 320'000);
}

TEST_F(WebNginx, SeveralUrlsBindAddressesAndIpv6Work) {
  Nginx four({.root = file_set()});
  Nginx six({.root = file_set(), .family = test_support::Loopback::v6});
  std::vector<std::string> options = short_run(four.url(), 8);
  options.insert(options.end(), {"--url", six.url()});
  const Finished run = run_web(options);
  EXPECT_TRUE(ran(run)) << run.out << run.err;
  const auto four_log = four.stop();
  const auto six_log = six.stop();
  const std::uint64_t good = run.iteration().at("accounting").at("run").at("good").get<std::uint64_t>();
  EXPECT_EQ(four_log.size() + six_log.size(), good + 2 * kProbes);
  EXPECT_GT(four_log.size(), kProbes);
  EXPECT_GT(six_log.size(), kProbes);

  Nginx bound({.root = file_set()});
  options = short_run(bound.url(), 8);
  options.insert(options.end(), {"--bind", "127.0.0.2-127.0.0.5"});
  EXPECT_TRUE(ran(run_web(options)));
  std::set<std::string> clients;
  for (const NginxLine& line : bound.stop()) {
    clients.insert(line.client);
  }
  EXPECT_EQ(clients, (std::set<std::string>{"127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"}));
}

TEST_F(WebNginx, HttpsAndHttp2GoThroughTheCurlEngine) {
  for (const std::string version : {"1.1", "2"}) {
    Nginx nginx({.root = file_set(), .https = true});
    std::vector<std::string> options = short_run(nginx.url(), 10);
    options.insert(options.end(), {"--engine", "curl", "--http", version, "--ca-file", nginx.ca_file()});
    const Finished run = run_web(options);
    EXPECT_TRUE(ran(run)) << run.out << run.err;
    const auto log = nginx.stop();
    ASSERT_GT(log.size(), kProbes);
    EXPECT_EQ(log.back().protocol, version == "2" ? "HTTP/2.0" : "HTTP/1.1");
  }
}

TEST_F(WebNginx, AListOfUrlsReplacesTheFileSet) {
  Nginx nginx({.root = file_set()});
  const std::filesystem::path list = file_set().parent_path() / "urls";
  const auto size = filesets::size_of({0, 1, 0});
  std::ofstream(list) << "file_set/dir00000/class1_0 3 " << size << "\n/file_set/dir00000/class2_0\n";
  const Finished run =
      run_web({"--url", nginx.url(), "--urls", list, "--connections", "10", "--ramp-up", "200ms", "--warm-up",
               "0s", "--window", "2s", "--ramp-down", "0s", "--iterations", "1"});
  EXPECT_TRUE(ran(run)) << run.out << run.err;
  EXPECT_EQ(run.iteration().at("classes").size(), 1U);
  const auto log = nginx.stop();
  EXPECT_EQ(log.size() - 2, run.iteration().at("accounting").at("run").at("good").get<std::size_t>());
}

TEST_F(WebNginx, ASetThatIsNotThereIsSeenBeforeAnyLoad) {
  Nginx nginx({.root = file_set()});
  std::vector<std::string> options = short_run(nginx.url(), 10);
  options.insert(options.end(), {"--directories", "99"});
  const Finished run = run_web(options);
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("404"));
  EXPECT_THAT(run.err, HasSubstr("scalemark files web"));
  EXPECT_EQ(nginx.stop().size(), 1U);
}

TEST_F(WebNginx, CsvAndTextAndRecordSayTheSame) {
  Nginx nginx({.root = file_set()});
  const Finished run = run_web(short_run(nginx.url(), 12));
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("12 of 12 connections conforming"));
  EXPECT_EQ(run.record.score.value, 12);
  const std::string issued =
      std::to_string(run.iteration().at("accounting").at("window").at("issued").get<std::uint64_t>());
  EXPECT_THAT(run.csv, HasSubstr("," + issued + ","));
}

}  // namespace
}  // namespace scalemark::e2e
