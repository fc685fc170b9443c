#include "study/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Json machine(double seconds, double stolen, double foreign) {
  return {{"seconds", seconds},
          {"machine", {{"processors", 2}, {"stolen_cpu_seconds", stolen}, {"foreign_cpu_seconds", foreign}}}};
}

RunRecord sample() {
  RunRecord record;
  record.kind = "web";
  record.verdict = {Status::fail, {"conforming is 90 %, required >= 99 %"}};
  record.score = {220, "conforming connections", 2};
  record.iterations = {{{"number", 1}, {"partial", false}, {"conforming", 219}},
                       {{"number", 2}, {"partial", false}, {"conforming", 220}},
                       {{"number", 3}, {"partial", true}, {"conforming", 12}},
                       {{"number", 4}, {"partial", true}, {"conforming", nullptr}}};
  return record;
}

TEST(TrialReport, TakesFromTheRecordWhatTheSearchDecidesBy) {
  const TrialReport report = report_of(sample(), 240, Purpose::confirm);
  EXPECT_EQ(report.load, 240U);
  EXPECT_EQ(report.purpose, Purpose::confirm);
  EXPECT_EQ(report.status, Status::fail);
  EXPECT_EQ(report.score, 220);
  EXPECT_THAT(report.iteration_scores, ElementsAre(219, 220)) << "partial iterations are no result";
  EXPECT_THAT(report.reasons, ElementsAre(HasSubstr("90 %")));
  EXPECT_EQ(report.stolen_share, 0);
}

TEST(TrialReport, TheIterationsOfMailAreScoredInOperationsPerHour) {
  RunRecord record = sample();
  record.kind = "mail";
  record.score = {29'091, "operations per hour", 1};
  record.iterations = {{{"number", 1}, {"partial", false}, {"operations_per_hour", 29'091}},
                       {{"number", 2}, {"partial", true}, {"operations_per_hour", 100}}};
  const TrialReport report = report_of(record, 24, Purpose::listed);
  EXPECT_EQ(report.score, 29'091);
  EXPECT_THAT(report.iteration_scores, ElementsAre(29'091));
}

TEST(TrialReport, HasNoScoreWhereTheRecordHasNone) {
  RunRecord record = sample();
  record.score = {std::numeric_limits<double>::quiet_NaN(), "conforming connections"};
  EXPECT_EQ(report_of(record, 240, Purpose::probe).score, std::nullopt);
}

TEST(TrialReport, IsAsDisturbedAsItsWorstIteration) {
  RunRecord record = sample();
  record.cluster = {{"iterations", {machine(10, 0, 0.2), machine(5, 0.5, 0.1)}}, {"run", machine(20, 9, 9)}};
  const TrialReport report = report_of(record, 240, Purpose::probe);
  EXPECT_THAT(report.stolen_share, DoubleEq(0.05));
  EXPECT_THAT(report.foreign_share, DoubleEq(0.01));
}

TEST(TrialReport, IsAsDisturbedAsTheWholeRunWhenNoWindowOpened) {
  RunRecord record = sample();
  record.cluster = {{"iterations", Json::array()}, {"run", machine(20, 4, 2)}};
  const TrialReport report = report_of(record, 240, Purpose::probe);
  EXPECT_THAT(report.stolen_share, DoubleEq(0.1));
  EXPECT_THAT(report.foreign_share, DoubleEq(0.05));
}

TEST(TrialReport, GoesThroughJsonUnchanged) {
  TrialReport report = report_of(sample(), 240, Purpose::listed);
  report.number = 3;
  report.record = "dsr-4/trial-03.json";
  report.seconds = 12.5;
  report.stolen_share = 0.25;
  report.disturbed = true;
  report.why = "the trial was void, so it is repeated";
  EXPECT_EQ(to_json(trial_from_json(Json::parse(to_json(report).dump()))).dump(), to_json(report).dump());
}

TEST(TrialReport, OneOfAnEarlierVersionHasNoWhy) {
  Json json = to_json(report_of(sample(), 240, Purpose::listed));
  json.erase("why");
  EXPECT_EQ(trial_from_json(json).why, "");
}

TEST(TrialReport, SaysWhatCannotBeRead) {
  const auto complaint = [](const Json& json) {
    return usage_error([&json] { (void)trial_from_json(json); });
  };
  Json json = to_json(report_of(sample(), 240, Purpose::probe));
  json.erase("load");
  EXPECT_THAT(complaint(json), HasSubstr("load"));
  json = to_json(report_of(sample(), 240, Purpose::probe));
  json["verdict"] = "fine";
  EXPECT_THAT(complaint(json), HasSubstr("verdict"));
  json["verdict"] = "pass";
  json["purpose"] = "fun";
  EXPECT_THAT(complaint(json), HasSubstr("fun"));
}

}  // namespace
}  // namespace scalemark::study
