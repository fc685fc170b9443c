#include "analysis/study_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/evidence.h"
#include "core/error.h"
#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "tests/analysis/paper_tables.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal(const std::vector<std::filesystem::path>& paths) {
  try {
    (void)read_measurements(paths);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// A record in a file of its own.
std::filesystem::path put(const TemporaryFolder& folder, const std::string& name, const RunRecord& record) {
  const auto path = folder.path() / name;
  write_file(path, to_json(record).dump());
  return path;
}

TEST(StudyReaderTest, AStudyWithItsTrials) {
  const ScalingData data = read_measurements({study_folder()});
  EXPECT_EQ(data.unit, "conforming connections");
  EXPECT_EQ(data.provider, "emulated");
  EXPECT_EQ(data.service, "web");
  ASSERT_EQ(data.series.size(), 2U);
  const ScalingSeries& dsr = data.series[0];
  EXPECT_EQ(dsr.name, "dsr");
  ASSERT_EQ(dsr.points.size(), 4U);
  ASSERT_TRUE(dsr.direct);
  EXPECT_THAT(dsr.direct->measured, ElementsAre(240, 239, 240));
  EXPECT_EQ(dsr.points[2].nodes, 4U);
  EXPECT_THAT(dsr.points[2].confirmed_by, ElementsAre(4U));
  EXPECT_EQ(dsr.points[2].trials.size(), 4U);
  EXPECT_EQ(dsr.points[2].evidence.size(), 3U) << "the confirming trial's iterations";
  EXPECT_EQ(dsr.points[2].evidence[0].nodes.size(), 4U);
  EXPECT_TRUE(dsr.points[2].evidence[0].router);
  EXPECT_EQ(dsr.points[3].status, PointStatus::generator_limited);
  EXPECT_FALSE(dsr.points[3].counts());
}

TEST(StudyReaderTest, FolderAndRecordAreTheSame) {
  EXPECT_EQ(read_measurements({study_folder()}).series.size(),
            read_measurements({study_folder() / "study.json"}).series.size());
}

TEST(StudyReaderTest, IterationsOfAPointArePutTogether) {
  const ScalingData data = read_measurements({study_folder()});
  const PointSummary summary = summary_of(data.series[0].points[2]);
  EXPECT_EQ(summary.iterations, 3U);
  EXPECT_DOUBLE_EQ(summary.seconds, 30);
  ASSERT_EQ(summary.nodes.size(), 4U);
  EXPECT_EQ(busiest_node(summary), 0U);
  EXPECT_TRUE(summary.node_use[0].saturated());
  EXPECT_FALSE(summary.router_use.saturated());
  EXPECT_NEAR(summary.connect_ms.value_or(0), 0.080, 0.001);
  EXPECT_DOUBLE_EQ(summary.requested.value_or(0), 3 * 930);
}

TEST(StudyReaderTest, AMissingTrialIsANoteAndNoFault) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(study_folder() / "study.json", folder.path() / "study.json");
  const ScalingData data = read_measurements({folder.path()});
  EXPECT_THAT(data.series[0].points[2].measured, ElementsAre(930, 927, 929));
  EXPECT_THAT(data.series[0].points[2].evidence, IsEmpty());
  const bool noted = std::any_of(data.notes.begin(), data.notes.end(), [](const std::string& note) {
    return note.find("dsr-4/trial-04.json") != std::string::npos;
  });
  EXPECT_TRUE(noted);
}

TEST(StudyReaderTest, WebRecordsAreGroupedByRouterAndNodes) {
  const ScalingData data =
      read_measurements({study_folder() / "dsr-4/trial-04.json", study_folder() / "dsr-1/trial-04.json",
                         study_folder() / "direct-1/trial-04.json"});
  ASSERT_EQ(data.series.size(), 1U);
  ASSERT_EQ(data.series[0].points.size(), 2U);
  EXPECT_THAT(data.series[0].points[1].measured, ElementsAre(930, 927, 929));
  ASSERT_TRUE(data.series[0].direct);
  EXPECT_THAT(data.series[0].direct->measured, ElementsAre(240, 239, 240));
}

TEST(StudyReaderTest, OfRecordsThatDidNotPassNoneIsAResult) {
  const TemporaryFolder folder;
  RunRecord record = read_record(study_folder() / "dsr-4/trial-04.json");
  record.verdict.status = Status::generator_limited;
  record.verdict.reasons = {"a thread was busy"};
  const ScalingData data = read_measurements({put(folder, "limited.json", record)});
  EXPECT_EQ(data.series[0].points[0].status, PointStatus::generator_limited);
  EXPECT_EQ(data.series[0].points[0].why,
            "no record of this number of nodes passed: generator-limited at 930 (a thread was busy)");
  ASSERT_TRUE(data.series[0].points[0].limited);
  EXPECT_EQ(data.series[0].points[0].limited->evidence.size(), 3U);
  EXPECT_FALSE(data.series[0].points[0].counts());
  EXPECT_EQ(data.series[0].points[0].trials.at(0).verdict, "generator_limited");
}

TEST(StudyReaderTest, AServiceThatFailedOutweighsAGeneratorThatWasLimited) {
  const TemporaryFolder folder;
  RunRecord record = read_record(study_folder() / "dsr-4/trial-04.json");
  record.verdict.status = Status::generator_limited;
  const auto limited = put(folder, "limited.json", record);
  record.verdict.status = Status::fail;
  const ScalingData data = read_measurements({limited, put(folder, "failed.json", record)});
  EXPECT_EQ(data.series[0].points[0].status, PointStatus::not_confirmed);
  EXPECT_FALSE(data.series[0].points[0].limited);
}

TEST(StudyReaderTest, OfAPointThatTheGeneratorLimitedTheTrialThatItLimitedIsRead) {
  const TemporaryFolder folder;
  std::filesystem::copy(study_folder(), folder.path(), std::filesystem::copy_options::recursive);
  RunRecord record = read_record(folder.path() / "study.json");
  for (Json& point : record.points) {
    if (point["router"] == "dsr" && point["nodes"] == 8) {
      // The search went on below: 930 passed, and at 1,880 the generator was the limit, twice.
      Json again = point["trials"][0];
      again["number"] = 2;
      Json passed = again;
      passed.update({{"number", 3}, {"load", 930}, {"verdict", "pass"}, {"record", "dsr-4/trial-04.json"}});
      Json higher = point["trials"][0];
      higher.update({{"number", 4}, {"load", 2000}});
      point["trials"].push_back(again);
      point["trials"].push_back(passed);
      point["trials"].push_back(higher);
      point["confirmed_by"] = {3};
      point["answer"] = {{"load", 930}, {"lower", 930}, {"upper", nullptr}};
    }
  }
  write_file(folder.path() / "study.json", to_json(record).dump());
  const ScalingPoint point = read_measurements({folder.path()}).series[0].points[3];
  EXPECT_EQ(point.evidence.size(), 3U) << "the passing trial's iterations";
  ASSERT_TRUE(point.limited);
  EXPECT_EQ(point.limited->number, 2U) << "of the lowest load the last";
  EXPECT_EQ(point.limited->load, 1880);
  EXPECT_THAT(point.limited->reason, HasSubstr("busy for 97%"));
  ASSERT_EQ(point.limited->evidence.size(), 1U);
  EXPECT_DOUBLE_EQ(point.limited->evidence[0].lateness_share.value_or(0), 0.0231);
  EXPECT_DOUBLE_EQ(summary_of(point).lateness_share.value_or(0), 0.0021);
  EXPECT_DOUBLE_EQ(summary_of_limited(point).lateness_share.value_or(0), 0.0231);
}

TEST(StudyReaderTest, RefusalsSayWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal({"/nonexistent.json"}), HasSubstr("cannot read a record from '/nonexistent.json'"));
  EXPECT_THAT(refusal({folder.path()}), HasSubstr("holds no study.json"));
  EXPECT_THAT(refusal({golden_path("web_example.json")}),
              HasSubstr("does not say how many nodes it measured"));
  RunRecord record = read_record(study_folder() / "study.json");
  record.points = Json::array();
  EXPECT_THAT(refusal({put(folder, "empty.json", record)}), HasSubstr("without a single point"));
  record.points.push_back({{"router", "dsr"}, {"nodes", 0}});
  EXPECT_THAT(refusal({put(folder, "zero.json", record)}), HasSubstr("number of nodes is missing"));
  record.kind = "tea";
  EXPECT_THAT(refusal({put(folder, "tea.json", record)}), HasSubstr("record of kind \"tea\""));
}

TEST(StudyReaderTest, DamagedPointsDoNotThrowAnythingElse) {
  const TemporaryFolder folder;
  RunRecord record = read_record(study_folder() / "study.json");
  record.points =
      Json::parse(R"([{"nodes":2,"router":7,"status":[],"answer":3,"measured":"x","confirmed_by":{},
                                   "trials":[1,null,{"number":-1,"reasons":5}]}])");
  const ScalingData data = read_measurements({put(folder, "odd.json", record)});
  EXPECT_EQ(data.series[0].points[0].status, PointStatus::failed);
  EXPECT_THAT(data.series[0].points[0].measured, IsEmpty());
}

}  // namespace
}  // namespace scalemark::analysis
