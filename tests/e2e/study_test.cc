// Studies on real clusters: small nodes with a known capacity, interruption, and what becomes of a node that
// dies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "core/run_record.h"
#include "testbed/cluster.h"
#include "testbed/process.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/e2e/web_case.h"

namespace scalemark::e2e {
namespace {

using ::testing::HasSubstr;

using app::Ended;
using app::finish;
using app::run_program;

class Study : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "emulated clusters in tests are made by root";
    }
  }
  void TearDown() override { testbed::Cluster::down(name_); }

  /// The study's file: one and two nodes of 20 Mb/s, which is 50 lines of 400 Kb/s less the network's own
  /// heads.
  [[nodiscard]] std::vector<std::string> words(const std::string& study_table,
                                               const std::string& more = "") const {
    const auto path = folder_.path() / "small.toml";
    std::ofstream(path)
        << "[study]\nmost-foreign = 1.0\nmost-stolen = 1.0\n"
           ""
        << study_table << "[cluster]\nname = \"" << name_
        << "\"\nserver = \"nginx\"\n"
           "node-link = \"20mbit\"\nrouter-link = \"100mbit\"\nfiles = \""
        << file_set().string() << "\"\n"
        << "[web]\nrequire = [\"conforming>=95%\"]\ndirectories = " << kDirectories
        << "\n"
           "ramp-up = \"500ms\"\nwarm-up = \"1s\"\nwindow = \"3s\"\nramp-down = \"0s\"\niterations = 2\n"
        << more;
    return {"study", path.string(), "--out", out().string()};
  }
  [[nodiscard]] std::filesystem::path out() const { return folder_.path() / "out"; }
  [[nodiscard]] RunRecord record() const { return read_record(out() / "study.json"); }

  const std::string name_ = "e2est";
  TemporaryFolder folder_;
};

TEST_F(Study, TwoNodesCarryTwiceWhatOneDoesAndTheBooksSayWho) {
  const Ended ended = run_program(words("nodes = [1, 2]\nload = [15, 100]\n"));
  const RunRecord study = record();
  ASSERT_TRUE(ended.code == 0 || ended.code == 5) << ended.out << ended.err;
  ASSERT_EQ(study.points.size(), 3U);
  int confirmed = 0;
  for (const Json& point : study.points) {
    const double nodes = point.at("nodes").get<double>();
    if (point.at("status") != "confirmed") {
      EXPECT_EQ(point.at("status"), "generator_limited")
          << point.dump(1);  // a machine that is busy with other things
      continue;
    }
    ++confirmed;
    // 15 lines of 400 Kb/s fit on a link of 20 Mb/s with room to spare, and 100 do not, however many nodes
    // share them.
    EXPECT_EQ(point.at("answer").at("load").get<double>(), 15 * nodes) << point.dump(1);
    EXPECT_EQ(point.at("answer").at("upper").get<double>(), 100 * nodes) << point.dump(1);
    EXPECT_EQ(point.at("measured").size(), 2U);
    const RunRecord trial = read_record(out() / point.at("trials").at(0).at("record").get<std::string>());
    const Json& parts = trial.cluster.at("run").at("nodes");
    ASSERT_EQ(parts.size(), point.at("nodes").get<std::size_t>());
    double served = 0;
    for (const Json& part : parts) {
      EXPECT_GT(part.at("requests").get<double>(), 0);
      served += part.at("requests").get<double>();
    }
    double answered = 0;
    for (const Json& iteration : trial.iterations) {
      const Json& run = iteration.at("accounting").at("run");
      answered += run.at("good").get<double>() + run.at("unfinished").get<double>();
    }
    // Every answer is in a node's log; so are, as far as they had begun, those that were cut at the end, and
    // the few requests of the checks before the load.
    EXPECT_NEAR(served, answered, 20 + 2 * nodes * 15) << point.dump(1);
  }
  EXPECT_FALSE(testbed::Cluster::find(name_)) << "the study takes its cluster down";
  if (confirmed == 0) {
    GTEST_SKIP() << "this machine was too busy for any point to be measured";
  }
}

TEST_F(Study, AnInterruptedOneIsTakenUpAgain) {
  const auto command = words("nodes = [1, 2]\nload = [15]\nbase = false\n");
  {
    app::Program program(command);
    for (std::string line = "-"; !line.empty() && line.find("trial 1") == std::string::npos;) {
      line = program.read_error_line();
    }
    program.send(SIGINT);
    const Ended ended = finish(program);
    EXPECT_EQ(ended.code, 130) << ended.err;
  }
  const Json first = record().points.at(0);
  ASSERT_EQ(first.at("trials").size(), 1U) << first.dump(1);
  EXPECT_FALSE(testbed::Cluster::find(name_));
  const Ended again = run_program(command);
  EXPECT_TRUE(again.code == 0 || again.code == 5) << again.out << again.err;
  EXPECT_EQ(record().points.at(0).at("trials"), first.at("trials"))
      << "what was measured is not measured again";
  EXPECT_EQ(record().points.at(1).at("trials").size(), 1U);
}

TEST_F(Study, ANodeThatIsKilledInMidRunIsSeenAsSuch) {
  app::Program program(words("load = [15]\nnodes = [2]\nbase = false\n"));
  for (std::string line = "-"; line.find("measuring") == std::string::npos;
       line = program.read_error_line()) {
    ASSERT_FALSE(line.empty()) << "it ended without measuring";
  }
  // Once the generator has begun, by its own word in its log.
  const auto log = out() / "trial.log";
  bool loaded = false;
  for (std::string text; !loaded;) {
    std::ifstream file(log);
    std::getline(file, text, '\0');
    loaded = text.find("load begins") != std::string::npos;
    ASSERT_FALSE(std::filesystem::exists(out() / "dsr-2" / "trial-01.json")) << finish(program).err;
  }
  const auto cluster = testbed::Cluster::find(name_);
  ASSERT_TRUE(cluster);
  const auto* node = cluster->state().service("n2");
  ASSERT_NE(node, nullptr);
  testbed::stop({{node->process, node->netns}}, SIGKILL, std::chrono::seconds(2));
  finish(program);
  // That trial says nothing about the service; the node is started again, and the load tried once more.
  const Json trials = record().points.at(0).at("trials");
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials.at(0).at("verdict"), "void");
  const std::string reasons = trials.at(0).at("reasons").dump();
  EXPECT_THAT(reasons, HasSubstr("n2"));
  EXPECT_THAT(reasons, HasSubstr("refused"));
  EXPECT_EQ(trials.at(1).at("load"), trials.at(0).at("load"));
  EXPECT_NE(trials.at(1).at("verdict"), "void");
}

TEST_F(Study, RefusesBadFilesBeforeAnythingIsMade) {
  const auto complaint = [this](const std::string& study, const std::string& more = "") {
    const Ended ended = run_program(words(study, more));
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(out()));
    return ended.err;
  };
  EXPECT_THAT(complaint("routres = [\"dsr\"]\n"), HasSubstr("did you mean 'routers'?"));
  EXPECT_THAT(complaint("", "[web.fast]\n"), HasSubstr("[web.fast]"));
  EXPECT_THAT(complaint("", "connections = 5\n"), HasSubstr("the study chooses the load"));
  EXPECT_THAT(complaint("", "[web.full]\nwindow = \"five\"\n[cluster.quick]\nnodes = 3\n"),
              HasSubstr("nodes"));
  EXPECT_THAT(complaint("load = [\"search\", 5]\n"), HasSubstr("search"));
}

}  // namespace
}  // namespace scalemark::e2e
