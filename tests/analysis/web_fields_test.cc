#include "analysis/web_fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

/// A record whose iterations conformed and worked at these rates.
RunRecord record_of(const std::vector<std::pair<int, double>>& iterations, double score) {
  RunRecord record;
  record.kind = "web";
  record.score = {score, "conforming connections"};
  for (const auto& [conforming, rate] : iterations) {
    record.iterations.push_back(
        {{"partial", false}, {"conforming", conforming}, {"operations_per_second", rate}});
  }
  return record;
}

TEST(WebFields, WhatIsMissingOrOfAnotherTypeIsNotThere) {
  const Json json = {{"a", {{"b", 7}, {"text", "x"}, {"negative", -1}, {"half", 0.5}}}, {"list", {1, "two"}}};
  EXPECT_EQ(count_of(json, {"a", "b"}), 7U);
  EXPECT_EQ(real_of(json, {"a", "b"}), 7.0);
  EXPECT_EQ(real_of(json, {"a", "half"}), 0.5);
  EXPECT_EQ(count_of(json, {"a", "half"}), std::nullopt);
  EXPECT_EQ(count_of(json, {"a", "negative"}), std::nullopt);
  EXPECT_EQ(count_of(json, {"a", "text"}), std::nullopt);
  EXPECT_EQ(count_of(json, {"a", "b", "c"}), std::nullopt);
  EXPECT_EQ(count_of(json, {"list", "c"}), std::nullopt);
  EXPECT_EQ(text_of(json, {"a", "b"}), "");
  EXPECT_EQ(text_of(json, {"a", "text"}), "x");
  EXPECT_TRUE(field(json, {"z"}).is_null());
  EXPECT_EQ(texts_of(json, {"list"}), std::vector<std::string>{"two"});
  EXPECT_EQ(texts_of(json, {"a", "text"}), std::vector<std::string>{"x"});
}

TEST(WebFields, NumbersThatAreNotFiniteAreNotThere) {
  const Json json = {{"a", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(real_of(json, {"a"}), std::nullopt);
}

TEST(WebFields, FailuresAreTheCountsByOutcomeOnly) {
  const Json failed = {{"total", 7}, {"reset", 2}, {"bad_status", 5}, {"bad_status_by_code", {{"404", 5}}}};
  const auto kinds = failures_of(failed);
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].outcome, "reset");
  EXPECT_EQ(kinds[0].count, 2U);
  EXPECT_EQ(kinds[1].outcome, "bad_status");
  EXPECT_TRUE(failures_of(Json(nullptr)).empty());
}

TEST(WebFields, AddsUpIsTrueFalseOrUnknown) {
  Json accounting = {
      {"carried_in", 1}, {"issued", 10}, {"good", 8}, {"failed", {{"total", 1}}}, {"unfinished", 2}};
  EXPECT_EQ(adds_up(accounting), true);
  accounting["issued"] = 11;
  EXPECT_EQ(adds_up(accounting), false);
  accounting.erase("good");
  EXPECT_EQ(adds_up(accounting), std::nullopt);
}

TEST(ScoredIteration, IsTheMedianByConformingConnections) {
  EXPECT_EQ(scored_iteration(record_of({{250, 1}, {240, 1}, {245, 1}}, 245)), 2U);
  EXPECT_EQ(scored_iteration(record_of({{250, 1}}, 250)), 0U);
}

TEST(ScoredIteration, OperationsPerSecondDecideTies) {
  EXPECT_EQ(scored_iteration(record_of({{250, 820.3}, {250, 820.1}, {250, 820.2}}, 250)), 2U);
}

TEST(ScoredIteration, OfAnEvenNumberItIsTheLowerMiddleOne) {
  EXPECT_EQ(scored_iteration(record_of({{250, 1}, {240, 1}}, 240)), 1U);
  EXPECT_EQ(scored_iteration(record_of({{1, 1}, {4, 1}, {3, 1}, {2, 1}}, 2)), 3U);
}

TEST(ScoredIteration, TheRecordsOwnScoreHasTheLastWord) {
  EXPECT_EQ(scored_iteration(record_of({{250, 1}, {240, 1}}, 250)), 0U);
  EXPECT_EQ(scored_iteration(record_of({{250, 1}, {240, 1}, {245, 1}}, 17)), std::nullopt);
  EXPECT_EQ(scored_iteration(record_of({{250, 1}}, std::numeric_limits<double>::quiet_NaN())), std::nullopt);
}

TEST(ScoredIteration, PartialIterationsCountOnlyWhenNoneIsComplete) {
  RunRecord record = record_of({{250, 1}, {240, 1}}, 250);
  record.iterations[1]["partial"] = true;
  EXPECT_EQ(scored_iteration(record), 0U);
  EXPECT_EQ(scorable_iterations(record), std::vector<std::size_t>{0});
  record.iterations[0]["partial"] = true;
  record.score.value = 240;
  EXPECT_EQ(scored_iteration(record), 1U);
}

TEST(ScoredIteration, IterationsThatMeasuredNothingNeverCount) {
  RunRecord record = record_of({{250, 1}}, 250);
  record.iterations[0]["conforming"] = nullptr;
  EXPECT_EQ(scored_iteration(record), std::nullopt);
  record.iterations.clear();
  EXPECT_EQ(scored_iteration(record), std::nullopt);
}

TEST(ScoredIteration, OfTheExampleIsTheThird) {
  EXPECT_EQ(scored_iteration(read_record(golden_path("web_example.json"))), 2U);
}

}  // namespace
}  // namespace scalemark::analysis
