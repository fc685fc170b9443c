#include "mail_bench/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/mail_bench/books.h"

namespace scalemark::mail {
namespace {

double number_of(const IterationFigures& figures, std::string_view name) {
  const auto metric = metric_of(figures, name, ValueKind::number);
  EXPECT_TRUE(metric) << name;
  return metric ? metric->value : -1;
}

TEST(MailMetrics, EveryNameHasAValueOfTheKindsItSays) {
  Books run;
  for (Histogram& step : run.tally.steps) {
    step.record(1'000);
  }
  const IterationFigures figures = run.figures();
  std::set<std::string> names;
  for (const MetricInfo& info : mail_metrics()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    for (const ValueKind kind : info.kinds) {
      const auto metric = metric_of(figures, info.name, kind);
      ASSERT_TRUE(metric) << info.name;
      EXPECT_EQ(metric->kind, kind) << info.name;
    }
  }
}

TEST(MailMetrics, CountsCanBeSharesToo) {
  Books run;
  run.spoil(MessageClass::refused, 4);
  run.tally.pop3.locked = 10;
  run.tally.users_refused = 5;
  run.tally.ledger.late = 2;
  const IterationFigures figures = run.figures();
  EXPECT_EQ(number_of(figures, "refused"), 4);
  EXPECT_EQ(metric_of(figures, "refused", ValueKind::share), (Metric{0.04, ValueKind::share}));
  EXPECT_EQ(metric_of(figures, "errors", ValueKind::share), (Metric{0.04, ValueKind::share}));
  EXPECT_EQ(metric_of(figures, "locked_logins", ValueKind::share), (Metric{0.1, ValueKind::share}));
  EXPECT_EQ(metric_of(figures, "users_refused", ValueKind::share), (Metric{0.5, ValueKind::share}));
  EXPECT_EQ(metric_of(figures, "late", ValueKind::share), (Metric{0.02, ValueKind::share}));
  EXPECT_EQ(number_of(figures, "verified"), 96);
}

TEST(MailMetrics, RatesArePlainNumbers) {
  const IterationFigures figures = Books().figures();
  EXPECT_EQ(number_of(figures, "operations_per_hour"), 36'000);
  EXPECT_EQ(number_of(figures, "operations_per_second"), 10);
  EXPECT_EQ(number_of(figures, "smtp_per_hour"), 36'000);
  EXPECT_EQ(number_of(figures, "pop3_per_hour"), 36'000);
}

TEST(MailMetrics, TimesAreOfOneStep) {
  Books run;
  run.tally.steps[static_cast<std::size_t>(Step::smtp_dot)].record(2'000'000);
  run.tally.steps[static_cast<std::size_t>(Step::operation)].record(3'000'000);
  const IterationFigures figures = run.figures();
  EXPECT_EQ(metric_of(figures, "smtp_dot_max", ValueKind::duration), (Metric{2, ValueKind::duration}));
  EXPECT_EQ(metric_of(figures, "operation_mean", ValueKind::duration), (Metric{3, ValueKind::duration}));
  EXPECT_FALSE(metric_of(figures, "visible_p99", ValueKind::duration)) << "nothing was timed";
  EXPECT_FALSE(metric_of(figures, "operation_p98", ValueKind::duration));
  EXPECT_FALSE(metric_of(figures, "operation", ValueKind::duration));
}

TEST(MailMetrics, WithoutAWindowThereIsNone) {
  Books run;
  run.tally.window_length = Duration::max();
  EXPECT_FALSE(metric_of(run.figures(), "operations_per_hour", ValueKind::number));
}

}  // namespace
}  // namespace scalemark::mail
