// The search against servers that exist on paper only.

#include "study/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/random.h"

namespace scalemark::study {
namespace {

using testing::HasSubstr;

/// What a trial of a load would show.
using Server = std::function<SearchTrial(const Try&)>;

struct Found {
  Done done;
  std::vector<SearchTrial> trials;

  [[nodiscard]] std::size_t confirmations() const {
    return static_cast<std::size_t>(
        std::count_if(trials.begin(), trials.end(), [](const auto& trial) { return trial.confirming; }));
  }
  [[nodiscard]] std::uint32_t answer() const { return done.answer.value_or(0); }
};

SearchTrial trial_of(const Try& step, Status verdict) {
  return {.load = step.load, .confirming = step.confirming, .verdict = verdict, .score = step.load};
}

/// Searches to the end; more than 100 trials count as endless.
Found search(const SearchPlan& plan, const Server& server, std::vector<SearchTrial> trials = {}) {
  for (int count = 0; count < 100; ++count) {
    const Step step = next(plan, trials);
    if (const auto* done = std::get_if<Done>(&step)) {
      return {*done, trials};
    }
    trials.push_back(server(std::get<Try>(step)));
    EXPECT_GE(trials.back().load, plan.least);
    EXPECT_LE(trials.back().load, plan.most);
    EXPECT_FALSE(std::get<Try>(step).why.empty());
  }
  ADD_FAILURE() << "the search does not end";
  return {{}, trials};
}

/// Everything up to `capacity` passes.
Server knee(double capacity) {
  return [capacity](const Try& step) {
    return trial_of(step, step.load <= capacity ? Status::pass : Status::fail);
  };
}

/// Around the capacity it is a matter of luck: 50 % there, 1.8 % one `spread` * 4 beyond.
Server noisy(double capacity, double spread, std::uint64_t seed) {
  auto random = std::make_shared<Random>(seed);
  return [capacity, spread, random](const Try& step) {
    const double chance = 1 / (1 + std::exp((step.load - capacity) / (spread * capacity)));
    return trial_of(step, random->unit() < chance ? Status::pass : Status::fail);
  };
}

bool near(double value, double truth, double share) {
  return std::abs(value - truth) <= std::max(1.0, truth * share);
}

/// The answer passed at full length and never failed there; the bounds enclose it.
void expect_sound(const Found& found) {
  bool confirmed = false;
  for (const SearchTrial& trial : found.trials) {
    if (trial.confirming && trial.load == found.done.answer) {
      EXPECT_EQ(trial.verdict, Status::pass);
      confirmed = true;
    }
  }
  EXPECT_EQ(confirmed, found.done.answer.has_value());
  if (found.done.answer) {
    EXPECT_EQ(found.done.lower, *found.done.answer);
    EXPECT_GT(found.done.upper.value_or(*found.done.answer + 1), *found.done.answer);
  }
}

TEST(Search, FindsEveryCapacityFrom5To100000InTwelveTrialsFromWithinAFactorOf8) {
  for (double exact = 5; exact <= 100'000; exact = std::max(exact + 1, exact * 1.013)) {
    const double capacity = std::floor(exact);
    for (const double factor : {0.126, 0.25, 0.4, 0.7, 1.0, 1.3, 2.0, 5.0, 7.9}) {
      SearchPlan plan;
      plan.start = static_cast<std::uint32_t>(std::max(1.0, std::ceil(capacity * factor)));
      const Found found = search(plan, knee(capacity));
      ASSERT_EQ(found.done.status, SearchStatus::confirmed) << capacity << " from " << plan.start;
      ASSERT_LE(found.trials.size(), 12U) << capacity << " from " << plan.start;
      ASSERT_LE(found.answer(), capacity);
      ASSERT_TRUE(near(found.answer(), capacity, 0.012)) << found.answer() << " of " << capacity;
      ASSERT_EQ(found.confirmations(), 1U);
    }
  }
}

TEST(Search, TheBoundsAreThePassAndTheFailThatWereSeen) {
  const Found found = search({}, knee(243));
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  EXPECT_LE(found.answer(), 243U);
  ASSERT_TRUE(found.done.upper);
  EXPECT_GT(*found.done.upper, 243U);
  EXPECT_LE(*found.done.upper, found.answer() * 1.0101);
  EXPECT_THAT(found.done.why, HasSubstr("passed at full length"));
  expect_sound(found);
}

TEST(Search, GrowsByTwoUntilALoadFails) {
  const Found found = search({}, knee(900));
  ASSERT_GE(found.trials.size(), 5U);
  EXPECT_EQ(found.trials[0].load, 100U);
  EXPECT_EQ(found.trials[1].load, 200U);
  EXPECT_EQ(found.trials[2].load, 400U);
  EXPECT_EQ(found.trials[3].load, 800U);
  EXPECT_EQ(found.trials[4].load, 1600U);
}

TEST(Search, AFirstLoadThatIsAHundredTimesTooHighIsHalvedAndNotGivenUp) {
  SearchPlan plan;
  plan.start = 10'000;
  plan.max_trials = 20;
  const Found close = search(plan, knee(97));
  EXPECT_EQ(close.trials[1].load, 5000U);
  EXPECT_EQ(close.answer(), 97U);
  plan.max_trials = 12;
  const Found coarse = search(plan, knee(97));
  EXPECT_EQ(coarse.done.status, SearchStatus::confirmed);
  EXPECT_EQ(coarse.trials.size(), 12U);
  EXPECT_TRUE(near(coarse.answer(), 97, 0.09)) << coarse.answer();
  EXPECT_THAT(coarse.done.why, HasSubstr("did not suffice for a closer answer"));
}

TEST(Search, WhatAFailedTrialCarriedSavesTheHalving) {
  SearchPlan plan;
  plan.start = 10'000;
  for (const double estimate : {80.0, 97.0, 120.0}) {
    const Found found = search(plan, [estimate](const Try& step) {
      SearchTrial trial = knee(97)(step);
      trial.estimate = estimate;
      return trial;
    });
    EXPECT_TRUE(near(found.answer(), 97, 0.012)) << estimate;
    EXPECT_LE(found.trials.size(), 12U) << estimate;
  }
}

TEST(Search, AFirstLoadThatIsFarTooLowIsGrown) {
  SearchPlan plan;
  plan.start = 1;
  plan.max_trials = 30;
  const Found found = search(plan, knee(50'000));
  EXPECT_TRUE(near(found.answer(), 50'000, 0.01));
  EXPECT_LE(found.trials.size(), 17U + 7 + 1);
}

TEST(Search, AGoodExpectationNeedsSevenTrialsAtMost) {
  for (const double capacity : {40.0, 240.0, 1890.0, 60'000.0}) {
    for (double off = -0.07; off < 0.071; off += 0.002) {
      SearchPlan plan;
      plan.expected = capacity * (1 + off);
      const Found found = search(plan, knee(capacity));
      ASSERT_TRUE(near(found.answer(), capacity, 0.01)) << capacity << " " << off;
      ASSERT_LE(found.trials.size(), std::abs(off) < 0.046 ? 7U : 8U) << capacity << " " << off;
    }
  }
}

TEST(Search, AWrongExpectationCostsLittleMoreThanNone) {
  for (double wrong = 0.4; wrong < 2.5; wrong *= 1.1) {
    SearchPlan plan;
    plan.expected = 2000 * wrong;
    const Found found = search(plan, knee(2000));
    EXPECT_TRUE(near(found.answer(), 2000, 0.021)) << wrong << ": " << found.answer();
    EXPECT_LE(found.trials.size(), 12U) << wrong;
  }
}

TEST(Search, WholeLoadsDownToOne) {
  for (std::uint32_t capacity = 1; capacity <= 12; ++capacity) {
    const Found found = search({}, knee(capacity));
    EXPECT_EQ(found.answer(), capacity);
    EXPECT_EQ(found.done.upper, capacity + 1);
    EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  }
}

TEST(Search, NothingPasses) {
  const Found found = search({}, knee(0));
  EXPECT_EQ(found.done.status, SearchStatus::failed);
  EXPECT_FALSE(found.done.answer);
  EXPECT_EQ(found.done.lower, 0U);
  EXPECT_EQ(found.done.upper, 1U);
  EXPECT_EQ(found.trials.back().load, 1U);
  EXPECT_THAT(found.done.why, HasSubstr("not even 1"));
}

TEST(Search, EverythingPassesUpToTheHighestLoadAllowed) {
  SearchPlan plan;
  plan.most = 700;
  const Found found = search(plan, knee(1e9));
  EXPECT_EQ(found.answer(), 700U);
  EXPECT_FALSE(found.done.upper);
  EXPECT_THAT(found.done.why, HasSubstr("the highest load that may be tried"));
}

TEST(Search, TheLimitsHoldForTheFirstLoadToo) {
  SearchPlan plan;
  plan.least = 8;
  plan.start = 1;
  EXPECT_EQ(std::get<Try>(next(plan, {})).load, 8U);
  plan.expected = 0.2;
  EXPECT_EQ(std::get<Try>(next(plan, {})).load, 8U);
  plan.expected = 1e12;
  EXPECT_EQ(std::get<Try>(next(plan, {})).load, plan.most);
}

TEST(Search, WithNoiseNearTheKneeTheAnswerIsWithinTwoPercentAndWasConfirmed) {
  constexpr int kSeeds = 2000;
  int hits = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    SearchPlan plan;
    plan.start = static_cast<std::uint32_t>(200 + seed % 1700);
    if (seed % 2 == 0) {
      plan.expected = 950 * (0.95 + 0.1 * (seed % 11) / 10);
    }
    const Found found = search(plan, noisy(950, 0.004, static_cast<std::uint64_t>(seed)));
    expect_sound(found);
    hits += near(found.answer(), 950, 0.02) ? 1 : 0;
  }
  EXPECT_GE(hits, kSeeds * 95 / 100);
}

TEST(Search, AConfirmationThatFailsIsSteppedDownFrom) {
  // At full length the server carries 3 % less than in a short trial.
  const Found found = search({}, [](const Try& step) { return knee(step.confirming ? 970 : 1000)(step); });
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  EXPECT_TRUE(near(found.answer(), 970, 0.02)) << found.answer();
  EXPECT_LE(found.confirmations(), 4U);
  expect_sound(found);
}

TEST(Search, WithoutAConfirmationThereIsNoAnswer) {
  SearchPlan plan;
  const Found found = search(plan, [](const Try& step) { return knee(step.confirming ? 0 : 1000)(step); });
  EXPECT_EQ(found.done.status, SearchStatus::not_confirmed);
  EXPECT_FALSE(found.done.answer);
  EXPECT_EQ(found.confirmations(), plan.confirmations);
  EXPECT_GT(found.done.lower, 0U);
  EXPECT_THAT(found.done.why, HasSubstr("no load passed at full length in 4 attempts"));
}

TEST(Search, AFailOverrulesAPassAboveItUntilItIsTestedAgain) {
  const std::vector<SearchTrial> odd = {{.load = 100, .verdict = Status::pass},
                                        {.load = 400, .verdict = Status::pass},
                                        {.load = 200, .verdict = Status::fail}};
  const auto again = std::get<Try>(next({}, odd));
  EXPECT_EQ(again.load, 200U);
  EXPECT_THAT(again.why, HasSubstr("although 400 passed"));
  // It fails again: nothing above counts.
  EXPECT_TRUE(near(search({}, knee(150), odd).answer(), 150, 0.01));
  // It was chance: the pass above counts again.
  EXPECT_TRUE(near(search({}, knee(700), odd).answer(), 700, 0.011));
}

TEST(Search, OneFailByChanceFarBelowTheKneeIsFoundOut) {
  int trial = 0;
  SearchPlan plan;
  plan.expected = 500;
  plan.max_trials = 30;
  const Found found = search(plan, [&trial](const Try& step) {
    return ++trial == 2 ? trial_of(step, Status::fail) : knee(1000)(step);
  });
  EXPECT_GE(found.answer(), 495U);
  plan.expected.reset();
  trial = 0;
  const Found grown = search(plan, [&trial](const Try& step) {
    return ++trial == 3 ? trial_of(step, Status::fail) : knee(1000)(step);
  });
  EXPECT_TRUE(near(grown.answer(), 1000, 0.01)) << grown.answer();
}

TEST(Search, APlateauEndsTheGrowthAndThePeakIsReported) {
  // Whatever the load, the verdict is a pass; the score is what the server carries.
  const auto server = [](std::vector<std::pair<double, double>> scores) {
    return [scores = std::move(scores)](const Try& step) {
      SearchTrial trial = trial_of(step, Status::pass);
      for (const auto& [from, score] : scores) {
        trial.score = step.load >= from ? std::min<double>(step.load, score) : *trial.score;
      }
      return trial;
    };
  };
  const Found flat = search({}, server({{0, 1000}}));
  EXPECT_EQ(flat.done.status, SearchStatus::confirmed);
  EXPECT_EQ(flat.answer(), 1600U);
  EXPECT_LE(flat.trials.size(), 8U);
  EXPECT_THAT(flat.done.why, HasSubstr("no higher score"));
  const Found falling = search({}, server({{0, 1000}, {1600, 900}, {3200, 500}}));
  EXPECT_EQ(falling.answer(), 1600U);
  EXPECT_EQ(falling.trials.back().load, 1600U);
  EXPECT_TRUE(falling.trials.back().confirming);
  SearchPlan unguarded;
  unguarded.plateau_guard = false;
  unguarded.most = 10'000;
  EXPECT_EQ(search(unguarded, server({{0, 1000}})).answer(), 10'000U);
}

TEST(Search, ARetrogradeServerIsSearchedBelowItsPeak) {
  const Found found = search({}, [](const Try& step) {
    SearchTrial trial = knee(600)(step);
    trial.score = step.load <= 600 ? step.load : 600.0 * 600.0 / step.load;
    return trial;
  });
  EXPECT_TRUE(near(found.answer(), 600, 0.01));
}

TEST(Search, WhatTheGeneratorCannotDoIsNoUpperBoundOfTheServer) {
  const Found found = search({}, [](const Try& step) {
    return trial_of(step, step.load <= 700 ? Status::pass : Status::generator_limited);
  });
  EXPECT_EQ(found.done.status, SearchStatus::generator_limited);
  EXPECT_TRUE(near(found.answer(), 700, 0.01)) << found.answer();
  EXPECT_FALSE(found.done.upper);
  EXPECT_THAT(found.done.why, HasSubstr("the server may carry more"));
  expect_sound(found);
}

TEST(Search, AGeneratorLimitBeyondTheKneeDoesNotMatter) {
  const Found found = search({}, [](const Try& step) {
    return step.load > 1000 ? trial_of(step, Status::generator_limited) : knee(700)(step);
  });
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  EXPECT_TRUE(near(found.answer(), 700, 0.01));
}

TEST(Search, AGeneratorThatWasDisturbedOnceIsAskedAgain) {
  bool disturbed = false;
  const Found found = search({}, [&disturbed](const Try& step) {
    if (step.load == 400 && !disturbed) {
      disturbed = true;
      return trial_of(step, Status::generator_limited);
    }
    return knee(700)(step);
  });
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  EXPECT_TRUE(near(found.answer(), 700, 0.02)) << found.answer();
}

TEST(Search, AGeneratorThatCarriesNothingIsTheResult) {
  const Found found = search({}, [](const Try& step) { return trial_of(step, Status::generator_limited); });
  EXPECT_EQ(found.done.status, SearchStatus::generator_limited);
  EXPECT_FALSE(found.done.answer);
  EXPECT_FALSE(found.done.upper);
}

TEST(Search, AVoidTrialIsRepeated) {
  int trial = 0;
  const Found found = search({}, [&trial](const Try& step) {
    return ++trial % 4 == 1 ? trial_of(step, Status::void_run) : knee(300)(step);
  });
  EXPECT_EQ(found.trials[0].load, found.trials[1].load);
  EXPECT_TRUE(near(found.answer(), 300, 0.01));
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
}

TEST(Search, LoadsThatAreVoidEveryTimeBoundTheSearchOnly) {
  const Found found = search(
      {}, [](const Try& step) { return trial_of(step, step.load <= 300 ? Status::pass : Status::void_run); });
  EXPECT_EQ(found.done.status, SearchStatus::confirmed);
  EXPECT_TRUE(near(found.answer(), 300, 0.01));
  EXPECT_FALSE(found.done.upper);
  EXPECT_THAT(found.done.why, HasSubstr("was void"));
  EXPECT_LE(found.trials.size(), 12U + 6);
}

TEST(Search, NothingButVoidTrials) {
  const Found found = search({}, [](const Try& step) { return trial_of(step, Status::void_run); });
  EXPECT_EQ(found.done.status, SearchStatus::void_run);
  EXPECT_FALSE(found.done.answer);
  EXPECT_LE(found.trials.size(), 11U + 6);
  EXPECT_EQ(found.trials[2].load, 100U);
  EXPECT_EQ(found.trials[3].load, 50U);
}

TEST(Search, AConfirmationThatIsVoidIsRepeatedAndThenNotBelieved) {
  int confirmations = 0;
  const Found once = search({}, [&confirmations](const Try& step) {
    return step.confirming && ++confirmations == 1 ? trial_of(step, Status::void_run) : knee(300)(step);
  });
  EXPECT_EQ(once.done.status, SearchStatus::confirmed);
  EXPECT_EQ(once.confirmations(), 2U);
  const Found always = search({}, [](const Try& step) {
    return step.confirming ? trial_of(step, Status::void_run) : knee(300)(step);
  });
  EXPECT_EQ(always.done.status, SearchStatus::void_run);
  EXPECT_FALSE(always.done.answer);
}

TEST(Search, WhenTheTrialsAreUsedUpWhatPassedIsConfirmed) {
  SearchPlan plan;
  plan.max_trials = 4;
  const Found found = search(plan, knee(700));
  EXPECT_EQ(found.trials.size(), 4U);
  EXPECT_EQ(found.answer(), 400U);
  plan.start = 100'000;
  const Found lost = search(plan, knee(700));
  EXPECT_EQ(lost.done.status, SearchStatus::not_confirmed);
  EXPECT_THAT(lost.done.why, HasSubstr("begin lower"));
}

TEST(Search, AConfirmationIsEvidenceForLaterSteps) {
  // A search that is taken up with a confirmed load goes on above it.
  const std::vector<SearchTrial> before = {{.load = 400, .confirming = true, .verdict = Status::pass}};
  EXPECT_EQ(std::get<Try>(next({}, before)).load, 800U);
  EXPECT_TRUE(near(search({}, knee(700), before).answer(), 700, 0.01));
  // And a refused one is an upper bound.
  const std::vector<SearchTrial> refused = {{.load = 400, .verdict = Status::pass},
                                            {.load = 404, .verdict = Status::fail},
                                            {.load = 400, .confirming = true, .verdict = Status::fail}};
  const auto step = std::get<Try>(next({}, refused));
  EXPECT_EQ(step.load, 396U);
  EXPECT_TRUE(step.confirming);
}

TEST(Search, InterruptedTrialsCountForNothing) {
  const std::vector<SearchTrial> before = {{.load = 100, .verdict = Status::interrupted}};
  EXPECT_EQ(std::get<Try>(next({}, before)).load, 100U);
}

TEST(Search, TheSameHistoryGivesTheSameStepHoweverItCameAbout) {
  const Found whole = search({}, noisy(321, 0.01, 7));
  std::vector<SearchTrial> part;
  for (const SearchTrial& trial : whole.trials) {
    const auto step = std::get<Try>(next({}, part));
    EXPECT_EQ(step.load, trial.load);
    EXPECT_EQ(step.confirming, trial.confirming);
    EXPECT_EQ(step.why, std::get<Try>(next({}, part)).why);
    part.push_back(trial);
  }
  EXPECT_EQ(std::get<Done>(next({}, part)).answer, whole.done.answer);
}

TEST(PlannedTrials, BoundWhatASearchTakes) {
  SearchPlan plan;
  EXPECT_EQ(planned_trials(plan).usual_probes, 9U);
  EXPECT_EQ(planned_trials(plan).most_probes, 11U);
  plan.expected = 950;
  EXPECT_EQ(planned_trials(plan).usual_probes, 4U);
  EXPECT_EQ(planned_trials(plan).most_confirmations, 4U);
  plan.max_trials = 3;
  EXPECT_EQ(planned_trials(plan).usual_probes, 2U);
}

TEST(SearchStatusNames, AreThoseOfTheRecord) {
  EXPECT_EQ(name_of(SearchStatus::confirmed), "confirmed");
  EXPECT_EQ(name_of(SearchStatus::not_confirmed), "not_confirmed");
  EXPECT_EQ(name_of(SearchStatus::generator_limited), "generator_limited");
  EXPECT_EQ(name_of(SearchStatus::failed), "failed");
  EXPECT_EQ(name_of(SearchStatus::void_run), "void");
}

}  // namespace
}  // namespace scalemark::study
