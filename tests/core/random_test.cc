#include "core/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "core/error.h"

namespace scalemark {
namespace {

/// Five standard deviations of a binomial count: a right generator with a fixed seed stays inside.
double tolerance(double draws, double share) {
  return 5 * std::sqrt(draws * share * (1 - share));
}

std::vector<std::uint64_t> count_draws(const WeightedDraw& draw, std::uint64_t seed, std::uint32_t draws) {
  Random random(seed);
  std::vector<std::uint64_t> counts(draw.size());
  for (std::uint32_t i = 0; i < draws; ++i) {
    ++counts.at(draw.draw(random));
  }
  return counts;
}

TEST(Random, GivesThePublishedSequenceOfSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random(), 6457827717110365317U);
  EXPECT_EQ(random(), 3203168211198807973U);
  EXPECT_EQ(random(), 9817491932198370423U);
  EXPECT_EQ(random(), 4593380528125082431U);
  EXPECT_EQ(random(), 16408922859458223821U);
}

TEST(Random, UnitLiesInItsRangeAndCoversIt) {
  Random random(1);
  double sum = 0;
  constexpr int kDraws = 10000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1.0 / 12 / kDraws));
}

TEST(Random, BelowStaysBelowAndFavoursNoValue) {
  for (const std::uint64_t bound : {1U, 2U, 3U, 7U, 10U, 36U}) {
    Random random(bound);
    constexpr int kDraws = 20000;
    std::vector<int> counts(bound);
    for (int i = 0; i < kDraws; ++i) {
      ++counts.at(random.below(bound));
    }
    const double share = 1.0 / static_cast<double>(bound);
    for (const int count : counts) {
      EXPECT_NEAR(count, kDraws * share, tolerance(kDraws, share)) << "bound " << bound;
    }
  }
}

TEST(Random, BelowHasNoBiasWhereTheBoundDoesNotDivideTheRange) {
  // Taking the remainder, or multiplying without rejection, would give one third of these values half of the
  // draws.
  constexpr std::uint64_t kThird = std::uint64_t{1} << 62U;
  constexpr int kDraws = 30000;
  Random random(5);
  std::vector<int> by_third(3);
  std::vector<int> by_remainder(3);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = random.below(3 * kThird);
    ++by_third.at(value / kThird);
    ++by_remainder.at(value % 3);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(by_third[i], kDraws / 3.0, tolerance(kDraws, 1.0 / 3));
    EXPECT_NEAR(by_remainder[i], kDraws / 3.0, tolerance(kDraws, 1.0 / 3));
  }
}

TEST(DeriveSeed, IsDeterministicAndDiffersForEveryPath) {
  EXPECT_EQ(derive_seed(7, {1, 2}), derive_seed(7, {1, 2}));
  std::set<std::uint64_t> seeds;
  std::size_t paths = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    seeds.insert(derive_seed(seed, {}));
    ++paths;
    for (std::uint64_t a = 0; a < 16; ++a) {
      seeds.insert(derive_seed(seed, {a}));
      ++paths;
      for (std::uint64_t b = 0; b < 16; ++b) {
        seeds.insert(derive_seed(seed, {a, b}));
        ++paths;
      }
    }
  }
  EXPECT_EQ(seeds.size(), paths);
  EXPECT_NE(derive_seed(7, {1, 2}), derive_seed(7, {2, 1}));
}

TEST(DeriveSeed, NeighboursGiveUnrelatedStreams) {
  // Streams that shared a part, or ran one step apart, would agree in a value here.
  std::set<std::uint64_t> values;
  for (std::uint64_t user = 0; user < 100; ++user) {
    Random random(derive_seed(1, {0, user}));
    for (int i = 0; i < 100; ++i) {
      values.insert(random());
    }
  }
  EXPECT_EQ(values.size(), 10000U);
}

TEST(WeightedDraw, FollowsItsWeights) {
  const std::vector<std::vector<double>> mixes = {{1},
                                                  {1, 1},
                                                  {35, 50, 14, 1},
                                                  {0.1, 0.7, 0.2},
                                                  {5, 1, 1, 1, 1, 1},
                                                  {1e-3, 1, 1e3},
                                                  {1, 1, 1, 1, 1, 1, 1}};
  constexpr std::uint32_t kDraws = 50000;
  for (const auto& weights : mixes) {
    double sum = 0;
    for (const double weight : weights) {
      sum += weight;
    }
    const auto counts = count_draws(WeightedDraw(weights), 3, kDraws);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double share = weights[i] / sum;
      EXPECT_NEAR(static_cast<double>(counts[i]), kDraws * share, tolerance(kDraws, share) + 1)
          << "entry " << i;
    }
  }
}

TEST(WeightedDraw, NeverDrawsAWeightOfZero) {
  const std::vector<double> weights = {0, 0.1, 0, 0, 0.3, 0, 1.0 / 3, 0, 0, 0};
  const auto counts = count_draws(WeightedDraw(weights), 11, 50000);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(counts[i] == 0, weights[i] == 0) << "entry " << i;
  }
}

TEST(WeightedDraw, HugeWeightsKeepTheirProportions) {
  const auto counts = count_draws(WeightedDraw({0.9e308, 0.8e308, 0}), 2, 30000);
  EXPECT_NEAR(static_cast<double>(counts[0]), 30000 * 9.0 / 17, tolerance(30000, 9.0 / 17));
  EXPECT_EQ(counts[2], 0U);
}

TEST(WeightedDraw, RefusesWeightsThatMeanNothing) {
  EXPECT_THROW(WeightedDraw({}), UsageError);
  EXPECT_THROW(WeightedDraw({0, 0}), UsageError);
  EXPECT_THROW(WeightedDraw({1, -0.5}), UsageError);
  EXPECT_THROW(WeightedDraw({1, std::nan("")}), UsageError);
  EXPECT_THROW(WeightedDraw({1, std::numeric_limits<double>::infinity()}), UsageError);
  EXPECT_THROW(WeightedDraw({1.7e308, 1.7e308}), UsageError);
}

TEST(Deck, DealsEveryMixExactlyInEveryRound) {
  Random random(9);
  std::vector<std::vector<std::uint32_t>> mixes = {{35, 50, 14, 1}, {1}, {0, 3}, {2, 0, 0, 5}};
  for (int i = 0; i < 30; ++i) {
    std::vector<std::uint32_t> mix(1 + random.below(8));
    for (auto& copies : mix) {
      copies = static_cast<std::uint32_t>(random.below(40));
    }
    mix.front() += 1;
    mixes.push_back(mix);
  }
  for (const auto& mix : mixes) {
    Deck deck(mix, random());
    std::uint32_t total = 0;
    for (const std::uint32_t copies : mix) {
      total += copies;
    }
    for (int round = 0; round < 3; ++round) {
      std::vector<std::uint32_t> dealt(mix.size());
      for (std::uint32_t card = 0; card < total; ++card) {
        ++dealt.at(deck.deal());
      }
      ASSERT_EQ(dealt, mix) << "round " << round;
    }
  }
}

TEST(Deck, IsShuffledAnewInEveryRoundAndReproducible) {
  const auto deal_round = [](Deck& deck) {
    std::vector<std::uint32_t> cards;
    for (int i = 0; i < 100; ++i) {
      cards.push_back(deck.deal());
    }
    return cards;
  };
  Deck deck({35, 50, 14, 1}, 1);
  Deck same({35, 50, 14, 1}, 1);
  Deck other({35, 50, 14, 1}, 2);
  const auto first = deal_round(deck);
  EXPECT_EQ(deal_round(same), first);
  EXPECT_NE(deal_round(other), first);
  EXPECT_NE(deal_round(deck), first);
}

TEST(Deck, EveryPlaceIsAsLikelyForTheRarestCard) {
  constexpr int kRounds = 4000;
  std::vector<int> places(5);
  Deck deck({4, 1}, 3);
  for (int round = 0; round < kRounds; ++round) {
    for (auto& place : places) {
      place += deck.deal() == 1 ? 1 : 0;
    }
  }
  for (const int count : places) {
    EXPECT_NEAR(count, kRounds / 5.0, tolerance(kRounds, 0.2));
  }
}

TEST(Deck, RefusesToBeEmptyOrHuge) {
  EXPECT_THROW(Deck({}, 1), UsageError);
  EXPECT_THROW(Deck({0, 0}, 1), UsageError);
  EXPECT_THROW(Deck({65536, 1}, 1), UsageError);
  EXPECT_THROW(Deck({4294967295U, 4294967295U}, 1), UsageError);
  EXPECT_NO_THROW(Deck({65535, 1}, 1));
}

}  // namespace
}  // namespace scalemark
