#include "app/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/units.h"
#include "study/mail_workload.h"
#include "study/web_workload.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kStudy =
    "[study]\nnodes = [1, 2]\nprobe-window = \"4s\"\n"
    "[study.full]\nnodes = [\"1-8\"]\n"
    "[cluster]\nname = \"mine\"\nnode-link = \"20mbit\"\n"
    "[cluster.full]\nnode-link = \"100mbit\"\n"
    "[web]\ndirectories = 3\n"
    "[web.quick]\nwindow = \"7s\"\n"
    "[web.full]\nwindow = \"1h\"\n";

class StudyFile : public testing::Test {
 protected:
  study::StudyPlan read(const std::string& text, const std::vector<Given>& command_line = {},
                        const std::vector<std::string>& overrides = {}) {
    const auto path = folder_.path() / "study.toml";
    std::ofstream(path) << text;
    study::StudyPlan plan;
    apply_study_file(plan, path.string(), command_line, overrides);
    return plan;
  }
  std::string urls_file_of(const std::string& text) {
    const study::StudyPlan plan = read(text);
    return study::web_plan(*plan.workload).urls_file;
  }
  std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return usage_error([&] { (void)read(text, {}, overrides); });
  }

  TemporaryFolder folder_;
};

TEST_F(StudyFile, TheProfilesAdditionIsLaidOverThePlainTables) {
  const study::StudyPlan quick = read(kStudy);
  EXPECT_THAT(quick.node_counts(), ElementsAre(1, 2));
  EXPECT_EQ(quick.cluster.node_link, BitsPerSecond{20e6});
  EXPECT_EQ(study::web_plan(*quick.workload).phases.window, std::chrono::seconds(7));
  EXPECT_EQ(study::web_plan(*quick.workload).directories, 3U);
  const study::StudyPlan full = read(kStudy, {{"profile", {"full"}, ""}});
  EXPECT_EQ(full.node_counts().size(), 8U);
  EXPECT_EQ(full.cluster.node_link, BitsPerSecond{100e6});
  EXPECT_EQ(study::web_plan(*full.workload).phases.window, std::chrono::hours(1));
  EXPECT_EQ(study::web_plan(*full.workload).phases.warm_up, std::chrono::minutes(20))
      << "of the web's own full profile";
  EXPECT_EQ(full.probe.window, std::chrono::seconds(4));
}

TEST_F(StudyFile, TheCommandLineComesLast) {
  const study::StudyPlan plan = read(
      kStudy, {{"nodes", {"4"}, ""}},
      {"web.window=9s", "cluster.node-link=5mbit", "study.load=100", "study.load=120", "web.require=ops>1"});
  EXPECT_THAT(plan.node_counts(), ElementsAre(4));
  EXPECT_EQ(study::web_plan(*plan.workload).phases.window, std::chrono::seconds(9));
  EXPECT_EQ(plan.cluster.node_link, BitsPerSecond{5e6});
  EXPECT_THAT(plan.listed_loads(), ElementsAre(100, 120));
  EXPECT_THAT(study::web_plan(*plan.workload).require, ElementsAre("ops>1"));
}

TEST_F(StudyFile, WhatIsPrintedReadsBackToTheSamePlan) {
  const study::StudyPlan plan = read(kStudy, {}, {"web.seed=7"});
  const study::StudyPlan again = read(write_study_file(plan));
  EXPECT_EQ(write_study_file(again), write_study_file(plan));
  EXPECT_EQ(study::web_plan(*again.workload).seed, 7U);
}

TEST_F(StudyFile, SlipsAreFoundInBothProfiles) {
  EXPECT_THAT(complaint("[study]\nnodse = [1]\n"), AllOf(HasSubstr("study.toml:2"), HasSubstr("nodes")));
  EXPECT_THAT(complaint("[web.full]\nwindwo = \"1s\"\n"), HasSubstr("window")) << "not the profile at hand";
  EXPECT_THAT(complaint("[webb]\nwindow = \"1s\"\n"), HasSubstr("[webb]"));
  EXPECT_THAT(complaint("[web]\nconnections = 3\n"), HasSubstr("the study chooses the load"));
  EXPECT_THAT(complaint("[cluster]\nrouter = \"nat\"\n"), HasSubstr("write routers in [study]"));
}

TEST_F(StudyFile, SaysWhatFormAnOverrideHas) {
  for (const char* text : {"window=3s", "web.window", "=", "web=3.window"}) {
    EXPECT_THAT(complaint(kStudy, {text}), HasSubstr("TABLE.NAME=VALUE")) << text;
  }
  EXPECT_THAT(complaint(kStudy, {"wbe.window=3s"}), HasSubstr("wbe"));
  EXPECT_THAT(complaint(kStudy, {"web.windwo=3s"}), HasSubstr("window"));
}

TEST_F(StudyFile, AListOfUrlsIsLookedForBesideTheFile) {
  std::ofstream(folder_.path() / "list.txt") << "/a 1 10\n";
  EXPECT_EQ(urls_file_of("[web]\nurls = \"list.txt\"\n"), (folder_.path() / "list.txt").string());
  EXPECT_EQ(urls_file_of("[web]\nurls = \"/elsewhere/list.txt\"\n"), "/elsewhere/list.txt");
}

}  // namespace
}  // namespace scalemark::app
