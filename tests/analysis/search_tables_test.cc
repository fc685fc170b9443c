#include "analysis/search_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analysis/text.h"
#include "analysis/web_summary.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

RunRecord searched() {
  RunRecord record;
  record.kind = "web";
  record.score = {243, "conforming connections"};
  record.plan = Json::object();
  record.search = Json::parse(R"({
    "status": "generator_limited", "why": "243 passed at full length; at 250 the generator was the limit",
    "answer": {"load": 1243, "lower": 1243, "upper": 1250},
    "trials": [
      {"number": 1, "load": 1000, "purpose": "probe", "verdict": "pass", "score": 1000.0, "reasons": [],
       "why": "the first load", "seconds": 32.4},
      {"number": 2, "load": 2000, "purpose": "probe", "verdict": "generator_limited", "score": null,
       "reasons": ["generator thread 1 was busy", "and more"], "why": "a factor of 2 more than 1000, which passed"}
    ]})");
  return record;
}

TEST(SearchTable, SaysWhatWasFoundAndHow) {
  EXPECT_EQ(search_table(searched(), 100), R"(
Search: 1,243 connections (at least 1,243, less than 1,250), generator-limited: 243 passed at full
length; at 250 the generator was the limit
  trial   load  purpose  verdict            score  time  chosen as
      1  1,000  probe    pass               1,000  32 s  the first load
      2  2,000  probe    generator-limited      -     -  a factor of 2 more than 1000, which passed
  - trial 2: generator thread 1 was busy
)");
}

TEST(SearchTable, NoLineIsWiderThanTheTerminal) {
  std::istringstream lines(search_table(searched(), 72));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(width_of(line), 72U) << line;
  }
}

TEST(SearchTable, WithoutAnAnswerItSaysSo) {
  RunRecord record = searched();
  record.search["answer"] = nullptr;
  record.search["status"] = "not_confirmed";
  EXPECT_THAT(search_table(record, 100), HasSubstr("Search: no answer, not-confirmed: "));
}

TEST(SearchTable, IsPartOfTheSummaryOfASearchOnly) {
  EXPECT_THAT(web_summary(searched(), {}), HasSubstr("\nSearch: 1,243 connections"));
  RunRecord plain = searched();
  plain.search = nullptr;
  EXPECT_EQ(search_table(plain, 100), "");
  EXPECT_THAT(web_summary(plain, {}), Not(HasSubstr("Search")));
}

TEST(SearchTable, TheGeneratorOfTheTrialThatPassedIsNotTakenForThatOfTheOneThatWasLimited) {
  RunRecord record = searched();
  record.iterations = Json::parse(R"([{"number": 1, "conforming": 243, "generator": {"descriptors": 1}}])");
  const std::string text = web_summary(record, {.colour = false, .width = 140});
  EXPECT_THAT(text, HasSubstr("\nGenerator, in the trial that passed: "));
  EXPECT_THAT(text, HasSubstr(" 1 descriptor\n"));
  record.search["answer"] = nullptr;
  EXPECT_THAT(web_summary(record, {}), HasSubstr("\nGenerator: "));
}

TEST(SearchTable, ARecordThatSomeoneEditedDoesNotThrow) {
  RunRecord record = searched();
  record.search = Json::parse(R"({"trials": [1, {"load": "x"}]})");
  EXPECT_THAT(search_table(record, 80), HasSubstr("no answer"));
}

}  // namespace
}  // namespace scalemark::analysis
