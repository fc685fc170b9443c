#include "study/study_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "study/point_plan.h"
#include "study/web_workload.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

StudyPlan sample_plan() {
  StudyPlan plan;
  web_plan(*plan.workload).directories = 20;
  plan.cluster.name = "study";
  return plan;
}

/// "" when the plan is sound.
std::string complaint(const StudyPlan& plan) {
  try {
    check(plan);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(StudyPlan, TheDefaultOneIsSound) {
  EXPECT_EQ(complaint(sample_plan()), "");
}

TEST(StudyPlan, RangesAreWrittenOutAndPutInOrder) {
  StudyPlan plan = sample_plan();
  plan.nodes = {"8", "2-4", "1", "3"};
  EXPECT_THAT(plan.node_counts(), ElementsAre(1, 2, 3, 4, 8));
}

TEST(StudyPlan, TheBaseComesFirstAndThenEachRouterByNodes) {
  StudyPlan plan = sample_plan();
  plan.nodes = {"1", "2"};
  plan.routers = {"dsr", "nat"};
  EXPECT_THAT(plan.points(), ElementsAre(PointSetup{"none", 1, true}, PointSetup{"dsr", 1, false},
                                         PointSetup{"dsr", 2, false}, PointSetup{"nat", 1, false},
                                         PointSetup{"nat", 2, false}));
}

TEST(StudyPlan, OneNodeWithoutARouterIsMeasuredOnce) {
  StudyPlan plan = sample_plan();
  plan.nodes = {"1", "2"};
  plan.routers = {"none"};
  EXPECT_THAT(plan.points(), ElementsAre(PointSetup{"none", 1, true}, PointSetup{"none", 2, false}));
  plan.base = false;
  EXPECT_THAT(plan.points(), ElementsAre(PointSetup{"none", 1, false}, PointSetup{"none", 2, false}));
}

TEST(StudyPlan, ASearchBeginsWithWhatTheLinkCarries) {
  StudyPlan plan = sample_plan();
  EXPECT_EQ(plan.first_load(), 237U);  // 95 % of 100 Mb/s in lines of 400 Kb/s
  plan.cluster.node_link = BitsPerSecond{10'000};
  EXPECT_EQ(plan.first_load(), 1U);
  plan.start = 50;
  EXPECT_EQ(plan.first_load(), 50U);
}

TEST(StudyPlan, SaysWhatIsWrongWithNodes) {
  StudyPlan plan = sample_plan();
  for (const char* text : {"0", "two", "4-2", "-3", "1-", ""}) {
    plan.nodes = {text};
    EXPECT_THAT(complaint(plan), HasSubstr("nodes")) << text;
  }
  plan.nodes = {};
  EXPECT_THAT(complaint(plan), HasSubstr("nodes = [1, 2, 4]"));
  plan.nodes = {"65"};
  EXPECT_THAT(complaint(plan), HasSubstr("64"));
}

TEST(StudyPlan, SaysWhatIsWrongWithTheLoad) {
  StudyPlan plan = sample_plan();
  plan.loads = {"search", "200"};
  EXPECT_THAT(complaint(plan), HasSubstr("search"));
  plan.loads = {"fast"};
  EXPECT_THAT(complaint(plan), HasSubstr("load"));
  plan.loads = {"200", "240"};
  EXPECT_EQ(complaint(plan), "");
}

TEST(StudyPlan, RefusesAListedLoadThatNoTrialCanMake) {
  StudyPlan plan = sample_plan();
  plan.loads = {"200", "2"};
  web_plan(*plan.workload).threads = 4;
  EXPECT_THAT(complaint(plan), HasSubstr("4 threads cannot share 2 connections"))
      << "of the base, on one node";
  plan.base = false;
  plan.nodes = {"2", "4"};
  EXPECT_EQ(complaint(plan), "");
  plan.loads = {"100000"};
  plan.nodes = {"2", "64"};
  EXPECT_THAT(complaint(plan), HasSubstr("6400000 connections on 64 nodes"));
  plan.loads = {"search"};
  plan.start = 1;
  EXPECT_EQ(complaint(plan), "") << "a search begins as low as the threads allow";
}

TEST(StudyPlan, RefusesARouterThatThereIsNot) {
  StudyPlan plan = sample_plan();
  plan.routers = {"magic"};
  EXPECT_THAT(complaint(plan), HasSubstr("magic"));
}

TEST(StudyPlan, ServicesOfTheUsersOwnNeedAnAddressAndACommand) {
  StudyPlan plan = sample_plan();
  plan.provider = Provider::command;
  plan.routers = {"cluster"};
  EXPECT_THAT(complaint(plan), HasSubstr("[web] url"));
  web_plan(*plan.workload).urls = {"http://127.0.0.1:8080/"};
  EXPECT_THAT(complaint(plan), HasSubstr("scale-command"));
  plan.scale_command = "true";
  EXPECT_EQ(complaint(plan), "");
  plan.provider = Provider::fixed;
  EXPECT_THAT(complaint(plan), HasSubstr("cannot change the number of nodes"));
  plan.nodes = {"4"};
  EXPECT_EQ(complaint(plan), "");
}

TEST(StudyPlan, AProbeIsShorterThanAConfirmation) {
  const StudyPlan plan = sample_plan();
  const PointSetup point{"dsr", 2, false};
  const AnyWorkload probe = trial_of(plan, point, 123, true, {{"10.0.0.1"}, ""});
  const AnyWorkload confirmation = trial_of(plan, point, 123, false, {{"10.0.0.1"}, ""});
  EXPECT_EQ(probe->load(), 123U);
  EXPECT_EQ(probe->aim(), "http://10.0.0.1/");
  EXPECT_EQ(probe->phases().window, plan.probe.window);
  EXPECT_EQ(probe->iterations(), 1U);
  EXPECT_EQ(confirmation->phases().window, plan.workload->phases().window);
  EXPECT_EQ(confirmation->iterations(), plan.workload->iterations());
}

TEST(StudyPlan, ThePlannedTimeGrowsWithPointsAndTrials) {
  StudyPlan plan = sample_plan();
  const Duration four = planned_time(plan);
  plan.nodes = {"1", "2"};
  EXPECT_LT(planned_time(plan), four);
  plan.loads = {"100"};
  const Duration one_load = planned_time(plan);
  plan.loads = {"100", "200"};
  EXPECT_GT(planned_time(plan), one_load);
  EXPECT_GE(one_load, 3 * plan.workload->planned_time()) << "base, one node, two nodes";
}

TEST(StudyPlan, SettingsReadBackWhatTheyWrite) {
  StudyPlan plan = sample_plan();
  plan.provider = Provider::command;
  plan.scale_command = "scale {nodes}";
  plan.nodes = {"1-3"};
  plan.loads = {"10", "20"};
  plan.most_stolen = 0.02;
  StudyPlan copy;
  Settings from = study_settings(plan);
  Settings to = study_settings(copy);
  for (const Setting& setting : from) {
    if (const auto texts = setting.get(); !texts.empty()) {
      find_setting(to, setting.name).set(texts);
    }
  }
  EXPECT_EQ(settings_json(study_settings(copy)).dump(), settings_json(study_settings(plan)).dump());
}

}  // namespace
}  // namespace scalemark::study
