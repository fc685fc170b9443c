#include "web_bench/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/web_bench/crowd_rig.h"
#include "web_bench/figures.h"
#include "web_bench/metrics.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A run of `connections` users over ten seconds in which nothing went wrong: each moved `bits`.
struct Case {
  WebPlan plan;
  SizedSource source{{500, 5'000, 50'000, 500'000}, {35, 50, 14, 1}};
  Tally tally{4, 10};

  explicit Case(std::uint32_t connections = 100, double rate = 400'000) {
    plan.connections = connections;
    plan.phases.window = 10s;
    tally.window = 10s;
    for (std::uint32_t i = 0; i < connections; ++i) {
      tally.connections.push_back({i, rate * 10, {35, 50, 14, 1}, {}});
    }
    const std::array<std::uint64_t, 4> shares = {35, 50, 14, 1};
    for (std::size_t cls = 0; cls < 4; ++cls) {
      const std::uint64_t count = shares.at(cls) * connections;
      tally.classes[cls].window.issued = count;
      tally.classes[cls].window.ended[0] = count;
      tally.classes[cls].run = tally.classes[cls].window;
    }
    tally.threads.push_back({0, 1.0, 0.1});
  }

  [[nodiscard]] Schedule schedule() const { return Schedule::plan(plan.phases, true, TimePoint{}); }
  [[nodiscard]] IterationFigures figures(std::uint32_t number = 1) const {
    return figures_of(tally, plan, source, schedule(), number);
  }
  [[nodiscard]] Verdict verdict() const { return judge_run({figures()}, plan, false); }

  /// Moves operations of a class from good to an outcome, in the window and in the run.
  void spoil(std::size_t cls, Outcome outcome, std::uint64_t count) {
    for (Accounting* of : {&tally.classes[cls].window, &tally.classes[cls].run}) {
      of->ended[0] -= count;
      of->ended[index_of(outcome)] += count;
    }
  }
};

TEST(Judge, AConnectionConformsAtExactlyTheRateAndNotBelow) {
  EXPECT_EQ(Case(10, 320'000).figures().conforming, 10U);
  EXPECT_EQ(Case(10, 319'999.9).figures().conforming, 0U);
}

TEST(Judge, AGoodRunPassesWithoutReasons) {
  const Verdict verdict = Case().verdict();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_THAT(verdict.reasons, IsEmpty());
}

TEST(Judge, NinetyFivePerCentMustConformUnlessThePlanSaysOtherwise) {
  Case good;
  for (std::size_t i = 0; i < 5; ++i) {
    good.tally.connections[i].bits = 0;
  }
  EXPECT_EQ(good.verdict().status, Status::pass);
  Case poor = good;
  poor.tally.connections[5].bits = 0;
  EXPECT_EQ(poor.verdict().status, Status::fail);
  poor.plan.require = {"conforming>=90%"};
  EXPECT_EQ(poor.verdict().status, Status::pass);
  poor.plan.require = {"conforming>=90%", "operations_per_second>=1e9"};
  EXPECT_EQ(poor.verdict().status, Status::fail);
}

TEST(Judge, OnePerCentOfErrorsIsAllowedPerConnectionAndClassAndNotMore) {
  Case run(1);
  run.tally.connections[0].good = {99, 99, 99, 1};
  run.tally.connections[0].failed = {1, 1, 1, 0};
  EXPECT_EQ(run.figures().valid, 1U);
  run.tally.connections[0].failed = {2, 0, 0, 0};
  EXPECT_EQ(run.figures().valid, 0U);
  EXPECT_EQ(run.figures().erroneous, 1U);
  EXPECT_EQ(run.figures().conforming, 0U);
}

TEST(Judge, OneErrorInTheRareClassSinksNobody) {
  Case run(1);
  run.tally.connections[0].failed = {0, 0, 0, 5};
  EXPECT_EQ(run.figures().valid, 1U);
}

TEST(Judge, AnInvalidConnectionVoidsTheRun) {
  Case run;
  run.tally.connections[3].failed = {1, 0, 0, 0};
  const Verdict verdict = run.verdict();
  EXPECT_EQ(verdict.status, Status::void_run);
  EXPECT_THAT(verdict.reasons, Contains(HasSubstr("1 connections are invalid")));
}

TEST(Judge, TooManyErrorsInTheRareClassOverAllConnectionsVoidTheRun) {
  Case run(1000);
  run.spoil(3, Outcome::reset, 10);
  EXPECT_EQ(run.verdict().status, Status::pass);
  run.spoil(3, Outcome::reset, 1);
  EXPECT_EQ(run.verdict().status, Status::void_run);
}

TEST(Judge, AConnectionThatCompletedNoneOfAClassIsInvalidIfItIsSlowAndEnoughWereExpected) {
  Case run(1);
  run.plan.phases.window = 100s;
  run.tally.window = 100s;
  run.tally.connections[0].good = {3, 3, 0, 0};
  run.tally.connections[0].bits = 100'000.0 * 100;
  EXPECT_EQ(run.figures().valid, 0U);
  EXPECT_EQ(run.figures().erroneous, 0U);
  EXPECT_EQ(run.figures().starved, 1U);
  run.tally.connections[0].bits = 400'000.0 * 100;  // large files filled its line
  EXPECT_EQ(run.figures().valid, 1U);
  run.tally.connections[0].bits = 100'000;
  run.tally.window = 1s;  // too short to expect ten
  EXPECT_EQ(run.figures().valid, 1U);
}

TEST(Judge, AWrongMixVoidsTheRun) {
  Case run(1000);
  run.tally.classes[3].window = {0, 1200, {1200}, 0};  // 1.2 % where 1 % belongs
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons, Contains(HasSubstr("class 3 made up")));
}

TEST(Judge, ShortRunsMayStrayAsFarAsDrawsDo) {
  EXPECT_DOUBLE_EQ(share_tolerance(0.35, 1'000'000), 0.035);
  EXPECT_GT(share_tolerance(0.01, 100), 0.03);
  EXPECT_LT(share_tolerance(0.01, 100'000), 0.0011);
}

TEST(Judge, ALocalFaultVoidsTheRunHoweverRare) {
  Case run(1000);
  run.spoil(1, Outcome::local, 1);
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons, Contains(HasSubstr("descriptors, ports or memory")));
}

TEST(Judge, BooksThatDoNotAddUpVoidTheRun) {
  Case run;
  run.tally.classes[2].run.issued += 1;
  EXPECT_EQ(run.verdict().status, Status::void_run);
}

TEST(Judge, ALateOrBusyGeneratorIsNotASlowServer) {
  Case late(100, 100'000);
  late.tally.lag_sum = Duration(static_cast<Duration::rep>(1e9 * 10 * 100 * 0.016));
  EXPECT_EQ(late.verdict().status, Status::generator_limited);
  late.tally.lag_sum = Duration(static_cast<Duration::rep>(1e9 * 10 * 100 * 0.014));
  EXPECT_EQ(late.verdict().status, Status::fail);
  Case busy(100, 100'000);
  busy.tally.threads[0].window_cpu_share = 0.97;
  EXPECT_EQ(busy.verdict().status, Status::generator_limited);
}

TEST(Judge, NothingButFailuresIsVoid) {
  Case run;
  for (ClassTally& cls : run.tally.classes) {
    cls.window.ended[index_of(Outcome::connect_refused)] = cls.window.ended[0];
    cls.window.ended[0] = 0;
    cls.run = cls.window;
  }
  EXPECT_EQ(run.verdict().status, Status::void_run);
}

TEST(Judge, AWindowShorterThanOneOperationIsSaidToBeThat) {
  Case run;
  for (ClassTally& cls : run.tally.classes) {
    cls.window = {cls.window.issued, 0, {}, cls.window.issued};
    cls.run = cls.window;
  }
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons, Contains(HasSubstr("longer --window")));
  for (ConnectionTally& connection : run.tally.connections) {
    connection.bits = 0;
  }
  EXPECT_EQ(run.verdict().status, Status::fail);  // a server that serves nothing in time is a slow server
}

TEST(Judge, AMissedGoalNamesTheUsersThatWereLeftHanging) {
  Case run(100, 100'000);
  run.tally.classes[1].window.carried_in = 32;
  run.tally.classes[1].window.unfinished = 32;
  run.tally.unfinished.push_back({7, "1", 2.5, 100});
  EXPECT_THAT(run.verdict().reasons,
              Contains(HasSubstr(
                  "32 operations were still in transfer when the window closed, the oldest for 2.5 s")));
}

TEST(Judge, AUserExactlyOnItsLineHoldsIt) {
  Case run(1);
  run.plan.conforming_rate = run.plan.line_speed;
  run.tally.connections[0].bits = 4e6 * (1 - 1e-16) - 1e-9;
  EXPECT_EQ(run.figures().conforming, 1U);
  EXPECT_EQ(run.figures().rate_max, 400'000);
  EXPECT_EQ(run.figures().share_above.back().second, 1);
}

TEST(Judge, TheMedianIterationIsTheScore) {
  std::vector<IterationFigures> iterations(3);
  for (IterationFigures& iteration : iterations) {
    iteration.window_seconds = 10;
  }
  iterations[0].conforming = 90;
  iterations[1].conforming = 100;
  iterations[2].conforming = 95;
  EXPECT_EQ(median_iteration(iterations), 2U);
  iterations[2].conforming = 90;  // a tie at 90: operations per second decide
  iterations[0].operations_per_second = 5;
  iterations[2].operations_per_second = 4;
  EXPECT_EQ(median_iteration(iterations), 0U);
  iterations.pop_back();
  EXPECT_EQ(median_iteration(iterations), 0U);  // of two, the lower
}

TEST(Judge, APartialIterationIsTheScoreOnlyWhenNoneIsComplete) {
  std::vector<IterationFigures> iterations(3);
  for (IterationFigures& iteration : iterations) {
    iteration.window_seconds = 10;
  }
  iterations[0].conforming = 10;
  iterations[1].partial = true;
  iterations[2].partial = true;
  iterations[2].window_seconds = 0;
  EXPECT_EQ(median_iteration(iterations), 0U);
  iterations[0].partial = true;
  iterations[0].window_seconds = 0;
  EXPECT_EQ(median_iteration(iterations), 1U);
  iterations[1].window_seconds = 0;
  EXPECT_EQ(median_iteration(iterations), std::nullopt);
}

TEST(Judge, TheScoreNamesItsIteration) {
  const Case good;
  Case poor(100, 400'000);
  poor.tally.connections[0].bits = 0;
  const Score score = score_of({poor.figures(1), good.figures(2)});
  EXPECT_EQ(score.value, 99);
  EXPECT_EQ(score.iteration, 1U);
  Case unopened;
  unopened.tally.window = 0s;
  EXPECT_TRUE(std::isnan(score_of({unopened.figures()}).value));
  EXPECT_EQ(score_of({unopened.figures()}).iteration, std::nullopt);
}

TEST(Judge, AThreadThatStoppedVoidsTheRunAndBlamesNoServer) {
  Case run;
  run.tally.connections.resize(50);  // the others' books went with their thread
  const IterationFigures figures = figures_of(run.tally, run.plan, run.source, run.schedule(), 1,
                                              {"a generator thread stopped: out of memory"});
  EXPECT_EQ(figures.valid, 50U);
  EXPECT_EQ(figures.starved, 0U);
  const Verdict verdict = judge_run({figures}, run.plan, false);
  EXPECT_EQ(verdict.status, Status::void_run);
  EXPECT_EQ(verdict.reasons.front(), "a generator thread stopped: out of memory");
  EXPECT_THAT(verdict.reasons, Not(Contains(HasSubstr("invalid"))));
}

TEST(Judge, TheOrderOfPrecedenceHoldsAcrossIterations) {
  Case busy;
  busy.tally.threads[0].window_cpu_share = 0.97;
  Case odd;
  odd.spoil(0, Outcome::reset, 100);
  Case broken;
  broken.spoil(1, Outcome::local, 1);
  const auto verdict = [](const Case& one, const Case& other) {
    return judge_run({one.figures(1), other.figures(2)}, one.plan, false);
  };
  EXPECT_EQ(verdict(odd, busy).status, Status::generator_limited);
  EXPECT_EQ(verdict(busy, odd).status, Status::generator_limited);
  EXPECT_THAT(verdict(odd, busy).reasons.front(), HasSubstr("iteration 2: generator thread 1 was busy"));
  EXPECT_EQ(verdict(busy, broken).status, Status::void_run);
  EXPECT_EQ(verdict(Case(), odd).status, Status::void_run);
}

TEST(Judge, AnInterruptedRunSaysSoWhateverElseItIs) {
  const Case run(100, 100'000);
  const Verdict verdict = judge_run({run.figures()}, run.plan, true);
  EXPECT_EQ(verdict.status, Status::interrupted);
  EXPECT_THAT(verdict.reasons, Contains(HasSubstr("ended by the user")));
}

TEST(Judge, AWindowThatNeverOpenedHasNoFigures) {
  Case run;
  run.tally.window = 0s;
  const IterationFigures figures = run.figures();
  EXPECT_TRUE(figures.partial);
  EXPECT_EQ(figures.operations_per_second, 0);
  EXPECT_FALSE(metric_of(figures, "conforming", ValueKind::share).has_value());
}

TEST(Judge, RatesAreInTheOrderOfTheConnectionsWhoeverCarriedThem) {
  Case run(3);
  run.tally.connections = {{2, 30, {}, {}}};
  Tally other(4, 0);
  other.connections = {{0, 10, {}, {}}, {1, 20, {}, {}}};
  run.tally.merge(other);
  EXPECT_THAT(run.figures().connection_rates, ::testing::ElementsAre(1, 2, 3));
}

TEST(Metrics, EveryMetricHasAValueAfterAGoodRun) {
  Case run;
  for (ClassTally& cls : run.tally.classes) {
    cls.first_byte.record(1000);
    cls.last_byte.record(2000);
  }
  run.tally.connect.record(50);
  const IterationFigures figures = run.figures();
  for (const MetricInfo& info : web_metrics()) {
    for (const ValueKind kind : info.kinds) {
      const auto metric = metric_of(figures, info.name, kind);
      ASSERT_TRUE(metric.has_value()) << info.name;
      EXPECT_EQ(metric->kind, kind) << info.name;
    }
  }
  EXPECT_DOUBLE_EQ(metric_of(figures, "conforming", ValueKind::number)->value, 100);
  EXPECT_DOUBLE_EQ(metric_of(figures, "conforming", ValueKind::share)->value, 1);
  EXPECT_DOUBLE_EQ(metric_of(figures, "ttfb_p99", ValueKind::duration)->value, 0.001);
}

}  // namespace
}  // namespace scalemark::web
