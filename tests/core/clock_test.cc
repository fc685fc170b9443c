#include "core/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark {
namespace {

using namespace std::chrono_literals;

TEST(ManualClock, StandsStillUntilItIsMoved) {
  ManualClock clock;
  const TimePoint start = clock.now();
  EXPECT_EQ(clock.now(), start);
  clock.advance(1500ms);
  EXPECT_EQ(clock.now() - start, 1500ms);
  clock.advance(1ns);
  EXPECT_EQ(clock.now() - start, 1500ms + 1ns);
  clock.set(start + 1h);
  EXPECT_EQ(clock.now() - start, 1h);
}

TEST(SteadyClock, NeverGoesBack) {
  const SteadyClock clock;
  TimePoint last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const TimePoint now = clock.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, SecondsAndBack) {
  EXPECT_DOUBLE_EQ(to_seconds(1500ms), 1.5);
  EXPECT_EQ(from_seconds(1.5), 1500ms);
  EXPECT_EQ(from_seconds(0.1), 100ms);
  EXPECT_EQ(from_seconds(1.4e-9), 1ns);
  EXPECT_EQ(from_seconds(1.6e-9), 2ns);
  EXPECT_EQ(from_seconds(-0.25), -250ms);
  for (const Duration duration : {0ns, 1ns, 999'999'999ns, 86'400'000'000'001ns}) {
    EXPECT_EQ(from_seconds(to_seconds(duration)), duration);
  }
}

TEST(Clock, ResolutionIsFineEnoughToBeAPositiveFractionOfASecond) {
  EXPECT_GT(clock_resolution(), Duration::zero());
  EXPECT_LT(clock_resolution(), 1s);
}

TEST(Clock, WallTimeIsWrittenInUtc) {
  EXPECT_THAT(utc_now(), ::testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

}  // namespace
}  // namespace scalemark
