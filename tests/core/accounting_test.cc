#include "core/accounting.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace scalemark {
namespace {

using namespace std::chrono_literals;

Accounting random_accounting(Random& random) {
  Accounting accounting;
  accounting.carried_in = random.below(10);
  accounting.issued = random.below(1000);
  for (std::uint64_t& count : accounting.ended) {
    count = random.below(50);
  }
  accounting.unfinished = random.below(10);
  return accounting;
}

Accounting merged(Accounting left, const Accounting& right) {
  left.merge(right);
  return left;
}

TEST(Accounting, MergeIsCommutativeAndAssociativeWithAnEmptyNeutral) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const Accounting a = random_accounting(random);
    const Accounting b = random_accounting(random);
    const Accounting c = random_accounting(random);
    EXPECT_EQ(merged(a, b), merged(b, a));
    EXPECT_EQ(merged(merged(a, b), c), merged(a, merged(b, c)));
    EXPECT_EQ(merged(a, Accounting{}), a);
  }
}

TEST(Accounting, AddsUpWhenEverythingThatBeganIsSomewhere) {
  Accounting accounting;
  accounting.carried_in = 2;
  accounting.issued = 10;
  accounting.ended[index_of(Outcome::good)] = 8;
  accounting.ended[index_of(Outcome::reset)] = 1;
  accounting.unfinished = 3;
  EXPECT_TRUE(accounting.adds_up());
  accounting.unfinished = 2;
  EXPECT_FALSE(accounting.adds_up());
}

TEST(Accounting, TheErrorRateIsOfWhatEnded) {
  EXPECT_DOUBLE_EQ(error_rate(99, 1), 0.01);
  EXPECT_DOUBLE_EQ(error_rate(0, 3), 1);
  EXPECT_DOUBLE_EQ(error_rate(0, 0), 0);
}

TEST(UnfinishedOperations, TheOldestComeFirstAndTheRestIsLeftOut) {
  const auto listed = oldest({{4, "a", 1.0, 0}, {2, "a", 3.0, 0}, {1, "b", 2.0, 0}, {0, "b", 3.0, 0}}, 3);
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0].connection, 0U);  // as old as the next: by number
  EXPECT_EQ(listed[1].connection, 2U);
  EXPECT_EQ(listed[2].connection, 1U);
}

TEST(Series, SecondsAreAddedUpWhicheverIsLonger) {
  std::vector<SecondTally> sum = {{1, 2, 3, 4}};
  merge(sum, {{10, 20, 30, 40}, {5, 6, 7, 8}});
  EXPECT_EQ(sum, (std::vector<SecondTally>{{11, 22, 33, 44}, {5, 6, 7, 8}}));
  merge(sum, {});
  EXPECT_EQ(sum.size(), 2U);
}

TEST(Series, EndsWithTheIterationUnlessOperationsStillEnded) {
  const Schedule schedule = Schedule::plan({1s, 0s, 1s, 0s}, true, TimePoint{});
  std::vector<SecondTally> seconds = {{1, 0, 0, 1}, {0, 0, 0, 1}, {0, 1, 0, 0}, {}, {}};
  const auto series = series_of(seconds, schedule);
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[0].phase, "ramp-up");
  EXPECT_EQ(series[1].phase, "window");
  EXPECT_EQ(series[2].phase, "over");
  EXPECT_EQ(series[2].failed, 1U);
}

TEST(Series, AQuietSecondWithinTheDrainDoesNotHideWhatEndedAfterIt) {
  const Schedule schedule = Schedule::plan({0s, 0s, 1s, 0s}, true, TimePoint{});
  const auto series = series_of({{1, 0, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, 0}, {}}, schedule);
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[2].good, 1U);
}

}  // namespace
}  // namespace scalemark
