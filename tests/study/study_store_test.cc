#include "study/study_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using ::testing::HasSubstr;

RunRecord study_record(const StudyPlan& plan, const PointResult& point) {
  RunRecord record;
  record.kind = "study";
  record.plan = plan_json(plan);
  record.points = Json::array({to_json(point)});
  return record;
}

PointResult measured_point() {
  PointResult point;
  point.setup = {"dsr", 4, false};
  point.status = PointStatus::interrupted;
  point.trials.resize(1);
  point.trials[0].load = 940;
  return point;
}

TEST(StudyStore, GivesAFreshPointWhereNothingWasMeasured) {
  const TemporaryFolder folder;
  const StudyStore store(folder.path() / "new" / "study", StudyPlan{});
  EXPECT_FALSE(store.resumed());
  const PointResult point = store.earlier({"dsr", 2, false});
  EXPECT_EQ(point.setup.nodes, 2U);
  EXPECT_TRUE(point.trials.empty());
  EXPECT_FALSE(point.finished());
}

TEST(StudyStore, FindsWhatAnInterruptedStudyHasMeasured) {
  const TemporaryFolder folder;
  const StudyPlan plan;
  {
    const StudyStore store(folder.path(), plan);
    store.keep_study(study_record(plan, measured_point()));
  }
  const StudyStore store(folder.path(), plan);
  EXPECT_TRUE(store.resumed());
  ASSERT_EQ(store.earlier({"dsr", 4, false}).trials.size(), 1U);
  EXPECT_EQ(store.earlier({"dsr", 4, false}).trials[0].load, 940U);
  EXPECT_TRUE(store.earlier({"nat", 4, false}).trials.empty());
}

TEST(StudyStore, MorePointsMayBeMeasuredInTheSameFolder) {
  const TemporaryFolder folder;
  StudyPlan plan;
  {
    const StudyStore store(folder.path(), plan);
    store.keep_study(study_record(plan, measured_point()));
  }
  plan.nodes = {"1-8"};
  plan.routers = {"dsr", "nat"};
  EXPECT_NO_THROW(StudyStore(folder.path(), plan));
}

TEST(StudyStore, RefusesResultsOfAnotherPlanAndNamesTheDifference) {
  const TemporaryFolder folder;
  StudyPlan plan;
  {
    const StudyStore store(folder.path(), plan);
    store.keep_study(study_record(plan, measured_point()));
  }
  PhaseLengths longer = plan.workload->phases();
  longer.window += std::chrono::seconds(1);
  plan.workload->set_phases(longer);
  EXPECT_THAT(usage_error([&] { const StudyStore store(folder.path(), plan); }),
              testing::AllOf(HasSubstr("/web/window"), HasSubstr("--out")));
}

TEST(StudyStore, TwoStudiesDoNotShareAFolder) {
  const TemporaryFolder folder;
  const StudyStore first(folder.path(), StudyPlan{});
  EXPECT_THAT(usage_error([&] { const StudyStore second(folder.path(), StudyPlan{}); }),
              HasSubstr("another study"));
}

TEST(StudyStore, RefusesAFolderThatCannotBeMadeAndAFileThatIsNoStudy) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "text");
  EXPECT_THAT(usage_error([&] { const StudyStore store(folder.path() / "file" / "x", StudyPlan{}); }),
              HasSubstr("--out"));
  RunRecord web = study_record(StudyPlan{}, measured_point());
  web.kind = "web";
  web.points = nullptr;
  write_file(folder.path() / "study.json", to_json(web).dump());
  EXPECT_THAT(usage_error([&] { const StudyStore store(folder.path(), StudyPlan{}); }),
              HasSubstr("no study"));
}

TEST(StudyStore, KeepsATrialsRecordUnderItsPointAndNumber) {
  const TemporaryFolder folder;
  const StudyStore store(folder.path(), StudyPlan{});
  RunRecord record;
  record.kind = "web";
  record.cluster = {{"nodes", 4}};
  TrialReport report;
  report.number = 7;
  store.keep_trial(measured_point(), record, report);
  EXPECT_EQ(report.record, "dsr-4/trial-07.json");
  EXPECT_EQ(read_record(folder.path() / report.record).cluster.at("nodes"), 4);
}

TEST(StudyStore, ReadsTheFolderOfAnEarlierVersion) {
  const TemporaryFolder folder;
  const StudyPlan plan;
  RunRecord record = study_record(plan, measured_point());
  record.plan.erase("nodes-of");  // which it did not know, as it knew no variants
  ASSERT_FALSE(record.plan.contains("variants"));
  ASSERT_FALSE(record.points.at(0).contains("variant"));
  write_file(folder.path() / "study.json", to_json(record).dump());
  const StudyStore store(folder.path(), plan);
  EXPECT_EQ(store.earlier({"dsr", 4, false}).trials.size(), 1U);
}

}  // namespace
}  // namespace scalemark::study
