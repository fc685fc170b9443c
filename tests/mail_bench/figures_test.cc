#include "mail_bench/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mail_bench/books.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;

TEST(MailFigures, RatesAreCountsOfTheWindowPerHour) {
  Books run;
  run.tally.smtp.window.ended[index_of(Outcome::good)] = 120;
  run.tally.pop3.window_retrieved = 110;
  const IterationFigures figures = run.figures(3);
  EXPECT_EQ(figures.number, 3U);
  EXPECT_EQ(figures.users, 10U);
  EXPECT_EQ(figures.window_seconds, 10);
  EXPECT_FALSE(figures.partial);
  EXPECT_DOUBLE_EQ(figures.operations_per_hour, 36'000);
  EXPECT_DOUBLE_EQ(figures.smtp_per_hour, 43'200);
  EXPECT_DOUBLE_EQ(figures.pop3_per_hour, 39'600);
}

TEST(MailFigures, CountedApartTheSmallerRateIsTheScore) {
  Books run;
  run.plan.pairing = Pairing::independent;
  run.tally.smtp.window.ended[index_of(Outcome::good)] = 120;
  run.tally.pop3.window_retrieved = 110;
  EXPECT_DOUBLE_EQ(run.figures().operations_per_hour, 39'600);
  run.tally.pop3.window_retrieved = 130;
  EXPECT_DOUBLE_EQ(run.figures().operations_per_hour, 43'200);
}

TEST(MailFigures, AWindowThatWasCutCountsAsLongAsItWas) {
  Books run;
  run.tally.window_length = 5s;
  const IterationFigures figures = run.figures();
  EXPECT_TRUE(figures.partial);
  EXPECT_EQ(figures.window_seconds, 5);
  EXPECT_DOUBLE_EQ(figures.operations_per_hour, 72'000);
  EXPECT_EQ(figures.closed - figures.opened, 5s);
}

TEST(MailFigures, WithoutAWindowThereAreNoRates) {
  Books run;
  run.tally.window_length = Duration::max();
  const IterationFigures figures = run.figures();
  EXPECT_TRUE(figures.partial);
  EXPECT_EQ(figures.window_seconds, 0);
  EXPECT_EQ(figures.operations_per_hour, 0);
  EXPECT_EQ(figures.generator.lateness_share, 0);
  EXPECT_EQ(figures.run.good(), Books::kMessages);
}

TEST(MailFigures, TheBooksAreTakenOver) {
  Books run;
  run.tally.steps[static_cast<std::size_t>(Step::operation)].record(1'500, 100);
  run.tally.users_refused = 1;
  run.tally.lag_sum = 500ms;
  run.tally.late_timers = 4;
  run.tally.seconds = {{.good = 9}, {.good = 11, .failed = 1}};
  for (std::uint32_t user = 0; user < 30; ++user) {
    run.tally.unfinished.push_back({user, "smtp", static_cast<double>(user), 0});
  }
  const IterationFigures figures = run.figures();
  EXPECT_EQ(figures.steps, run.tally.steps);
  EXPECT_EQ(figures.ledger, run.tally.ledger);
  EXPECT_EQ(figures.smtp, run.tally.smtp);
  EXPECT_EQ(figures.pop3, run.tally.pop3);
  EXPECT_EQ(figures.users_refused, 1U);
  EXPECT_DOUBLE_EQ(figures.generator.lateness_share, 0.005);
  EXPECT_EQ(figures.generator.late_timers, 4U);
  ASSERT_EQ(figures.series.size(), 2U);
  EXPECT_EQ(figures.series[1].good, 11U);
  ASSERT_EQ(figures.unfinished.size(), 20U);
  EXPECT_EQ(figures.unfinished.front().age_seconds, 29);
}

TEST(MailFigures, WhatBrokeInTheGeneratorVoidsTheIteration) {
  const Books run;
  const IterationFigures figures =
      figures_of(run.tally, run.plan, run.schedule(), 1, {"a generator thread stopped: no memory"});
  EXPECT_THAT(figures.findings.broken, ElementsAre("a generator thread stopped: no memory"));
  EXPECT_EQ(verdict_of(figures.findings).status, Status::void_run);
}

}  // namespace
}  // namespace scalemark::mail
