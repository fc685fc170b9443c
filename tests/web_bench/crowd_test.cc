#include "web_bench/crowd.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/web_bench/crowd_rig.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;

constexpr BitsPerSecond kLine{400'000};

TEST(Crowd, PacesTheNextOperationAfterTheLastOne) {
  // 600 Kb received in 1 s on a 400 Kb/s line: ideal 1.5 s, so the user waits 0.5 s more.
  CrowdRig rig({75'000}, {1});
  rig.transport.transfer_time = 1s;
  rig.begin();
  rig.run_until(4s);
  ASSERT_GE(rig.transport.log.size(), 3U);
  EXPECT_EQ(rig.transport.log[1].at - rig.transport.log[0].at, 1500ms);
  EXPECT_EQ(rig.transport.log[2].at - rig.transport.log[1].at, 1500ms);
}

TEST(Crowd, EarnsNoCreditFromASlowOperation) {
  CrowdRig rig({50'000}, {1});  // 1 s on the line
  rig.begin();
  rig.transport.transfer_time = 3s;
  rig.run_until(3s);  // the first took 3 s: the second starts at once
  ASSERT_EQ(rig.transport.log.size(), 2U);
  EXPECT_EQ(rig.transport.log[1].at, TimePoint{} + 3s);
  rig.transport.transfer_time = 1ms;
  rig.run_until(5s);  // and is paced as ever
  ASSERT_GE(rig.transport.log.size(), 3U);
  EXPECT_EQ(rig.transport.log[2].at, TimePoint{} + 4s);
}

TEST(Crowd, AConnectionOnAFastServerHoldsItsLineAndNeverMore) {
  CrowdRig rig({500, 5'000, 50'000, 500'000}, {35, 50, 14, 1});
  rig.plan.phases = {2s, 3s, 20s, 1s};
  rig.plan.connections = 40;
  rig.begin();
  rig.run();
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_LE(rig.rate(i), kLine.value * (1 + 1e-12));
    EXPECT_GE(rig.rate(i), kLine.value * 0.985);
  }
}

TEST(Crowd, ALargeFileThatOutlastsTheWindowDoesNotExceedTheLine) {
  CrowdRig rig({900'000}, {1});  // 18 s on the line, there in a millisecond
  rig.plan.phases = {0s, 5s, 10s, 0s};
  rig.begin();
  rig.run();
  EXPECT_NEAR(rig.rate(), kLine.value, 1);
}

TEST(Crowd, AnOperationInTransferAtTheCloseIsCreditedWithWhatArrivedInside) {
  CrowdRig rig({900'000}, {1});
  rig.transport.answers = false;
  rig.plan.phases = {0s, 5s, 10s, 0s};
  rig.begin();
  rig.transport.bytes_so_far[0] = 100'000;  // before the window
  rig.run_until(6s);
  rig.transport.bytes_so_far[0] = 350'000;
  rig.run_until(20s);
  EXPECT_DOUBLE_EQ(rig.tally().connections[0].bits, 250'000.0 * 8);
  EXPECT_EQ(rig.tally().classes[0].window.carried_in, 1U);
  EXPECT_EQ(rig.tally().classes[0].window.unfinished, 1U);
  ASSERT_EQ(rig.tally().unfinished.size(), 1U);
  EXPECT_DOUBLE_EQ(rig.tally().unfinished[0].age_seconds, 15);
}

TEST(Crowd, TheCreditOfAnUnfinishedOperationIsCappedAtTheLine) {
  CrowdRig rig({9'000'000}, {1});
  rig.transport.answers = false;
  rig.plan.phases = {0s, 0s, 10s, 0s};
  rig.begin();
  rig.run_until(1s);
  rig.transport.bytes_so_far[0] = 5'000'000;
  rig.run_until(20s);
  EXPECT_DOUBLE_EQ(rig.tally().connections[0].bits, 400'000.0 * 10);
}

TEST(Crowd, AnOperationThatEndsAfterTheCloseIsNotCreditedTwice) {
  CrowdRig rig({50'000}, {1});
  rig.transport.transfer_time = 8s;
  rig.plan.phases = {0s, 0s, 10s, 5s};
  rig.begin();
  rig.transport.bytes_so_far[0] = 0;  // nothing had arrived of the second when the window closed
  rig.run();
  EXPECT_DOUBLE_EQ(rig.tally().connections[0].bits, 50'000.0 * 8);
}

TEST(Crowd, FailuresTakeTimeAndBringNothing) {
  CrowdRig rig({50'000}, {1});
  rig.transport.change = [](const auto&, ExchangeResult& result) { result.outcome = Outcome::closed_early; };
  rig.plan.failure_pause = 500ms;
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().connections[0].bits, 0);
  EXPECT_EQ(rig.tally().classes[0].run.good(), 0U);
  // 10 s of window at one failure each 500 ms: a dead server is not a reason to spin.
  EXPECT_EQ(rig.tally().classes[0].run.failed(), 20U);
}

TEST(Crowd, TheBooksAddUpAtEveryEdge) {
  for (const Duration transfer : {1ms, 300ms, 2'500ms, 30'000ms}) {
    CrowdRig rig({500, 5'000, 50'000, 500'000}, {35, 50, 14, 1});
    rig.plan.connections = 23;
    rig.plan.phases = {1s, 1s, 7s, 2s};
    rig.transport.transfer_time = transfer;
    int count = 0;
    rig.transport.change = [&count](const auto&, ExchangeResult& result) {
      if (++count % 7 == 0) {
        result.outcome = Outcome::reset;
      }
    };
    rig.begin();
    rig.run_until(15s);
    ASSERT_TRUE(rig.crowd->done());
    std::uint64_t issued = 0;
    for (const ClassTally& cls : rig.tally().classes) {
      EXPECT_TRUE(cls.window.adds_up());
      EXPECT_TRUE(cls.run.adds_up());
      EXPECT_EQ(cls.run.carried_in, 0U);
      issued += cls.run.issued;
    }
    EXPECT_EQ(issued, rig.transport.log.size());
  }
}

TEST(Crowd, AStaleConnectionIsRetriedOnceAndCounted) {
  CrowdRig rig({5'000}, {1});
  rig.transport.change = [](const ScriptedTransport::Started& started, ExchangeResult& result) {
    if (!started.exchange.fresh_connection) {
      result.outcome = Outcome::closed_early;
      result.stale = true;
    }
  };
  rig.begin();
  rig.run_until(50ms);
  ASSERT_GE(rig.transport.log.size(), 2U);
  EXPECT_FALSE(rig.transport.log[0].exchange.fresh_connection);
  EXPECT_TRUE(rig.transport.log[1].exchange.fresh_connection);
  EXPECT_EQ(rig.transport.log[0].exchange.item, rig.transport.log[1].exchange.item);
  EXPECT_EQ(rig.tally().retries, 1U);
  EXPECT_EQ(rig.tally().classes[0].run.issued, 1U);
  EXPECT_EQ(rig.tally().classes[0].run.good(), 1U);
}

TEST(Crowd, DealsTheMixExactly) {
  CrowdRig rig({500, 5'000, 50'000, 500'000}, {35, 50, 14, 1});
  rig.plan.connections = 10;
  rig.plan.phases.window = 600s;
  rig.begin();
  rig.run();
  const std::size_t whole = rig.transport.log.size() / 100 * 100;
  ASSERT_GT(whole, 1000U);
  std::array<std::size_t, 4> dealt{};
  for (std::size_t i = 0; i < whole; ++i) {
    ++dealt.at(rig.transport.log[i].exchange.item);
  }
  EXPECT_EQ(dealt[0], whole * 35 / 100);
  EXPECT_EQ(dealt[1], whole * 50 / 100);
  EXPECT_EQ(dealt[2], whole * 14 / 100);
  EXPECT_EQ(dealt[3], whole * 1 / 100);
}

TEST(Crowd, ConnectionsCarryWhatTheKeepAlivePlanDraws) {
  CrowdRig rig({500}, {1});
  rig.plan.connections = 50;
  rig.plan.phases.window = 120s;
  rig.begin();
  rig.run();
  std::map<LocalUser, std::uint32_t> carried;
  std::uint64_t persistent = 0;
  std::uint64_t requests = 0;
  for (const auto& started : rig.transport.log) {
    const std::uint32_t on_this = ++carried[started.user];
    if (!started.exchange.last_on_connection) {
      continue;
    }
    EXPECT_TRUE(on_this == 1 || (on_this >= 5 && on_this <= 15)) << on_this;
    persistent += on_this > 1 ? on_this : 0;
    requests += on_this;
    carried[started.user] = 0;
  }
  ASSERT_GT(requests, 100'000U);
  EXPECT_NEAR(static_cast<double>(persistent) / static_cast<double>(requests), 0.70, 0.01);
}

TEST(Crowd, UsersStartEvenlyOverTheRampUpAndStopEvenlyOverTheRampDown) {
  CrowdRig rig({500}, {1});
  rig.plan.connections = 10;
  rig.plan.phases = {10s, 0s, 5s, 10s};
  rig.begin();
  rig.run();
  std::map<LocalUser, TimePoint> first;
  std::map<LocalUser, TimePoint> last;
  for (const auto& started : rig.transport.log) {
    first.emplace(started.user, started.at);
    last[started.user] = started.at;
  }
  for (LocalUser user = 0; user < 10; ++user) {
    EXPECT_EQ(first[user], TimePoint{} + user * 1s);
    EXPECT_LT(last[user], TimePoint{} + 15s + (user + 1) * 1s);
    EXPECT_GE(last[user], TimePoint{} + 15s + (user + 1) * 1s - 50ms);
  }
}

TEST(Crowd, WhatAUserAsksForDoesNotDependOnTheNumberOfWorkers) {
  const auto keep_alive_of = [](std::uint32_t workers) {
    std::map<std::uint32_t, std::vector<bool>> lasts;
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
      CrowdRig rig({500}, {1});
      rig.plan.connections = 7;
      const UserShare share{worker, workers, 7};
      rig.begin(share);
      rig.run();
      for (const auto& started : rig.transport.log) {
        lasts[share.global(started.user)].push_back(started.exchange.last_on_connection);
      }
    }
    return lasts;
  };
  const auto alone = keep_alive_of(1);
  EXPECT_EQ(alone.size(), 7U);
  EXPECT_EQ(keep_alive_of(3), alone);
}

TEST(Crowd, ACutEndsTheWindowThereAndJudgesTheShorterOne) {
  CrowdRig rig({900'000}, {1});
  rig.plan.phases = {0s, 0s, 60s, 10s};
  rig.begin();
  rig.run_until(4s);
  rig.crowd->cut(rig.clock.now() + 1s);
  rig.run();
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(rig.tally().window, 5s);
  EXPECT_NEAR(rig.rate(), kLine.value, 1);
}

TEST(Crowd, TheDrainBoundsTheWaitForTransfersWhichCountAsUnfinished) {
  for (const auto& [drain, unfinished] : {std::pair{0ms, 1U}, {2'999ms, 1U}, {3'001ms, 0U}}) {
    CrowdRig rig({900'000}, {1});
    rig.plan.phases = {0s, 0s, 10s, 2s};
    rig.plan.drain = drain;
    rig.transport.transfer_time = 15s;  // from 0 s; the ramp-down ends at 12 s
    rig.begin();
    rig.run();
    EXPECT_TRUE(rig.crowd->done());
    const ClassTally& tally = rig.tally().classes[0];
    EXPECT_EQ(tally.run.unfinished, unfinished) << drain.count();
    EXPECT_EQ(tally.run.good(), 1U - unfinished);
    EXPECT_EQ(tally.run.failed(), 0U);
    EXPECT_TRUE(tally.run.adds_up());
    EXPECT_EQ(rig.transport.dropped, std::vector<LocalUser>{0});
  }
}

TEST(Crowd, TheDrainDoesNotChangeWhatTheWindowHolds) {
  const auto bits = [](Duration drain) {
    CrowdRig rig({900'000}, {1});
    rig.plan.phases = {0s, 0s, 10s, 0s};
    rig.plan.drain = drain;
    rig.transport.transfer_time = 15s;
    rig.begin();
    rig.transport.bytes_so_far[0] = 400'000;
    rig.run();
    EXPECT_EQ(rig.tally().classes[0].window.unfinished, 1U);
    return rig.tally().connections[0].bits;
  };
  EXPECT_DOUBLE_EQ(bits(0s), 400'000.0 * 8);
  EXPECT_DOUBLE_EQ(bits(60s), 400'000.0 * 8);
}

TEST(Crowd, UsersThatOnlyWaitForTheirLineAreNotDrained) {
  CrowdRig rig({900'000}, {1});  // there in 1 ms, paid for over 18 s
  rig.plan.phases = {0s, 0s, 5s, 0s};
  rig.plan.drain = 60s;
  rig.begin();
  rig.run_until(5s);
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(rig.tally().classes[0].run.good(), 1U);
}

TEST(Crowd, AfterACutALongDrainIsNotWaitedFor) {
  CrowdRig rig({900'000}, {1});
  rig.plan.phases = {0s, 0s, 60s, 0s};
  rig.plan.drain = 60s;
  rig.transport.answers = false;
  rig.begin();
  rig.run_until(4s);
  rig.crowd->cut(rig.clock.now() + 1s);
  rig.run_until(5s + Crowd::kCutDrain);
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(rig.tally().classes[0].run.unfinished, 1U);
}

TEST(Crowd, LateTimersAreSeenAsLag) {
  CrowdRig rig({5'000}, {1});  // 100 ms on the line
  rig.begin();
  rig.run_until(50ms);
  rig.clock.set(TimePoint{} + 130ms);  // the wait ended at 100 ms
  rig.crowd->wake();
  EXPECT_EQ(rig.tally().late_timers, 1U);
  EXPECT_EQ(rig.tally().lag.max(), 30'000U);
}

TEST(Crowd, AStallAcrossTheCloseIsLagAndNotTheServersFault) {
  CrowdRig rig({5'000}, {1});  // 100 ms on the line
  rig.plan.connections = 10;
  rig.plan.phases.window = 4s;
  rig.begin();
  rig.run_until(3050ms);
  rig.clock.set(TimePoint{} + 5s);  // nothing was done from here to behind the close
  rig.crowd->wake();
  EXPECT_GE(rig.tally().lag_sum, 10 * 800ms);
  EXPECT_GE(rig.tally().lag.max(), 800'000U);
}

TEST(Crowd, BodyPacingLeavesTheHeadOut) {
  CrowdRig rig({5'000}, {1});
  rig.plan.pace_bytes = PaceBytes::body;
  rig.transport.change = [](const auto&, ExchangeResult& result) { result.wire_bytes += 1'000; };
  rig.begin();
  rig.run_until(150ms);
  ASSERT_EQ(rig.transport.log.size(), 2U);
  EXPECT_EQ(rig.transport.log[1].at, TimePoint{} + 100ms);
}

TEST(Crowd, SecondsHoldWhatEndedInThem) {
  CrowdRig rig({5'000}, {1});
  rig.plan.phases.window = 3s;
  rig.begin();
  rig.run();
  std::uint64_t good = 0;
  for (const SecondTally& second : rig.tally().seconds) {
    good += second.good;
    EXPECT_LE(second.good, 11U);
  }
  EXPECT_EQ(good, rig.tally().classes[0].run.good());
}

TEST(KeepAlivePlan, SevenIn37ConnectionsArePersistent) {
  const KeepAlivePlan plan(0.7, 5, 15);
  EXPECT_NEAR(plan.persistent_probability(), 7.0 / 37.0, 1e-12);
  EXPECT_NEAR(plan.mean_requests(), 2.7027, 1e-4);
}

TEST(KeepAlivePlan, TheExtremesAreCertain) {
  Random random(1);
  const KeepAlivePlan always(1, 8, 8);
  const KeepAlivePlan never(0, 5, 15);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(always.draw(random), 8U);
    EXPECT_EQ(never.draw(random), 1U);
  }
}

}  // namespace
}  // namespace scalemark::web
