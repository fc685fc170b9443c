// A mail study with variants: read, put side by side, and shown.
#include "analysis/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/study_reader.h"
#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Json study_point(const std::string& router, unsigned nodes, const std::string& variant,
                 const std::vector<double>& measured, bool base = false) {
  Json point = {{"router", router},       {"nodes", nodes},       {"base", base},
                {"status", "confirmed"},  {"measured", measured}, {"confirmed_by", Json::array({1})},
                {"trials", Json::array()}};
  if (!variant.empty()) {
    point["variant"] = variant;
  }
  return point;
}

/// A mail record of two proxies and two nodes, 20 s of window, of which one operation each timed out.
RunRecord mail_trial() {
  RunRecord record = read_record(golden_path("mail_example.json"));
  record.iterations = Json::array({record.iterations.at(1)});
  Json& iteration = record.iterations[0];
  iteration["number"] = 1;
  iteration["partial"] = false;
  iteration["window_seconds"] = 20;
  iteration["smtp"]["window"]["failed"] = {{"total", 1}, {"read_timeout", 1}};
  iteration["pop3"]["window"]["failed"] = {{"total", 1}, {"connect_timeout", 1}};
  record.score.iteration = 1;
  record.cluster = {{"provider", "emulated"}, {"nodes", 2},      {"proxy", "nginx"},
                    {"proxies", 2},           {"router", "dsr"}, {"node_cpu_share", 0.1},
                    {"proxy_cpu_share", 0.1}};
  const Json busy = {{"cpu_seconds", 2.0}, {"throttled_share", 0.9}};
  const Json idle = {{"cpu_seconds", 0.5}, {"throttled_share", 0.0}};
  record.cluster["iterations"] = Json::array({{{"number", 1},
                                               {"seconds", 20.0},
                                               {"nodes", Json::array({idle, idle})},
                                               {"proxies", Json::array({idle, busy})}}});
  return record;
}

class VariantsTest : public testing::Test {
 protected:
  ScalingReport report_on(const Json& points) {
    RunRecord study = read_record(golden_path("mail_example.json"));
    study.kind = "study";
    study.iterations = Json::array();
    study.points = points;
    study.plan = {{"service", "mail"}, {"provider", "emulated"}};
    const auto path = folder_.path() / "study.json";
    write_file(path, to_json(study).dump());
    return report_of(read_measurements({path}), {.seed = 1, .resamples = 50});
  }

  TemporaryFolder folder_;
};

TEST_F(VariantsTest, StandSideBySideInTheOrderOfTheStudy) {
  const ScalingReport report = report_on(
      Json::array({study_point("none", 1, "16K", {900}, true), study_point("none", 1, "1K", {1000}, true),
                   study_point("nginx", 1, "16K", {800, 820}), study_point("nginx", 1, "1K", {950}),
                   study_point("nginx", 2, "16K", {1500}), study_point("nginx", 2, "1K", {1900})}));
  const Variants variants = variants_of(report);
  EXPECT_THAT(variants.names, ElementsAre("16K", "1K"));
  ASSERT_THAT(variants.lines, SizeIs(2));
  EXPECT_EQ(variants.lines[0].label(), "nginx, 1 node");
  EXPECT_DOUBLE_EQ(variants.lines[0].figures.at(0).measured.value_or(0), 810);
  EXPECT_DOUBLE_EQ(variants.lines[1].figures.at(1).measured.value_or(0), 1900);
  EXPECT_FALSE(variants.time_outs_known());
  EXPECT_THAT(variant_plots(report), SizeIs(1));
}

TEST_F(VariantsTest, EachHasABaseOfItsOwn) {
  const ScalingReport report = report_on(
      Json::array({study_point("none", 1, "16K", {900}, true), study_point("none", 1, "1K", {1000}, true),
                   study_point("nginx", 2, "16K", {1500}), study_point("nginx", 2, "1K", {1900})}));
  ASSERT_THAT(report.series, SizeIs(2));
  EXPECT_EQ(report.series[0].label, "nginx, 16K");
  EXPECT_DOUBLE_EQ(report.series[0].curve.base.rate, 900);
  EXPECT_DOUBLE_EQ(report.series[1].curve.base.rate, 1000);
}

TEST_F(VariantsTest, APointThatOnlyOneVariantHasIsNoComparison) {
  Json failed = study_point("nginx", 2, "16K", {});
  failed["status"] = "not_confirmed";
  const ScalingReport report = report_on(Json::array({failed, study_point("nginx", 2, "1K", {1900})}));
  EXPECT_THAT(variants_of(report).lines, IsEmpty());
  EXPECT_THAT(variant_section(report).blocks, IsEmpty());
}

TEST_F(VariantsTest, AStudyWithoutVariantsHasNoSuchSection) {
  const ScalingReport report =
      report_on(Json::array({study_point("nginx", 1, "", {950}), study_point("nginx", 2, "", {1900})}));
  EXPECT_THAT(variants_of(report).names, IsEmpty());
  EXPECT_THAT(variant_plots(report), IsEmpty());
}

TEST_F(VariantsTest, WhatTimedOutIsCountedAnHour) {
  write_file(folder_.path() / "trial.json", to_json(mail_trial()).dump());
  Json slow = study_point("nginx", 2, "15/30", {1500});
  slow["trials"] =
      Json::array({{{"number", 1}, {"record", "trial.json"}, {"load", 96}, {"verdict", "pass"}}});
  const ScalingReport report = report_on(Json::array({slow, study_point("nginx", 2, "30/60", {1900})}));
  const Variants variants = variants_of(report);
  ASSERT_THAT(variants.lines, SizeIs(1));
  EXPECT_DOUBLE_EQ(variants.lines[0].figures.at(0).timed_out_per_hour.value_or(-1), 2 / 20.0 * 3600);
  EXPECT_FALSE(variants.lines[0].figures.at(1).timed_out_per_hour) << "its trial's record is not there";
  EXPECT_THAT(variant_plots(report), SizeIs(2));
}

TEST_F(VariantsTest, AProxyAtItsLimitIsNamed) {
  write_file(folder_.path() / "mail.json", to_json(mail_trial()).dump());
  const ScalingReport report =
      report_of(read_measurements({folder_.path() / "mail.json"}), {.seed = 1, .resamples = 50});
  ASSERT_THAT(report.series, SizeIs(1));
  EXPECT_EQ(report.series[0].label, "nginx-2");
  const PointSummary& summary = report.series[0].summaries.at(0);
  ASSERT_EQ(busiest_proxy(summary), 1U);
  EXPECT_TRUE(summary.proxy_use.at(1).saturated());
  EXPECT_FALSE(summary.proxy_use.at(0).saturated());
  EXPECT_THAT(summary.proxies.at(1).name, HasSubstr("x2"));
}

}  // namespace
}  // namespace scalemark::analysis
