#include "analysis/web_fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

/// A record whose iterations, numbered from 1, had so many conforming connections.
RunRecord record_of(const std::vector<int>& iterations) {
  RunRecord record;
  record.kind = "web";
  for (const int conforming : iterations) {
    const std::size_t number = record.iterations.size() + 1;
    record.iterations.push_back({{"number", number}, {"partial", false}, {"conforming", conforming}});
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

TEST(ScoredIteration, IsTheOneThatTheRecordNames) {
  RunRecord record = record_of({250, 240, 245});
  EXPECT_EQ(scored_iteration(record), std::nullopt);
  record.score.iteration = 3;
  EXPECT_EQ(scored_iteration(record), 2U);
  record.score.iteration = 4;
  EXPECT_EQ(scored_iteration(record), std::nullopt);
}

TEST(ScorableIterations, PartialOnesCountOnlyWhenNoneIsComplete) {
  RunRecord record = record_of({250, 240, 245});
  record.iterations[1]["partial"] = true;
  record.iterations[2]["conforming"] = nullptr;
  EXPECT_EQ(scorable_iterations(record), std::vector<std::size_t>{0});
  record.iterations[0]["partial"] = true;
  EXPECT_EQ(scorable_iterations(record), (std::vector<std::size_t>{0, 1}));
}

TEST(CompleteIterations, PartialOnesNeverCount) {
  RunRecord record = record_of({250, 240, 245});
  record.iterations[1]["partial"] = true;
  EXPECT_EQ(complete_iterations(record), (std::vector<std::size_t>{0, 2}));
  record.iterations[0]["partial"] = true;
  record.iterations[2]["conforming"] = nullptr;
  EXPECT_TRUE(complete_iterations(record).empty());
}

TEST(ScoredIteration, OfTheExampleIsTheThird) {
  EXPECT_EQ(scored_iteration(read_record(golden_path("web_example.json"))), 2U);
}

}  // namespace
}  // namespace scalemark::analysis
