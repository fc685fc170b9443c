// `scalemark testbed` on this very machine: real namespaces, real servers, real remains (or none).

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "testbed/cluster_state.h"
#include "testbed/holder.h"
#include "testbed/netns.h"
#include "testbed/process.h"
#include "testbed/server.h"
#include "tests/app/program.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using app::Ended;
using app::Program;
using app::run_program;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class TestbedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (testbed::privilege() == testbed::Privilege::none) {
      GTEST_SKIP() << "neither root nor user namespaces are to be had here";
    }
    for (const char* program : {"ip", "tc", "nft", "nginx"}) {
      if (testbed::find_program(program).empty()) {
        GTEST_SKIP() << "there is no " << program << " on this machine";
      }
    }
  }
  void TearDown() override { run_program({"testbed", "down", "--name", name_}); }

  [[nodiscard]] std::vector<std::string> up_words(unsigned nodes) const {
    return {"testbed", "up", "web", "--name", name_, "--files", file_set(), "--nodes", std::to_string(nodes)};
  }
  [[nodiscard]] Ended up(unsigned nodes, const std::vector<std::string>& more = {}) const {
    auto words = up_words(nodes);
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  [[nodiscard]] Ended down() const { return run_program({"testbed", "down", "--name", name_}); }
  [[nodiscard]] Ended in_client(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {"testbed", "run", "--name", name_, "--"};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all);
  }

  /// Whatever of the cluster is on this machine.
  [[nodiscard]] std::vector<std::string> remains() const {
    std::vector<std::string> found;
    std::error_code ignored;
    const std::string mark = testbed::namespace_prefix(name_);
    for (const char* folder : {"/run/netns", "/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with(mark)) {
          found.push_back(entry.path());
        }
      }
    }
    const fs::path home = testbed::cluster_folder(name_);
    for (const fs::path& path : {home, fs::path(home.string() + ".lock")}) {
      if (fs::exists(path)) {
        found.push_back(path);
      }
    }
    for (const testbed::ProcessLine& process : testbed::all_processes()) {
      const std::string line = text_of(fmt::format("/proc/{}/cmdline", process.id.pid));
      if (line.find(home.string()) != std::string::npos || line.find(name_) != std::string::npos) {
        found.push_back(fmt::format("process {}", process.id.pid));
      }
    }
    return found;
  }

  const std::string name_ = fmt::format("e{}", ::getpid());
};

TEST_F(TestbedTest, EightNodesComeUpAnswerAndGoWithoutATrace) {
  const Ended made = up(8);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("8 nodes at http://10.78.0.100/"));
  const Ended status = run_program({"testbed", "status", "--name", name_});
  EXPECT_EQ(status.code, 0) << status.err;
  EXPECT_THAT(status.out, AllOf(HasSubstr("n8 "), HasSubstr("every node answers")));
  const Ended fetched = in_client({SCALEMARK_COMMAND, "web", "--url",         "http://10.78.0.100/",
                                   "--connections",   "8",   "--directories", std::to_string(kDirectories),
                                   "--ramp-up",       "0s",  "--warm-up",     "0s",
                                   "--window",        "1s",  "--ramp-down",   "0s",
                                   "--iterations",    "1",   "--json",        record_path().string()});
  EXPECT_TRUE(fetched.code == 0 || fetched.code == 3 || fetched.code == 5) << fetched.err;
  EXPECT_EQ(read_record(record_path()).iterations.at(0).at("accounting").at("run").at("failed").at("total"),
            0);
  EXPECT_EQ(down().code, 0);
  EXPECT_THAT(remains(), IsEmpty());
}

TEST_F(TestbedTest, UpTwiceLeavesTheClusterAlone) {
  ASSERT_EQ(up(2).code, 0);
  const std::string before = text_of(testbed::cluster_folder(name_) / "cluster.json");
  const Ended again = up(2);
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.err, HasSubstr("stands already"));
  EXPECT_EQ(text_of(testbed::cluster_folder(name_) / "cluster.json"), before);
}

TEST_F(TestbedTest, AnotherKindOfClusterTakesItsPlace) {
  ASSERT_EQ(up(2).code, 0);
  const Ended other = up(2, {"--router", "none", "--server", "builtin"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("http://10.77.0.11/ http://10.77.0.12/"));
  EXPECT_EQ(down().code, 0);
  EXPECT_THAT(remains(), IsEmpty());
}

TEST_F(TestbedTest, DownClearsUpAfterACommandThatWasKilledAnywhere) {
  // The lines tell how far it has come when it is killed.
  for (const char* at : {"making", "starting", "asking"}) {
    Program program(up_words(4));
    std::string line;
    do {
      line = program.read_error_line();
    } while (!line.empty() && line.find(at) == std::string::npos);
    ASSERT_FALSE(line.empty()) << at;
    program.send(SIGKILL);
    EXPECT_EQ(program.wait(), -SIGKILL);
    const Ended cleared = down();
    EXPECT_EQ(cleared.code, 0) << at << ": " << cleared.err;
    EXPECT_THAT(remains(), IsEmpty()) << at;
  }
}

TEST_F(TestbedTest, UpBeginsAnewAfterACommandThatWasKilled) {
  Program program(up_words(3));
  program.read_error_line();
  program.send(SIGKILL);
  program.wait();
  const Ended made = up(2);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(run_program({"testbed", "status", "--name", name_}).code, 0);
}

TEST_F(TestbedTest, AKilledServerIsSeenAndUpMendsIt) {
  ASSERT_EQ(up(2).code, 0);
  const auto state = testbed::read_state(name_);
  ASSERT_TRUE(state);
  const testbed::ServiceRecord* second = state->service("n2");
  ASSERT_NE(second, nullptr);
  testbed::stop({{second->process, second->netns}}, SIGKILL, std::chrono::milliseconds(20));
  const Ended status = run_program({"testbed", "status", "--name", name_});
  EXPECT_EQ(status.code, 3);
  EXPECT_THAT(status.out, HasSubstr("the server of n2 has ended"));
  const Ended made = up(2);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(run_program({"testbed", "status", "--name", name_}).code, 0);
}

TEST_F(TestbedTest, NodesComeAndGoUnderLoadWithoutAFailedOperation) {
  ASSERT_EQ(up(1).code, 0);
  Program load({"testbed",
                "run",
                "--name",
                name_,
                "--",
                SCALEMARK_COMMAND,
                "web",
                "--url",
                "http://10.78.0.100/",
                "--connections",
                "30",
                "--directories",
                std::to_string(kDirectories),
                "--ramp-up",
                "500ms",
                "--warm-up",
                "0s",
                "--window",
                "12s",
                "--ramp-down",
                "0s",
                "--iterations",
                "1",
                "--json",
                record_path()});
  while (load.read_error_line().find("load begins") == std::string::npos) {
  }
  const Ended grown = up(3);
  EXPECT_EQ(grown.code, 0) << grown.err;
  const Ended shrunk = up(2);
  EXPECT_EQ(shrunk.code, 0) << shrunk.err;
  const int code = load.wait();
  EXPECT_TRUE(code == 0 || code == 3 || code == 5) << load.err();
  const auto record = read_record(record_path());
  EXPECT_EQ(record.iterations.at(0).at("accounting").at("run").at("failed").at("total"), 0)
      << record.iterations.at(0);
  EXPECT_FALSE(fs::exists(testbed::cluster_folder(name_) / "n3"));
}

// A port that kept its old node would bring the connections of a cluster that has grown to the nodes that it
// had before.
TEST_F(TestbedTest, TheRouterSoonForgetsConnectionsThatTheClientHasEnded) {
  ASSERT_EQ(up(2).code, 0);
  // The client ends each first, so its last packet is the answer to the server's FIN.
  const Ended connected = in_client(
      {"bash", "-c",
       "for i in 1 2 3 4 5 6 7 8; do exec 3<>/dev/tcp/10.78.0.100/80; exec 3>&-; done; echo connected"});
  ASSERT_EQ(connected.out, "connected\n") << connected.err;
  const std::string router = testbed::topology_of(name_).router_ns;
  const auto table = testbed::run({"nft", "-j", "list", "map", "netdev", "scalemark", "conns"}, router);
  ASSERT_EQ(table.code, 0) << table.err;
  std::size_t seen = 0;
  const Json listed = Json::parse(table.out);
  for (const Json& object : listed.at("nftables")) {
    if (object.contains("map")) {
      for (const Json& pair : object.at("map").value("elem", Json::array())) {
        EXPECT_LE(pair.at(0).at("elem").at("expires").get<int>(), 3) << pair;
        ++seen;
      }
    }
  }
  EXPECT_GE(seen, 8U);
}

TEST_F(TestbedTest, ANamespaceOfTheSameNameThatIsNotOursIsNotTouched) {
  if (testbed::privilege() != testbed::Privilege::root) {
    GTEST_SKIP() << "only root's clusters share names with others";
  }
  const std::string foreign = testbed::namespace_prefix(name_) + "n2";
  testbed::run_or_throw({"ip", "netns", "add", foreign});
  const auto identity = testbed::netns_identity(foreign);
  const Ended refused = up(3);
  const Ended nothing = down();
  const auto identity_after = testbed::netns_identity(foreign);
  testbed::run_or_throw({"ip", "netns", "del", foreign});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr(fmt::format("'{}' already, which scalemark did not make", foreign)));
  EXPECT_THAT(nothing.out, HasSubstr("nothing was to be done"));
  EXPECT_EQ(identity_after, identity);
  EXPECT_THAT(remains(), IsEmpty());
}

TEST_F(TestbedTest, DownOfNothingSaysSo) {
  const Ended nothing = down();
  EXPECT_EQ(nothing.code, 0);
  EXPECT_EQ(nothing.out, fmt::format("there is no cluster '{}'; nothing was to be done\n", name_));
  EXPECT_EQ(run_program({"testbed", "run", "--name", name_, "--", "true"}).code, 1);
}

TEST_F(TestbedTest, RunGivesTheCommandsOwnExitCodeAndWords) {
  ASSERT_EQ(up(1, {"--router", "none", "--server", "builtin"}).code, 0);
  EXPECT_EQ(in_client({"sh", "-c", "exit 17"}).code, 17);
  EXPECT_EQ(in_client({"echo", "--name", "--help"}).out, "--name --help\n");
  const Ended absent = in_client({"there-is-no-such-program"});
  EXPECT_EQ(absent.code, 1);
  EXPECT_THAT(absent.err, HasSubstr("cannot run 'there-is-no-such-program'"));
}

// The same without root, which takes a whole other way. (Not as root: then all tests here are that.)
TEST_F(TestbedTest, NobodyInParticularCanHaveAClusterToo) {
  const std::string setpriv = testbed::find_program("setpriv");
  const std::string unshare = testbed::find_program("unshare");
  if (::geteuid() != 0 || setpriv.empty() || unshare.empty()) {
    GTEST_SKIP() << "this takes root, to become somebody else";
  }
  const std::vector<std::string> nobody = {setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"};
  const auto as_nobody = [&nobody](const std::vector<std::string>& words) {
    std::vector<std::string> all = nobody;
    all.insert(all.end(), words.begin(), words.end());
    return testbed::run(all);
  };
  if (as_nobody({unshare, "-Urnm", "true"}).code != 0 ||
      as_nobody({SCALEMARK_COMMAND, "--version"}).code != 0) {
    GTEST_SKIP() << "users may not make user namespaces here, or may not run this program";
  }
  std::vector<std::string> words = up_words(2);
  words.insert(words.begin(), SCALEMARK_COMMAND);
  const auto made = as_nobody(words);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(as_nobody({SCALEMARK_COMMAND, "testbed", "status", "--name", name_}).code, 0);
  EXPECT_THAT(
      as_nobody({SCALEMARK_COMMAND, "testbed", "run", "--name", name_, "--", "ip", "-br", "addr"}).out,
      HasSubstr("10.78.0.1/24"));
  EXPECT_FALSE(
      testbed::netns_exists(testbed::namespace_prefix(name_) + "n1"));  // all inside its own namespaces
  EXPECT_EQ(as_nobody({SCALEMARK_COMMAND, "testbed", "down", "--name", name_}).code, 0);
  EXPECT_THAT(remains(), IsEmpty());
}

}  // namespace
}  // namespace scalemark::e2e
