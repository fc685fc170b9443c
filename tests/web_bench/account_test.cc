#include "web_bench/account.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;

Schedule window(Duration open, Duration close) {
  return Schedule::plan({open, 0s, close - open, 0s}, true, TimePoint{});
}

TEST(LineCredit, AnOperationInsideTheWindowCountsWhole) {
  EXPECT_DOUBLE_EQ(LineCredit::whole(window(0s, 10s), TimePoint{} + 1s, TimePoint{} + 2s, 50'000), 400'000);
}

TEST(LineCredit, AnOperationAcrossAnEdgeCountsInProportion) {
  const Schedule schedule = window(10s, 20s);
  EXPECT_DOUBLE_EQ(LineCredit::whole(schedule, TimePoint{} + 6s, TimePoint{} + 14s, 1000), 4000);
  EXPECT_DOUBLE_EQ(LineCredit::whole(schedule, TimePoint{} + 18s, TimePoint{} + 26s, 1000), 2000);
  EXPECT_DOUBLE_EQ(LineCredit::whole(schedule, TimePoint{} + 0s, TimePoint{} + 40s, 1000), 2000);
  EXPECT_DOUBLE_EQ(LineCredit::whole(schedule, TimePoint{} + 1s, TimePoint{} + 10s, 1000), 0);
}

TEST(LineCredit, PiecesOfATimelineNeverExceedTheLine) {
  const BitsPerSecond line{400'000};
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const Schedule schedule =
        window(Duration(random.below(5'000'000'000)), 5s + Duration(random.below(9'000'000'000)));
    TimePoint at{};
    double bits = 0;
    while (at < schedule.close) {
      const std::uint64_t bytes = 100 + random.below(900'000);
      const TimePoint end = at + time_on_line(bytes, line);
      bits += LineCredit::whole(schedule, at, end, bytes);
      at = end;
    }
    EXPECT_LE(bits, line.value * to_seconds(schedule.close - schedule.open) * (1 + 1e-9));
    EXPECT_GE(bits, line.value * to_seconds(schedule.close - schedule.open) * (1 - 1e-6));
  }
}

Tally random_tally(std::uint64_t seed) {
  Random random(seed);
  Tally tally(4, random.below(20));
  for (ClassTally& cls : tally.classes) {
    cls.window = {random.below(9), random.below(9), {random.below(9), random.below(9)}, random.below(9)};
    cls.run = {0, random.below(9), {random.below(9)}, random.below(9)};
    cls.window_bytes = random.below(999);
    cls.run_wire_bytes = random.below(999);
    cls.run_body_bytes = random.below(999);
    cls.first_byte.record(random.below(1'000'000));
    cls.last_byte.record(random.below(1'000'000));
  }
  tally.bad_statuses[static_cast<int>(400 + random.below(3))] = random.below(9);
  tally.connections_opened = random.below(99);
  tally.reconnects_idle = random.below(99);
  tally.retries = random.below(99);
  tally.late_timers = random.below(99);
  tally.connect.record(random.below(1000));
  tally.lag.record(random.below(1000));
  tally.lag_sum = Duration(random.below(1000));
  tally.window = 10s + Duration(random.below(1000));
  for (SecondTally& second : tally.seconds) {
    second = {random.below(9), random.below(9), random.below(9), random.below(9)};
  }
  return tally;
}

/// What must not depend on the order of merging (lists of connections and threads are sorted later).
void expect_same(const Tally& a, const Tally& b) {
  for (std::size_t i = 0; i < a.classes.size(); ++i) {
    EXPECT_EQ(a.classes[i].window, b.classes[i].window);
    EXPECT_EQ(a.classes[i].run, b.classes[i].run);
    EXPECT_EQ(a.classes[i].window_bytes, b.classes[i].window_bytes);
    EXPECT_EQ(a.classes[i].run_wire_bytes, b.classes[i].run_wire_bytes);
    EXPECT_EQ(a.classes[i].run_body_bytes, b.classes[i].run_body_bytes);
    EXPECT_EQ(a.classes[i].first_byte, b.classes[i].first_byte);
    EXPECT_EQ(a.classes[i].last_byte, b.classes[i].last_byte);
  }
  EXPECT_EQ(a.bad_statuses, b.bad_statuses);
  EXPECT_EQ(a.connections_opened, b.connections_opened);
  EXPECT_EQ(a.reconnects_idle, b.reconnects_idle);
  EXPECT_EQ(a.retries, b.retries);
  EXPECT_EQ(a.late_timers, b.late_timers);
  EXPECT_EQ(a.connect, b.connect);
  EXPECT_EQ(a.lag, b.lag);
  EXPECT_EQ(a.lag_sum, b.lag_sum);
  EXPECT_EQ(a.window, b.window);
  ASSERT_EQ(a.seconds.size(), b.seconds.size());
  for (std::size_t i = 0; i < a.seconds.size(); ++i) {
    EXPECT_EQ(a.seconds[i].good, b.seconds[i].good);
    EXPECT_EQ(a.seconds[i].failed, b.seconds[i].failed);
    EXPECT_EQ(a.seconds[i].wire_bytes, b.seconds[i].wire_bytes);
    EXPECT_EQ(a.seconds[i].active, b.seconds[i].active);
  }
}

TEST(Tally, MergingIsCommutativeAndAssociativeAndTheEmptyTallyIsNeutral) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Tally a = random_tally(seed * 3);
    const Tally b = random_tally(seed * 3 + 1);
    const Tally c = random_tally(seed * 3 + 2);
    Tally left = a;
    left.merge(b);
    left.merge(c);
    Tally bc = c;
    bc.merge(b);
    Tally right(4, 0);
    right.merge(bc);
    right.merge(a);
    expect_same(left, right);
  }
}

}  // namespace
}  // namespace scalemark::web
