#include "core/metric_figures.h"

#include <gtest/gtest.h>

namespace scalemark {
namespace {

TEST(TimeOf, KnowsEveryFigureInSecondsAndNoOther) {
  Histogram histogram;
  histogram.record(10, 999);
  histogram.record(1'000'000);
  EXPECT_EQ(time_figures(), (std::vector<std::string>{"mean", "p50", "p90", "p99", "p999", "max"}));
  for (const std::string& figure : time_figures()) {
    ASSERT_TRUE(time_of(histogram, figure)) << figure;
    EXPECT_EQ(time_of(histogram, figure)->kind, ValueKind::duration);
  }
  EXPECT_DOUBLE_EQ(time_of(histogram, "p999")->value, 1e-5);
  EXPECT_DOUBLE_EQ(time_of(histogram, "max")->value, 1);
  EXPECT_EQ(time_of(histogram, "p42"), std::nullopt);
}

TEST(TimeOf, NothingHasNoFigure) {
  for (const std::string& figure : time_figures()) {
    EXPECT_EQ(time_of(Histogram(), figure), std::nullopt) << figure;
  }
}

TEST(CountOrShare, IsWhatIsWanted) {
  EXPECT_EQ(count_or_share(3, 4, ValueKind::number), (Metric{3, ValueKind::number}));
  EXPECT_EQ(count_or_share(3, 4, ValueKind::share), (Metric{0.75, ValueKind::share}));
  EXPECT_EQ(count_or_share(0, 0, ValueKind::number), (Metric{0, ValueKind::number}));
  EXPECT_EQ(count_or_share(0, 0, ValueKind::share), std::nullopt);
}

}  // namespace
}  // namespace scalemark
