#include "analysis/curve_bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::analysis {
namespace {

CurveRow row(unsigned nodes, std::optional<double> measured, double theory) {
  CurveRow row;
  row.nodes = nodes;
  row.measured = measured;
  row.theory = theory;
  return row;
}

TEST(CurveBars, DrawsMeasuredAgainstTheory) {
  Curve curve;
  curve.rows = {row(1, 100, 100), row(2, 150, 200), row(4, 400, 400)};
  EXPECT_EQ(curve_bars(curve, 37),
            "  1 node   #####|                 100\n"
            "  2 nodes  ########  |            150\n"
            "  4 nodes  ####################|  400\n");
}

TEST(CurveBars, AValueAboveItsTheoryKeepsItsLength) {
  Curve curve;
  curve.rows = {row(1, 100, 100), row(2, 400, 200)};
  EXPECT_EQ(curve_bars(curve, 37),
            "  1 node   #####|                 100\n"
            "  2 nodes  ####################|  400\n");
}

TEST(CurveBars, LeavesOutWhatWasNotMeasured) {
  Curve curve;
  curve.rows = {row(1, 100, 100), row(2, std::nullopt, 200)};
  EXPECT_EQ(curve_bars(curve, 72), "") << "one bar is no curve";
  curve.rows.push_back(row(4, 300, 400));
  EXPECT_EQ(curve_bars(curve, 72).find("2 nodes"), std::string::npos);
}

TEST(CurveBars, DrawsNothingWhereThereIsNoRoom) {
  Curve curve;
  curve.rows = {row(1, 100, 100), row(2, 150, 200)};
  EXPECT_EQ(curve_bars(curve, 20), "");
}

}  // namespace
}  // namespace scalemark::analysis
