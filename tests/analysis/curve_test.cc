#include "analysis/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "analysis/capacity.h"
#include "tests/analysis/paper_tables.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;

ScalingPoint point(unsigned nodes, std::vector<double> measured,
                   PointStatus status = PointStatus::confirmed) {
  ScalingPoint made;
  made.nodes = nodes;
  made.status = status;
  made.measured = std::move(measured);
  return made;
}

/// Per cent with two decimals, as a table shows it.
double shown(const CurveRow& row) {
  return std::round(row.drop.value_or(-1) * 100) / 100;
}

struct PaperRow {
  unsigned nodes;
  double theory;
  double drop;
};

void expect_rows(const ScalingSeries& series, const std::vector<PaperRow>& expected) {
  const Curve curve = curve_of(series);
  ASSERT_EQ(curve.rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(curve.rows[i].nodes, expected[i].nodes);
    EXPECT_DOUBLE_EQ(curve.rows[i].theory.value_or(0), expected[i].theory);
    EXPECT_DOUBLE_EQ(shown(curve.rows[i]), expected[i].drop) << expected[i].nodes << " nodes";
  }
}

TEST(CurveTest, ThePapersMailTableHasTheRecomputedDrops) {
  const ScalingData mail = paper_data("mail.csv");
  EXPECT_EQ(mail.unit, "operations per hour");
  ASSERT_EQ(mail.series.size(), 2U);
  expect_rows(mail.series[0], {{1, 29091, 5.01},
                               {2, 58182, 0.72},
                               {3, 87273, 0.07},
                               {4, 116364, 3.15},
                               {5, 145455, 9.95},
                               {6, 174546, 24.08}});
  expect_rows(mail.series[1], {{8, 232728, 10.09}});
}

TEST(CurveTest, ThePapersWebTableHasTheRecomputedDrops) {
  const ScalingData web = paper_data("web.csv");
  ASSERT_EQ(web.series.size(), 1U);
  expect_rows(web.series[0], {{1, 258, 0.78}, {2, 516, 2.13}, {4, 1032, 10.85}, {8, 2064, 13.03}});
}

TEST(CurveTest, ThePapersSingleNodeTables) {
  expect_rows(paper_data("mail-single-node.csv").series.at(0), {{1, 29091, 5.01}});
  expect_rows(paper_data("web-single-node.csv").series.at(0), {{1, 258, 0.78}});
}

TEST(CurveTest, WithoutADirectNodeTheSmallestIsTheBaseAndTheTableSaysSo) {
  const Curve curve = curve_of({"dsr", {point(2, {200, 202, 198}), point(4, {360, 362, 358})}, std::nullopt});
  EXPECT_EQ(curve.base.kind, BaseKind::smallest);
  EXPECT_EQ(curve.base.nodes, 2U);
  EXPECT_DOUBLE_EQ(curve.rows[0].drop.value_or(-1), 0);
  EXPECT_DOUBLE_EQ(curve.rows[1].theory.value_or(0), 400);
  EXPECT_NEAR(curve.rows[1].drop.value_or(-1), 10, 1e-9);
  EXPECT_FALSE(curve.rows[1].speed_up) << "X(1) was not measured";
  EXPECT_THAT(curve.base.words(), HasSubstr("2 nodes of the same series"));
}

TEST(CurveTest, PointsAboveTheTheoryAreFlaggedAndNotClipped) {
  const Curve curve = curve_of({"", {point(1, {100}), point(2, {230})}, std::nullopt});
  EXPECT_TRUE(curve.rows[1].super_linear);
  EXPECT_NEAR(curve.rows[1].drop.value_or(0), -15, 1e-9);
  EXPECT_NEAR(curve.rows[1].efficiency.value_or(0), 1.15, 1e-9);
  EXPECT_FALSE(curve.rows[0].super_linear);
}

TEST(CurveTest, WhatIsNoResultTakesNoPart) {
  const Curve curve =
      curve_of({"dsr",
                {point(1, {100}, PointStatus::not_confirmed), point(2, {190}),
                 point(8, {500}, PointStatus::generator_limited), point(16, {}, PointStatus::failed)},
                point(1, {100})});
  EXPECT_EQ(curve.base.kind, BaseKind::direct);
  EXPECT_FALSE(curve.rows[0].measured);
  EXPECT_FALSE(curve.rows[2].measured);
  EXPECT_DOUBLE_EQ(curve.rows[3].theory.value_or(0), 1600);
  ASSERT_NE(curve.last(), nullptr);
  EXPECT_EQ(curve.last()->nodes, 2U);
}

TEST(CurveTest, NothingMeasuredHasNoBase) {
  const Curve curve = curve_of({"dsr", {point(1, {}, PointStatus::failed)}, std::nullopt});
  EXPECT_EQ(curve.base.kind, BaseKind::none);
  EXPECT_EQ(curve.last(), nullptr);
  EXPECT_FALSE(curve.rows[0].theory);
}

TEST(CurveTest, ABaseOfZeroGivesNoPercentages) {
  const Curve curve = curve_of({"", {point(1, {0}), point(2, {0})}, std::nullopt});
  EXPECT_TRUE(curve.rows[1].measured);
  EXPECT_FALSE(curve.rows[1].drop);
  EXPECT_FALSE(curve.rows[1].speed_up);
}

TEST(CapacityTest, ThePapersEstimatesMeasuredAndTheoretical) {
  const ScalingData web = paper_data("web.csv");
  const auto hits = capacity_of(curve_of(web.series[0]), web.unit);
  ASSERT_EQ(hits.size(), 4U);
  EXPECT_EQ(hits[3].what, "hits a day");
  EXPECT_DOUBLE_EQ(hits[3].theoretical, 24 * 60 * 3.2 * 2064);  // the paper's "about 9.5 million"
  EXPECT_DOUBLE_EQ(hits[3].measured, 24 * 60 * 3.2 * 1795);
  const ScalingData mail = paper_data("mail.csv");
  const auto users = capacity_of(curve_of(mail.series[1]), mail.unit);
  ASSERT_EQ(users.size(), 1U);
  EXPECT_DOUBLE_EQ(users[0].theoretical, 24.0 * 232728);
  EXPECT_DOUBLE_EQ(users[0].measured, 24.0 * 209253);
}

TEST(CapacityTest, OtherUnitsHaveNone) {
  EXPECT_TRUE(capacity_of(curve_of(paper_data("web.csv").series[0]), "searches per second").empty());
}

}  // namespace
}  // namespace scalemark::analysis
