#include "app/report_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "analysis/run_summary.h"
#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "tests/analysis/paper_tables.h"
#include "tests/app/console_capture.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using analysis::paper_table;
using analysis::study_folder;
using testing::HasSubstr;

class ReportCommandTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(ReportCommandTest, ThePapersWebTableWithItsRecomputedDrops) {
  EXPECT_EQ(capture_.run({"report", "--csv", paper_table("web.csv").string()}), kExitOk) << capture_.err();
  for (const char* drop : {" 0.78 ", " 2.13 ", " 10.85 ", " 13.03 "}) {
    EXPECT_THAT(capture_.out(), HasSubstr(drop));
  }
}

TEST_F(ReportCommandTest, AStudyIsWrittenIntoTheFolder) {
  const auto out = folder_.path() / "report";
  EXPECT_EQ(capture_.run({"report", study_folder().string(), "--out", out.string()}), kExitOk)
      << capture_.err();
  for (const char* name : {"report.html", "report.txt", "report.csv", "report.json", "plots/dsr-curve.dat"}) {
    EXPECT_TRUE(std::filesystem::exists(out / name)) << name;
  }
  EXPECT_THAT(capture_.out(), HasSubstr("The report: " + (out / "report.html").string()));
}

TEST_F(ReportCommandTest, SeveralRecordsStandOneAfterAnother) {
  EXPECT_EQ(capture_.run({"report", (study_folder() / "dsr-1/trial-04.json").string(),
                          (study_folder() / "dsr-2/trial-04.json").string()}),
            kExitOk)
      << capture_.err();
  EXPECT_THAT(capture_.out(), HasSubstr("2 nodes carry 473.7 conforming connections"));
}

TEST_F(ReportCommandTest, WrongUseIsRefusedWithASentence) {
  EXPECT_EQ(capture_.run({"report"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("nothing to report on"));
  EXPECT_EQ(capture_.run({"report", "a.json", "--csv", "b.csv"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("do not go together"));
  EXPECT_EQ(capture_.run({"report", "a.json", "--unit", "x"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("--unit belongs to --csv"));
  EXPECT_EQ(capture_.run({"report", "/nonexistent.json"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("/nonexistent.json"));
}

TEST_F(ReportCommandTest, AFaultyTableIsRefusedByItsLine) {
  const auto table = folder_.path() / "t.csv";
  write_file(table, "1,100\n2,fast\n");
  EXPECT_EQ(capture_.run({"report", "--csv", table.string()}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("line 2: 'fast' is no number"));
}

TEST_F(ReportCommandTest, WhatIsNoJsonIsRefusedByItsPlaceAndInOurWords) {
  const auto path = folder_.path() / "r.json";
  write_file(path, "{\"schema\": \"scalemark/1\",\n  oops}\n");
  EXPECT_EQ(capture_.run({"report", path.string()}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("r.json', line 2, column 3: "));
  EXPECT_THAT(capture_.err(), testing::Not(HasSubstr("json.exception")));
  write_file(path, "nodes,measured\n1,100\n");
  EXPECT_EQ(capture_.run({"report", path.string()}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("r.json', line 1, column "));
}

TEST_F(ReportCommandTest, ATableWithSemicolonsGetsAHint) {
  const auto table = folder_.path() / "t.csv";
  write_file(table, "nodes;measured\n1;100\n");
  EXPECT_EQ(capture_.run({"report", "--csv", table.string()}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("apart by semicolons"));
}

TEST_F(ReportCommandTest, ASingleRunsRecordIsShownAsAfterTheRun) {
  for (const char* kind : {"web", "mail"}) {
    ConsoleCapture capture;
    const std::string record = golden_path(std::string(kind) + "_example.json").string();
    EXPECT_EQ(capture.run({"report", record}), kExitOk) << capture.err();
    EXPECT_EQ(capture.out(), analysis::run_summary(read_record(record), {.width = 100}));
    EXPECT_EQ(capture.run({"report", record, "--out", folder_.path().string()}), kExitUsage);
  }
}

TEST_F(ReportCommandTest, ComparesTwoResults) {
  const std::string record = golden_path("web_example.json").string();
  EXPECT_EQ(capture_.run({"compare", record, record}), kExitOk) << capture_.err();
  EXPECT_THAT(capture_.out(), HasSubstr("no difference can be told from chance"));
  const std::string mail = golden_path("mail_example.json").string();
  EXPECT_EQ(capture_.run({"compare", mail, mail}), kExitOk) << capture_.err();
  EXPECT_THAT(capture_.out(), HasSubstr("Comparing operations per hour"));
  EXPECT_THAT(capture_.out(), HasSubstr("31,680"));
  EXPECT_EQ(capture_.run({"compare", record, mail}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("they cannot be compared"));
  EXPECT_EQ(capture_.run({"compare", record}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("two results are needed"));
}

}  // namespace
}  // namespace scalemark::app
