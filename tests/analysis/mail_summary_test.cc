#include "analysis/mail_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunRecord example_mail() {
  return read_record(golden_path("mail_example.json"));
}

std::string text_of_record(const RunRecord& record, int width = 80) {
  return mail_summary(record, {.colour = false, .width = width});
}

void expect_fits(const std::string& text, std::size_t width) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    EXPECT_LE(width_of(line), width) << line;
  }
}

/// The first line that holds `part`; fails the test when there is none.
std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(part) != std::string::npos) {
      return line;
    }
  }
  ADD_FAILURE() << "no line with '" << part << "' in\n" << text;
  return "";
}

/// Full length, a hundred thousand users, something of everything.
RunRecord large_record() {
  RunRecord record = example_mail();
  record.verdict = {Status::void_run, {std::string(200, 'x') + " is a very long word in a reason."}};
  for (Json& iteration : record.iterations) {
    iteration["users"] = 100'000;
    iteration["window_seconds"] = 3600.0;
    iteration["operations_per_hour"] = 123'456'789.25;
    iteration["smtp_per_hour"] = 123'456'789.25;
    iteration["pop3_per_hour"] = 123'456'789.25;
    iteration["verdict"]["status"] = "generator_limited";
    for (Json& count : iteration["ledger"]["classes"]) {
      count = 12'345'678;
    }
    iteration["ledger"]["planned"] = 21 * 12'345'678;
    for (const char* name : {"late", "leftovers", "foreign", "fetched_again", "surplus"}) {
      iteration["ledger"][name] = 1'234'567;
    }
    iteration["ledger"]["by_node"] = {{std::string(90, 'n') + ".example.test", 12'345'678}};
    iteration["steps_ms"]["operation"]["p99"] = 123'456.7;
  }
  return record;
}

TEST(MailSummary, IsReadableAtAGlance) {
  const std::string text = text_of_record(example_mail());
  expect_golden("mail_example.txt", text);
  EXPECT_THAT(text, StartsWith("PASS  31,680 operations per hour with 96 users\n"));
  expect_fits(text, 80);
}

TEST(MailSummary, TheLedgerShowsWhatOccurredAndAlwaysWhatWasPlannedAndVerified) {
  RunRecord record = example_mail();
  EXPECT_THAT(line_with(text_of_record(record), "planned"), HasSubstr("640"));
  EXPECT_THAT(line_with(text_of_record(record), "verified"), AllOf(HasSubstr("635"), HasSubstr("99.22%")));
  EXPECT_THAT(line_with(text_of_record(record), "refused_temporarily"), HasSubstr("a 4xx reply"));
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("mailbox_locked")));
  EXPECT_THAT(text_of_record(record), HasSubstr("Beside these: 2 late, 4 left over from other runs.\n"));
  Json& ledger = record.iterations[1]["ledger"];
  for (Json& count : ledger["classes"]) {
    count = 0;
  }
  ledger["planned"] = 0;
  const std::string text = text_of_record(record);
  EXPECT_THAT(line_with(text, "verified"), HasSubstr(" 0 "));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(MailSummary, SaysWhenTheLedgerDoesNotAddUp) {
  RunRecord record = example_mail();
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("do not add up")));
  record.iterations[1]["ledger"]["planned"] = 641;
  EXPECT_THAT(text_of_record(record), HasSubstr("The classes do not add up"));
}

TEST(MailSummary, StepsThatWereNotTakenAreNotShown) {
  const std::string text = text_of_record(example_mail());
  EXPECT_THAT(line_with(text, "smtp_rcpt"), HasSubstr("528"));
  EXPECT_THAT(text, Not(HasSubstr("smtp_tls")));
}

TEST(MailSummary, NodesAreShownWhenTheyAreKnown) {
  RunRecord record = example_mail();
  EXPECT_THAT(line_with(text_of_record(record), "node1"), HasSubstr("51.5%"));
  record.iterations[1]["ledger"]["by_node"] = {{"", 635}};
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("Nodes")));
}

TEST(MailSummary, RefusalsAreNamedByStepAndReplyOnlyWhenThereAreAny) {
  RunRecord record = example_mail();
  EXPECT_THAT(text_of_record(record), AllOf(HasSubstr("iteration 2, SMTP: dot 452: 2, rcpt 450: 1\n"),
                                            HasSubstr("iteration 2, POP3: auth locked: 8\n")));
  for (Json& iteration : record.iterations) {
    iteration["smtp"]["replies"] = Json::object();
    iteration["pop3"]["refusals"] = Json::object();
  }
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("Refusals")));
}

TEST(MailSummary, SaysFirstThatAVoidOrLimitedRunIsNoResult) {
  RunRecord record = example_mail();
  record.verdict = {Status::void_run, {"3 of 96 users may not log in"}};
  EXPECT_THAT(text_of_record(record), StartsWith("VOID  no result: 31,680 operations per hour with 96 users\n"
                                                 "  - 3 of 96 users may not log in\n"));
}

TEST(MailSummary, CountedApartTheScoreSaysSo) {
  RunRecord record = example_mail();
  record.plan["pairing"] = "independent";
  const std::string text = text_of_record(record);
  EXPECT_THAT(text,
              StartsWith("PASS  31,680 operations per hour with 96 users (the smaller of SMTP and POP3)\n"));
  EXPECT_THAT(text, HasSubstr("deliveries and retrievals counted apart"));
}

TEST(MailSummary, WithoutAWindowThereIsNoScore) {
  RunRecord record = example_mail();
  record.verdict = {Status::interrupted, {"ended by the user; the record is partial"}};
  record.iterations = Json::array({Json(record.iterations[0])});
  Json& only = record.iterations[0];
  only["partial"] = true;
  only["window_seconds"] = 0.0;
  for (const char* name : {"operations_per_hour", "smtp_per_hour", "pop3_per_hour"}) {
    only[name] = nullptr;
  }
  record.score.value = std::numeric_limits<double>::quiet_NaN();
  record.score.iteration = std::nullopt;
  const std::string text = text_of_record(record);
  EXPECT_THAT(text, StartsWith("INTERRUPTED  no window was measured, so there is no score\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, HasSubstr("cut short"));
}

TEST(MailSummary, NothingWrapsFrom72ColumnsOn) {
  for (const RunRecord& record : {example_mail(), large_record()}) {
    for (const int width : {72, 80, 132}) {
      expect_fits(text_of_record(record, width), static_cast<std::size_t>(width));
    }
  }
}

TEST(MailSummary, WhereNoTimerWasNeededThereIsNoLag) {
  RunRecord record = example_mail();
  EXPECT_THAT(line_with(text_of_record(record), "Generator: "), HasSubstr("lag p99"));
  for (const char* figure : {"p99", "max"}) {
    record.iterations[1]["generator"]["lag_ms"][figure] = nullptr;
  }
  EXPECT_THAT(line_with(text_of_record(record), "Generator: "), Not(HasSubstr("lag")));
}

TEST(MailSummary, SurvivesARecordFromElsewhere) {
  RunRecord record = example_mail();
  record.plan = nullptr;
  record.context = nullptr;
  record.iterations = Json::array(
      {Json::object(), Json(7), {{"ledger", 3}, {"steps_ms", {1, 2}}, {"smtp", "x"}, {"generator", {}}}});
  EXPECT_THAT(text_of_record(record), StartsWith("PASS  no window was measured"));
  record = example_mail();
  record.iterations[1]["ledger"]["by_node"] = {{"\x1b[2Jevil", 5}};
  record.iterations[1]["smtp"]["replies"] = {{"\x1b[2Jevil", 5}};
  EXPECT_THAT(text_of_record(record), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace scalemark::analysis
