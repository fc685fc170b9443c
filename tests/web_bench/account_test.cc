#include "web_bench/account.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

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

/// Of worker seed mod 3, so that three in a row are those of a run.
Tally random_tally(std::uint32_t seed) {
  Random random(seed);
  const std::uint32_t worker = seed % 3;
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
  tally.threads.push_back({worker, static_cast<double>(random.below(99)), 0.5});
  for (std::uint32_t local = 0; local < 3; ++local) {
    const std::uint32_t number = worker + 3 * (2 - local);
    const auto count = [&random] { return static_cast<std::uint32_t>(random.below(9)); };
    tally.connections.push_back({number, static_cast<double>(random.below(999)), {count()}, {count()}});
    tally.unfinished.push_back({number, "1", static_cast<double>(random.below(3)), random.below(99)});
  }
  std::sort(tally.connections.begin(), tally.connections.end());
  std::sort(tally.unfinished.begin(), tally.unfinished.end());
  for (SecondTally& second : tally.seconds) {
    second = {random.below(9), random.below(9), random.below(9), random.below(9)};
  }
  return tally;
}

TEST(Tally, MergingIsCommutativeAndAssociativeAndTheEmptyTallyIsNeutral) {
  for (std::uint32_t round = 0; round < 50; ++round) {
    const std::array<Tally, 3> of = {random_tally(round * 3), random_tally(round * 3 + 1),
                                     random_tally(round * 3 + 2)};
    Tally first(4, 0);
    for (const Tally& tally : of) {
      first.merge(tally);
    }
    EXPECT_EQ(first.connections.size(), 9U);
    for (const auto& [a, b, c] : {std::tuple(0, 2, 1), {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      Tally left = of.at(static_cast<std::size_t>(a));
      left.merge(of.at(static_cast<std::size_t>(b)));
      left.merge(of.at(static_cast<std::size_t>(c)));
      EXPECT_EQ(left, first);
      Tally pair = of.at(static_cast<std::size_t>(b));
      pair.merge(of.at(static_cast<std::size_t>(c)));
      Tally right(4, 0);
      right.merge(pair);
      right.merge(of.at(static_cast<std::size_t>(a)));
      EXPECT_EQ(right, first);
    }
  }
}

TEST(Tally, ListsAreInTheOrderOfTheirNumbersOnceMerged) {
  Tally merged(4, 0);
  for (const std::uint32_t worker : {2U, 0U, 1U}) {
    merged.merge(random_tally(worker));
  }
  for (std::uint32_t i = 0; i < 9; ++i) {
    EXPECT_EQ(merged.connections[i].number, i);
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(merged.threads[i].worker, i);
  }
}

}  // namespace
}  // namespace scalemark::web
