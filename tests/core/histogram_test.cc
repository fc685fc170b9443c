#include "core/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"

namespace scalemark {
namespace {

/// Values of every magnitude up to and beyond the histogram's top.
std::uint64_t any_value(Random& random) {
  return random() >> (20 + random.below(44));
}

void expect_close(double read, std::uint64_t value) {
  EXPECT_LE(std::abs(read - static_cast<double>(value)), static_cast<double>(value) / 128) << value;
}

TEST(Histogram, IsZeroThroughoutWhenEmpty) {
  const Histogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.overflow(), 0U);
  EXPECT_EQ(empty.min(), 0U);
  EXPECT_EQ(empty.max(), 0U);
  EXPECT_EQ(empty.mean(), 0);
  EXPECT_EQ(empty.quantile(0.99), 0);
  empty.for_each_bucket([](auto...) { ADD_FAILURE() << "an empty histogram has no bucket"; });
}

TEST(Histogram, ReadsEveryValueBackToWithinOneIn128) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = 1; value <= Histogram::kTop; value *= 2) {
    values.insert(values.end(), {value - 1, value, value + 1, value + value / 2});
  }
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    values.push_back(random() & Histogram::kTop);
  }
  for (const std::uint64_t value : values) {
    if (value > Histogram::kTop) {
      continue;
    }
    // The ends keep the clamp to [min, max] from hiding the bucket's width.
    Histogram histogram;
    histogram.record(0);
    histogram.record(value);
    histogram.record(Histogram::kTop);
    expect_close(histogram.quantile(0.5), value);
  }
}

TEST(Histogram, KeepsSmallValuesApart) {
  Histogram histogram;
  for (std::uint64_t value = 0; value < 128; ++value) {
    histogram.record(value);
  }
  std::uint64_t expected = 0;
  histogram.for_each_bucket([&](std::uint64_t low, std::uint64_t high, std::uint64_t count) {
    EXPECT_EQ(low, expected);
    EXPECT_EQ(high, expected);
    EXPECT_EQ(count, 1U);
    ++expected;
  });
  EXPECT_EQ(expected, 128U);
}

TEST(Histogram, BucketsCoverTheRangeWithoutGapOrOverlap) {
  Histogram histogram;
  std::vector<std::uint64_t> highs;
  for (std::uint64_t next = 0; next <= Histogram::kTop;) {
    Histogram one;
    one.record(next);
    std::uint64_t end = 0;
    one.for_each_bucket([&](std::uint64_t low, std::uint64_t high, std::uint64_t) {
      EXPECT_EQ(low, next);
      EXPECT_GE(high, low);
      end = high;
    });
    histogram.record(end);
    highs.push_back(end);
    next = end + 1;
  }
  EXPECT_EQ(highs.back(), Histogram::kTop);
  std::size_t buckets = 0;
  histogram.for_each_bucket([&](std::uint64_t, std::uint64_t high, std::uint64_t count) {
    ASSERT_LT(buckets, highs.size());
    EXPECT_EQ(high, highs[buckets++]);
    EXPECT_EQ(count, 1U);
  });
  EXPECT_EQ(buckets, highs.size());
}

TEST(Histogram, KeepsCountMinMaxAndMeanExactly) {
  Histogram histogram;
  histogram.record(1000003);
  histogram.record(7, 3);
  histogram.record(999, 0);
  EXPECT_EQ(histogram.count(), 4U);
  EXPECT_EQ(histogram.min(), 7U);
  EXPECT_EQ(histogram.max(), 1000003U);
  EXPECT_DOUBLE_EQ(histogram.mean(), (1000003.0 + 21) / 4);
  std::uint64_t counted = 0;
  histogram.for_each_bucket([&](std::uint64_t, std::uint64_t, std::uint64_t count) { counted += count; });
  EXPECT_EQ(counted, 4U);
}

TEST(Histogram, QuantilesAreNearestRanksOfTheSortedSamples) {
  Random random(2);
  for (const std::size_t size : {1U, 2U, 3U, 10U, 99U, 100U, 1000U}) {
    std::vector<std::uint64_t> samples(size);
    Histogram histogram;
    for (auto& sample : samples) {
      sample = std::min(any_value(random), Histogram::kTop);
      histogram.record(sample);
    }
    std::sort(samples.begin(), samples.end());
    for (const int per_mille : {1, 10, 250, 500, 900, 950, 990, 999, 1000}) {
      const std::size_t rank = (size * static_cast<std::size_t>(per_mille) + 999) / 1000;
      expect_close(histogram.quantile(per_mille / 1000.0), samples.at(rank - 1));
    }
  }
}

TEST(Histogram, QuantilesStayWithinTheRecordedValues) {
  Histogram histogram;
  histogram.record(1000001, 10);
  for (const double share : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
    EXPECT_EQ(histogram.quantile(share), 1000001);
  }
  histogram.record(3);
  EXPECT_EQ(histogram.quantile(-1), 3);
  EXPECT_EQ(histogram.quantile(0), 3);
  expect_close(histogram.quantile(2), 1000001);
  EXPECT_LE(histogram.quantile(1), 1000001);
}

TEST(Histogram, CountsWhatIsBeyondTheTop) {
  Histogram histogram;
  histogram.record(Histogram::kTop);
  EXPECT_EQ(histogram.overflow(), 0U);
  histogram.record(Histogram::kTop + 1, 2);
  EXPECT_EQ(histogram.overflow(), 2U);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.max(), Histogram::kTop + 1);
  EXPECT_GT(histogram.quantile(1), static_cast<double>(Histogram::kTop) * 127 / 128);
}

TEST(Histogram, MergingAnyPartitionInAnyOrderGivesTheHistogramOfAllSamples) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    Histogram whole;
    std::vector<Histogram> parts(1 + random.below(9));
    const std::uint64_t samples = random.below(400);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const std::uint64_t value = any_value(random);
      const std::uint64_t times = random.below(4);
      whole.record(value, times);
      parts[random.below(parts.size())].record(value, times);
    }
    // Joins two parts at random until one is left: any order and any bracketing comes up.
    while (parts.size() > 1) {
      std::swap(parts[random.below(parts.size())], parts.back());
      const Histogram taken = parts.back();
      parts.pop_back();
      parts[random.below(parts.size())].merge(taken);
    }
    ASSERT_EQ(parts.front(), whole) << "trial " << trial;
  }
}

TEST(Histogram, MergeIsCommutativeAndAssociativeAndKnowsAZero) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Histogram> three(3);
    for (auto& histogram : three) {
      for (std::uint64_t i = random.below(50); i > 0; --i) {
        histogram.record(any_value(random));
      }
    }
    const auto sum = [](Histogram left, const Histogram& right) {
      left.merge(right);
      return left;
    };
    EXPECT_EQ(sum(three[0], three[1]), sum(three[1], three[0]));
    EXPECT_EQ(sum(sum(three[0], three[1]), three[2]), sum(three[0], sum(three[1], three[2])));
    EXPECT_EQ(sum(three[0], Histogram()), three[0]);
    EXPECT_EQ(sum(Histogram(), three[0]), three[0]);
  }
}

TEST(Histogram, DiffersWhenASampleDiffers) {
  Histogram one;
  Histogram other;
  one.record(5);
  other.record(6);
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace scalemark
