#include "analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scalemark::analysis {
namespace {

TEST(MomentsTest, OfAHandfulOfValues) {
  const Moments moments = moments_of({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(moments.count, 8U);
  EXPECT_DOUBLE_EQ(moments.mean, 5);
  EXPECT_NEAR(moments.deviation, 2.13809, 1e-5);  // n - 1
  EXPECT_EQ(moments.min, 2);
  EXPECT_EQ(moments.max, 9);
}

TEST(MomentsTest, OfNothingAndOfOneValue) {
  EXPECT_EQ(moments_of({}).count, 0U);
  EXPECT_EQ(moments_of({3}).deviation, 0);
}

TEST(QuantileTest, InterpolatesAndSurvivesInfinities) {
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 3, 4}, 1), 4);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantile_of({infinite, infinite}, 0.3), infinite);
  EXPECT_EQ(quantile_of({1, infinite}, 0), 1);
  EXPECT_EQ(median_of({5, 1, 3}), 3);
}

// t(2) at 97.5 % is 4.30265 in every table: mean 10, s = 1, half width 4.30265 / sqrt(3).
TEST(MeanIntervalTest, IsStudents) {
  const auto interval = mean_interval({9, 10, 11});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 10 - 4.30265 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(interval->high, 10 + 4.30265 / std::sqrt(3.0), 1e-4);
}

TEST(MeanIntervalTest, OneValueHasNone) {
  EXPECT_FALSE(mean_interval({9}));
  EXPECT_FALSE(mean_interval({}));
}

// Newcombe 1998, table I: 81 of 263 and 15 of 148, 0 of 20 and 1 of 29.
TEST(ShareIntervalTest, IsWilsons) {
  const auto check = [](double hits, double trials, double low, double high) {
    const auto interval = share_interval(hits, trials);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->low, low, 5e-5);
    EXPECT_NEAR(interval->high, high, 5e-5);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0000, 0.1611);
  check(1, 29, 0.0061, 0.1718);
}

TEST(ShareIntervalTest, NothingTriedSaysNothing) {
  EXPECT_FALSE(share_interval(0, 0));
}

// Two samples of five without overlap: U = 25, two-sided p = 2 / C(10, 5) = 2 / 252.
TEST(RankTestTest, CountsSmallSamplesOut) {
  const auto test = rank_test({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10});
  ASSERT_TRUE(test);
  EXPECT_TRUE(test->exact);
  EXPECT_EQ(test->u, 25);
  EXPECT_NEAR(test->p, 2.0 / 252, 1e-12);
  EXPECT_EQ(test->effect, 1);
}

// The tables' critical value for 5 and 5 at 5 % two-sided is U = 2: 2 is significant, 3 is not.
TEST(RankTestTest, AgreesWithTheTablesCriticalValue) {
  const auto at_two = rank_test({3, 7, 8, 9, 10}, {1, 2, 4, 5, 6});
  ASSERT_TRUE(at_two);
  EXPECT_EQ(at_two->u, 3);
  EXPECT_GT(at_two->p, 0.05);
  const auto at_one = rank_test({4, 7, 8, 9, 10}, {1, 2, 3, 5, 6});
  ASSERT_TRUE(at_one);
  EXPECT_EQ(at_one->u, 2);
  EXPECT_LT(at_one->p, 0.05);
  EXPECT_LT(at_one->effect, 0);
}

TEST(RankTestTest, EqualSamplesDoNotDiffer) {
  const auto test = rank_test({5, 5, 5}, {5, 5, 5});
  ASSERT_TRUE(test);
  EXPECT_EQ(test->p, 1);
  EXPECT_EQ(test->effect, 0);
  EXPECT_FALSE(rank_test({}, {1}));
}

TEST(RankTestTest, SwappingTheSidesTurnsTheEffectAndKeepsP) {
  const std::vector<double> a = {1, 4, 4, 6, 9, 12};
  const std::vector<double> b = {2, 4, 7, 8, 10};
  const auto there = rank_test(a, b);
  const auto back = rank_test(b, a);
  ASSERT_TRUE(there && back);
  EXPECT_DOUBLE_EQ(there->p, back->p);
  EXPECT_DOUBLE_EQ(there->effect, -back->effect);
}

}  // namespace
}  // namespace scalemark::analysis
