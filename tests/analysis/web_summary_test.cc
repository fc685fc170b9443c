#include "analysis/web_summary.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunRecord example_web() {
  return read_record(golden_path("web_example.json"));
}

std::string text_of_record(const RunRecord& record, int width = 80) {
  return web_summary(record, {.colour = false, .width = width});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The first line that holds `part`; fails the test when there is none.
std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(part) != std::string::npos) {
      return line;
    }
  }
  ADD_FAILURE() << "no line with '" << part << "' in\n" << text;
  return "";
}

void expect_fits(const std::string& text, std::size_t width) {
  for (const std::string& line : lines_of(text)) {
    EXPECT_LE(width_of(line), width) << line;
  }
}

RunRecord with_status(Status status, std::vector<std::string> reasons) {
  RunRecord record = example_web();
  record.verdict = {status, std::move(reasons)};
  return record;
}

/// Interrupted in the window of the second iteration.
RunRecord interrupted_record() {
  RunRecord record = with_status(Status::interrupted, {"Interrupted in iteration 2: the record is partial."});
  record.iterations.erase(2);
  Json& last = record.iterations[1];
  last["partial"] = true;
  last["window_seconds"] = 12.34;
  last["verdict"] = {{"status", "fail"}, {"reasons", {"3 connections are invalid"}}};
  record.score.value = 250;
  record.score.iteration = 1;
  return record;
}

/// Interrupted before any window opened.
RunRecord unmeasured_record() {
  RunRecord record = interrupted_record();
  record.iterations.erase(0);
  Json& only = record.iterations[0];
  only["window_seconds"] = 0.0;
  for (const char* name : {"valid", "erroneous", "conforming", "operations_per_second"}) {
    only[name] = nullptr;
  }
  only["verdict"] = {{"status", "pass"}, {"reasons", Json::array()}};
  only["bits_per_second"] = {{"min", nullptr}, {"mean", nullptr}, {"max", nullptr}};
  record.score.value = std::numeric_limits<double>::quiet_NaN();
  record.score.iteration = std::nullopt;
  return record;
}

/// Ten thousand connections over the full profile's window: numbers as wide as they get.
RunRecord large_record() {
  RunRecord record = example_web();
  for (Json& iteration : record.iterations) {
    iteration["window_seconds"] = 1200.0;
    iteration["requested"] = 10'000;
    iteration["valid"] = 10'000;
    iteration["conforming"] = 9'999;
    iteration["operations_per_second"] = 32'799.96;
    iteration["verdict"]["status"] = "generator_limited";
    iteration["bytes"] = 583'000'000'000U;
    iteration["ttlb_ms"]["p99"] = 12'345.6;
    Json& window = iteration["accounting"]["window"];
    window = {{"carried_in", 10'000},
              {"issued", 39'360'000},
              {"good", 37'359'000},
              {"failed", {{"total", 2'000'000}, {"read_timeout", 2'000'000}}},
              {"unfinished", 11'000}};
    iteration["accounting"]["run"] = window;
    iteration["accounting"]["run"]["carried_in"] = 0;
    iteration["accounting"]["run"]["unfinished"] = 1'000;
    for (Json& cls : iteration["classes"]) {
      cls.update(window);
      cls["bytes"] = 583'000'000'000U;
      cls["ttlb_ms"]["p99"] = 12'345.6;
      cls["class"] = "a class with a long name";
    }
  }
  record.score.value = 9'999;
  record.score.iteration = 2;
  record.verdict = {Status::generator_limited, {std::string(200, 'x') + " is a very long word in a reason."}};
  return record;
}

TEST(WebSummary, IsReadableAtAGlance) {
  const std::string text = text_of_record(example_web());
  expect_golden("web_example.txt", text);
  EXPECT_THAT(text, StartsWith("PASS  248 of 250 connections conforming (>= 320 Kb/s)\n"));
}

TEST(WebSummary, OfAnInterruptedRunSaysWhatIsPartial) {
  const std::string text = text_of_record(interrupted_record());
  expect_golden("web_interrupted.txt", text);
  EXPECT_THAT(text,
              StartsWith("INTERRUPTED  partial result: 250 of 250 connections conforming (>= 320 Kb/s)\n"
                         "  - Interrupted in iteration 2: the record is partial.\n"));
  EXPECT_THAT(line_with(text, "From iteration 1"), HasSubstr("the only complete one"));
  EXPECT_THAT(text, HasSubstr("planned iterations began"));
  EXPECT_THAT(line_with(text, "12.3 s"), HasSubstr("fail, cut short"));
}

TEST(WebSummary, OfThousandsOfConnectionsKeepsItsShape) {
  const std::string text = text_of_record(large_record());
  expect_golden("web_large.txt", text);
  expect_fits(text, 80);
}

TEST(WebSummary, SaysFirstThatAVoidOrLimitedRunIsNoResult) {
  EXPECT_THAT(text_of_record(with_status(Status::fail, {"conforming is 87.0 %, required >= 95%"})),
              StartsWith("FAIL  248 of 250 connections conforming (>= 320 Kb/s)\n"
                         "  - conforming is 87.0 %, required >= 95%\n"));
  EXPECT_THAT(text_of_record(with_status(Status::void_run, {"The counts do not add up."})),
              StartsWith("VOID  no result: 248 of 250 connections conforming (>= 320 Kb/s)\n"));
  EXPECT_THAT(text_of_record(with_status(Status::generator_limited, {"A thread was busy."})),
              StartsWith("GENERATOR-LIMITED  no result: 248 of 250 connections conforming (>= 320 Kb/s)\n"));
}

TEST(WebSummary, TheVerdictStaysInOneLine) {
  EXPECT_EQ(lines_of(text_of_record(large_record())).front(),
            "GENERATOR-LIMITED  no result: 9,999 of 10,000 connections conforming");
}

TEST(WebSummary, WithoutAWindowThereIsNoScore) {
  const std::string text = text_of_record(unmeasured_record());
  EXPECT_THAT(text, StartsWith("INTERRUPTED  no window was measured, so there is no score\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("null")));
  EXPECT_THAT(text, Not(HasSubstr("*")));
  EXPECT_THAT(text, Not(HasSubstr("pass"))) << "an iteration that was cut short has not passed";
  EXPECT_THAT(line_with(text, "cut short"), HasSubstr("0 s"));
  RunRecord nothing = unmeasured_record();
  nothing.iterations = Json::array();
  EXPECT_THAT(text_of_record(nothing), StartsWith("INTERRUPTED  no window was measured"));
}

TEST(WebSummary, MarksTheIterationThatIsTheScore) {
  const std::string text = text_of_record(example_web());
  EXPECT_THAT(line_with(text, "3*"), HasSubstr("248"));
  EXPECT_THAT(line_with(text, "From iteration 3"),
              HasSubstr("the median of 3; measured over its window of 60 s"));
}

TEST(WebSummary, ClaimsNoIterationThatTheRecordDoesNotName) {
  RunRecord record = example_web();
  record.score.value = 17;
  record.score.iteration = std::nullopt;
  const std::string text = text_of_record(record);
  EXPECT_THAT(text, StartsWith("PASS  score 17 conforming connections\n"));
  EXPECT_THAT(text, Not(HasSubstr("median")));
  EXPECT_THAT(text, Not(HasSubstr("*")));
}

TEST(WebSummary, WithoutAScoredIterationTheDetailsAreOfOneThatWasMeasured) {
  RunRecord record = interrupted_record();
  record.iterations[1] = unmeasured_record().iterations[0];
  record.score.value = 0;
  record.score.iteration = std::nullopt;
  EXPECT_THAT(text_of_record(record), HasSubstr("Classes in iteration 1's window"));
}

TEST(WebSummary, PrintsTheContextsNotes) {
  RunRecord record = example_web();
  record.context["notes"] = {"Quick profile.", "31 directories instead of the formula's 188."};
  const std::string text = text_of_record(record);
  EXPECT_THAT(text,
              HasSubstr("  Note: Quick profile.\n  Note: 31 directories instead of the formula's 188.\n"));
}

TEST(WebSummary, TheAccountingAddsUpForTheEye) {
  const std::string text = text_of_record(example_web());
  std::string line = line_with(text, "  window     ");
  std::erase_if(line, [](char letter) { return letter == ' ' || letter == ','; });
  EXPECT_EQ(line, "window10+49200=49202+2+6");
}

TEST(WebSummary, SaysWhenCountsDoNotAddUp) {
  RunRecord record = example_web();
  record.iterations[2]["accounting"]["window"]["issued"] = 49'201;
  const std::string text = text_of_record(record);
  EXPECT_THAT(line_with(text, "  window     "), HasSubstr("!= 49,202"));
  EXPECT_THAT(text, HasSubstr("do not add up"));
  EXPECT_THAT(text_of_record(example_web()), Not(HasSubstr("do not add up")));
}

TEST(WebSummary, NamesFailuresByKindAndCodeOnlyWhenThereAreAny) {
  RunRecord record = example_web();
  EXPECT_THAT(text_of_record(record), HasSubstr("iteration 2: 2 reset, 5 bad_status (404: 1, 503: 4)\n"));
  for (Json& iteration : record.iterations) {
    iteration["accounting"]["run"]["failed"] = {{"total", 0}};
  }
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("Failures")));
}

TEST(WebSummary, ReasonsOfAnIterationAreNotSaidTwice) {
  RunRecord record = with_status(Status::void_run, {"Iteration 2: class 1 failed too often."});
  record.iterations[1]["verdict"] = {
      {"status", "void"}, {"reasons", {"class 1 failed too often.", "a thread ran out of ports."}}};
  const std::string text = text_of_record(record);
  EXPECT_THAT(text, HasSubstr("  - iteration 2: a thread ran out of ports.\n"));
  EXPECT_THAT(text, Not(HasSubstr("  - iteration 2: class 1")));
}

TEST(WebSummary, NothingWrapsFrom72ColumnsOn) {
  for (const RunRecord& record : {example_web(), interrupted_record(), unmeasured_record(), large_record()}) {
    for (const int width : {72, 73, 80, 132}) {
      expect_fits(text_of_record(record, width), static_cast<std::size_t>(width));
    }
  }
}

TEST(WebSummary, ColourChangesNothingButTheVerdictsColour) {
  const RunRecord record = example_web();
  std::string coloured = web_summary(record, {.colour = true, .width = 80});
  const std::string begin = "\x1b[1;32mPASS\x1b[0m";
  ASSERT_THAT(coloured, StartsWith(begin));
  EXPECT_EQ(coloured.replace(0, begin.size(), "PASS"), text_of_record(record));
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("\x1b")));
}

TEST(WebSummary, SurvivesARecordFromElsewhere) {
  RunRecord record = example_web();
  record.plan = nullptr;
  record.context = nullptr;
  record.iterations =
      Json::array({Json::object(), Json(7), {{"classes", {1, 2}}, {"generator", {{"threads", 3}}}}});
  EXPECT_THAT(text_of_record(record), StartsWith("PASS  no window was measured"));
  record = example_web();
  record.iterations[2]["classes"][0]["class"] = "\x1b[2Jevil";
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("\x1b")));
}

TEST(WebSummary, NumbersAgreeWithTheRecord) {
  const RunRecord record = example_web();
  const std::string text = text_of_record(record);
  for (const Json& cls : record.iterations[2]["classes"]) {
    const std::string line = line_with(text, fmt::format("  {}      ", cls["class"].get<std::string>()));
    for (const char* count : {"issued", "good"}) {
      EXPECT_THAT(line, HasSubstr(fmt::format(" {} ", count_text(cls[count].get<std::uint64_t>())))) << count;
    }
    EXPECT_THAT(line, HasSubstr(bytes_text(cls["bytes"].get<std::uint64_t>())));
    EXPECT_THAT(line, HasSubstr(ms_text(cls["ttlb_ms"]["p99"].get<double>())));
  }
}

}  // namespace
}  // namespace scalemark::analysis
