#include "core/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace scalemark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Verdict, FollowsTheOrderOfPrecedence) {
  Findings findings;
  EXPECT_EQ(verdict_of(findings).status, Status::pass);
  EXPECT_THAT(verdict_of(findings).reasons, IsEmpty());
  findings.poor = {"poor"};
  EXPECT_EQ(verdict_of(findings).status, Status::fail);
  findings.odd = {"odd"};
  EXPECT_EQ(verdict_of(findings).status, Status::void_run);
  findings.limited = {"limited"};
  EXPECT_EQ(verdict_of(findings).status, Status::generator_limited);
  findings.broken = {"broken"};
  EXPECT_EQ(verdict_of(findings).status, Status::void_run);
  EXPECT_EQ(verdict_of(findings, true).status, Status::interrupted);
  EXPECT_THAT(verdict_of(findings).reasons, ElementsAre("broken", "limited", "odd", "poor"));
  EXPECT_THAT(verdict_of(findings, true).reasons,
              ElementsAre(HasSubstr("ended by the user"), "broken", "limited", "odd", "poor"));
}

TEST(Findings, AreAddedLevelByLevelBehindTheirLead) {
  Findings sum;
  sum.add({{}, {"late"}, {"odd"}, {}}, "iteration 1: ");
  sum.add({{"broken"}, {}, {"odd"}, {"poor"}}, "iteration 2: ");
  EXPECT_THAT(sum.broken, ElementsAre("iteration 2: broken"));
  EXPECT_THAT(sum.limited, ElementsAre("iteration 1: late"));
  EXPECT_THAT(sum.odd, ElementsAre("iteration 1: odd", "iteration 2: odd"));
  EXPECT_THAT(sum.poor, ElementsAre("iteration 2: poor"));
}

TEST(Findings, TheGeneratorIsTheLimitOnlyBeyondItsLimits) {
  GeneratorFigures generator;
  generator.lateness_share = kMostLateness;
  generator.threads = {{0, 1, 0.2}, {3, 1, kMostCpuShare}};
  Findings findings;
  find_limits(generator, findings);
  EXPECT_THAT(findings.limited, IsEmpty());
  generator.lateness_share = 0.016;
  generator.threads[1].window_cpu_share = 0.96;
  find_limits(generator, findings);
  EXPECT_THAT(findings.limited,
              ElementsAre(HasSubstr("took 1.60 %"), HasSubstr("thread 4 was busy for 96 %")));
}

TEST(Findings, EveryRequirementThatIsNotMetIsPoor) {
  const auto lookup = [](std::string_view name, ValueKind kind) {
    return name == "speed" ? std::optional(Metric{7, kind}) : std::nullopt;
  };
  Findings findings;
  find_unmet({parse_requirement("speed>=7"), parse_requirement("speed>=8"), parse_requirement("other>=1")},
             lookup, findings);
  EXPECT_THAT(findings.poor, ElementsAre(HasSubstr("speed is 7"), HasSubstr("other")));
}

TEST(Median, IsTheMiddleOneByScoreThenTie) {
  EXPECT_EQ(median_of({{3, 0, false, true}, {1, 0, false, true}, {2, 0, false, true}}), 2U);
  EXPECT_EQ(median_of({{1, 5, false, true}, {1, 7, false, true}, {1, 6, false, true}}), 2U);
  EXPECT_EQ(median_of({{2, 0, false, true}, {1, 0, false, true}}), 1U);
  EXPECT_EQ(median_of({{1, 1, false, true}, {1, 1, false, true}}), 0U);
}

TEST(Median, PartialIterationsCountOnlyWhenNoneIsCompleteAndThoseWithoutAWindowNever) {
  EXPECT_EQ(median_of({{1, 0, true, true}, {9, 0, false, true}, {5, 0, true, true}}), 1U);
  EXPECT_EQ(median_of({{0, 0, true, false}, {5, 0, true, true}}), 1U);
  EXPECT_EQ(median_of({{0, 0, true, false}}), std::nullopt);
  EXPECT_EQ(median_of({}), std::nullopt);
}

}  // namespace
}  // namespace scalemark
