#include "core/phases.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace scalemark {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kBegin = TimePoint(1000s);
constexpr PhaseLengths kLengths{10s, 5s, 60s, 20s};

TEST(Schedule, ThePhasesFollowOneAnother) {
  const Schedule schedule = Schedule::plan(kLengths, true, kBegin);
  EXPECT_EQ(schedule.begin, kBegin);
  EXPECT_EQ(schedule.ramped, kBegin + 10s);
  EXPECT_EQ(schedule.open, kBegin + 15s);
  EXPECT_EQ(schedule.close, kBegin + 75s);
  EXPECT_EQ(schedule.end, kBegin + 95s);
}

TEST(Schedule, OnlyTheFirstIterationHasAWarmUp) {
  const Schedule schedule = Schedule::plan(kLengths, false, kBegin);
  EXPECT_EQ(schedule.open, schedule.ramped);
  EXPECT_EQ(schedule.close, kBegin + 70s);
  EXPECT_EQ(schedule.end, kBegin + 90s);
}

TEST(Schedule, EachPhaseIncludesItsFirstInstantAndExcludesItsLast) {
  const Schedule schedule = Schedule::plan(kLengths, true, kBegin);
  EXPECT_EQ(schedule.at(schedule.begin), Phase::ramp_up);
  EXPECT_EQ(schedule.at(schedule.ramped - 1ns), Phase::ramp_up);
  EXPECT_EQ(schedule.at(schedule.ramped), Phase::warm_up);
  EXPECT_EQ(schedule.at(schedule.open - 1ns), Phase::warm_up);
  EXPECT_EQ(schedule.at(schedule.open), Phase::window);
  EXPECT_EQ(schedule.at(schedule.close - 1ns), Phase::window);
  EXPECT_EQ(schedule.at(schedule.close), Phase::ramp_down);
  EXPECT_EQ(schedule.at(schedule.end - 1ns), Phase::ramp_down);
  EXPECT_EQ(schedule.at(schedule.end), Phase::over);
  EXPECT_EQ(schedule.at(schedule.end + 1h), Phase::over);
}

TEST(Schedule, PhasesOfNoLengthAreSkipped) {
  const Schedule schedule = Schedule::plan({0s, 0s, 1s, 0s}, true, kBegin);
  EXPECT_EQ(schedule.at(kBegin), Phase::window);
  EXPECT_EQ(schedule.at(kBegin + 1s), Phase::over);
  EXPECT_EQ(schedule.start_of(7, 10), kBegin);
  EXPECT_EQ(schedule.stop_of(7, 10), kBegin + 1s);
}

TEST(Schedule, UsersStartAndStopEvenly) {
  const Schedule schedule = Schedule::plan(kLengths, true, kBegin);
  EXPECT_EQ(schedule.start_of(0, 4), kBegin);
  EXPECT_EQ(schedule.start_of(1, 4), kBegin + 2500ms);
  EXPECT_EQ(schedule.start_of(3, 4), kBegin + 7500ms);
  EXPECT_EQ(schedule.stop_of(0, 4), schedule.close + 5s);
  EXPECT_EQ(schedule.stop_of(3, 4), schedule.end);
}

TEST(Schedule, StartsAndStopsAreOrderedAndInsideTheirPhases) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto length = [&] { return Duration(static_cast<Duration::rep>(random.below(2'000'000'000'000))); };
    const Schedule schedule =
        Schedule::plan({length(), length(), length(), length()}, trial % 2 == 0, kBegin);
    const auto users = static_cast<std::uint32_t>(1 + random.below(1000));
    TimePoint last_start = schedule.begin;
    TimePoint last_stop = schedule.close;
    for (std::uint32_t user = 0; user < users; ++user) {
      const TimePoint start = schedule.start_of(user, users);
      const TimePoint stop = schedule.stop_of(user, users);
      ASSERT_GE(start, last_start);
      ASSERT_LE(start, schedule.ramped);
      ASSERT_GE(stop, last_stop);
      ASSERT_LE(stop, schedule.end);
      last_start = start;
      last_stop = stop;
    }
    EXPECT_EQ(last_stop, schedule.end);
  }
}

TEST(Schedule, InsideWindowIsTheOverlap) {
  const Schedule schedule = Schedule::plan(kLengths, true, kBegin);
  const TimePoint open = schedule.open;
  const TimePoint close = schedule.close;
  EXPECT_EQ(schedule.inside_window(open + 1s, open + 3s), 2s);
  EXPECT_EQ(schedule.inside_window(open - 1s, open + 3s), 3s);
  EXPECT_EQ(schedule.inside_window(close - 1s, close + 3s), 1s);
  EXPECT_EQ(schedule.inside_window(open - 1s, close + 1s), 60s);
  EXPECT_EQ(schedule.inside_window(open, close), 60s);
}

TEST(Schedule, InsideWindowIsZeroOutsideAndForNoStretch) {
  const Schedule schedule = Schedule::plan(kLengths, true, kBegin);
  EXPECT_EQ(schedule.inside_window(schedule.begin, schedule.open), 0s);
  EXPECT_EQ(schedule.inside_window(schedule.close, schedule.end), 0s);
  EXPECT_EQ(schedule.inside_window(schedule.open + 2s, schedule.open + 2s), 0s);
  EXPECT_EQ(schedule.inside_window(schedule.open + 3s, schedule.open + 2s), 0s);
}

TEST(Phase, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Phase phase : {Phase::ramp_up, Phase::warm_up, Phase::window, Phase::ramp_down, Phase::over}) {
    names.insert(name_of(phase));
  }
  EXPECT_EQ(names.size(), 5U);
  EXPECT_EQ(name_of(Phase::ramp_up), "ramp-up");
}

}  // namespace
}  // namespace scalemark
