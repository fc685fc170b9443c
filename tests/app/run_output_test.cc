#include "app/run_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/app/console_capture.h"
#include "tests/app/run_records.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Makes a folder the current one for a while.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path before_;
};

class RunOutputTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  bool write(const RunOutputs& outputs) {
    return write_outputs(record_of(Status::pass), outputs, capture_.console());
  }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(RunOutputTest, TheDefaultRecordIsANewFileNamedByTheTime) {
  const InFolder in(folder_.path());
  const std::string utc = "2026-01-31T12:00:00Z";
  EXPECT_EQ(choose_outputs("web", "", "", utc).json, "web-20260131T120000Z.json");
  std::ofstream("web-20260131T120000Z.json") << "kept";
  EXPECT_EQ(choose_outputs("web", "", "", utc).json, "web-20260131T120000Z-2.json");
  EXPECT_EQ(choose_outputs("web", "", "", utc).csv, "");
  EXPECT_EQ(choose_outputs("mail", "", "", utc).json, "mail-20260131T120000Z.json");
}

TEST_F(RunOutputTest, TwoRunsOfTheSameSecondKeepBothRecords) {
  const InFolder in(folder_.path());
  const RunOutputs outputs = choose_outputs("web", "", "", "2026-01-31T12:00:00Z");
  EXPECT_TRUE(write(outputs));  // both had chosen the name before either wrote
  EXPECT_TRUE(write(outputs));
  EXPECT_EQ(read_record("web-20260131T120000Z.json").score.value, 97);
  EXPECT_EQ(read_record("web-20260131T120000Z-2.json").score.value, 97);
}

TEST_F(RunOutputTest, NoneMeansNowhere) {
  const RunOutputs outputs = choose_outputs("mail", "none", "none", "2026-01-31T12:00:00Z");
  EXPECT_EQ(outputs.json, "");
  EXPECT_EQ(outputs.csv, "");
}

TEST_F(RunOutputTest, WhatCannotBeWrittenIsKnownBeforehand) {
  EXPECT_NO_THROW(check_outputs({.json = path("a.json"), .csv = path("a.csv")}));
  EXPECT_NO_THROW(check_outputs({.json = "-", .csv = ""}));
  EXPECT_THAT(usage_error([] { check_outputs({.json = "/nonexistent/a.json", .csv = ""}); }),
              HasSubstr("/nonexistent"));
  EXPECT_THAT(usage_error([] { check_outputs({.json = "", .csv = "/nonexistent/a.csv"}); }),
              HasSubstr("/nonexistent"));
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(RunOutputTest, FilesAreWrittenAndNamedAfterTheSummary) {
  EXPECT_TRUE(write({.json = path("a.json"), .csv = path("a.csv")}));
  EXPECT_EQ(read_record(path("a.json")).score.value, 97);
  EXPECT_TRUE(std::filesystem::exists(path("a.csv")));
  EXPECT_THAT(capture_.out(), HasSubstr("PASS"));
  EXPECT_THAT(capture_.out(), HasSubstr("\nrecord: " + path("a.json") + "\ncsv:    " + path("a.csv") + "\n"));
  EXPECT_THAT(capture_.err(), IsEmpty());
}

TEST_F(RunOutputTest, EveryKindOfRecordHasItsOwnTextAndTable) {
  RunRecord record = record_of(Status::pass);
  record.kind = "mail";
  EXPECT_TRUE(write_outputs(record, {.json = "", .csv = path("a.csv")}, capture_.console()));
  EXPECT_THAT(capture_.out(), HasSubstr("PASS"));
  std::ifstream csv(path("a.csv"));
  std::string header;
  std::getline(csv, header);
  EXPECT_THAT(header, HasSubstr("operations_per_hour"));
}

TEST_F(RunOutputTest, ADocumentOnStandardOutputStandsThereAlone) {
  EXPECT_TRUE(write({.json = "-", .csv = path("a.csv")}));
  EXPECT_EQ(record_from_json(Json::parse(capture_.out())).score.value, 97);
  EXPECT_THAT(capture_.err(), HasSubstr("PASS"));
  EXPECT_THAT(capture_.err(), HasSubstr("csv:    "));
}

TEST_F(RunOutputTest, CsvOnStandardOutputStandsThereAlone) {
  EXPECT_TRUE(write({.json = "", .csv = "-"}));
  EXPECT_THAT(capture_.out(), HasSubstr("\r\n"));
  EXPECT_THAT(capture_.out(), Not(HasSubstr("PASS")));
  EXPECT_THAT(capture_.err(), HasSubstr("PASS"));
}

TEST_F(RunOutputTest, ARecordThatCannotBeWrittenAfterAllIsPrinted) {
  EXPECT_FALSE(write({.json = "/nonexistent/a.json", .csv = path("a.csv")}));
  EXPECT_EQ(record_from_json(Json::parse(capture_.out())).score.value, 97);
  EXPECT_THAT(capture_.err(), HasSubstr("cannot write '/nonexistent/a.json'"));
  EXPECT_THAT(capture_.err(), HasSubstr("so that the measurement is not lost"));
  EXPECT_TRUE(std::filesystem::exists(path("a.csv")));
}

TEST_F(RunOutputTest, AFullDiskLosesNothing) {
  ASSERT_TRUE(std::filesystem::exists("/dev/full"));
  EXPECT_FALSE(write({.json = "/dev/full", .csv = ""}));
  EXPECT_EQ(record_from_json(Json::parse(capture_.out())).score.value, 97);
  EXPECT_THAT(capture_.err(), HasSubstr("No space left on device"));
}

TEST_F(RunOutputTest, ALostCsvIsAFaultButTheRecordIsSafe) {
  EXPECT_FALSE(write({.json = path("a.json"), .csv = "/nonexistent/a.csv"}));
  EXPECT_EQ(read_record(path("a.json")).score.value, 97);
  EXPECT_THAT(capture_.out(), HasSubstr("PASS"));
  EXPECT_THAT(capture_.out(), Not(HasSubstr("\"schema\"")));
  EXPECT_THAT(capture_.err(), HasSubstr("cannot write '/nonexistent/a.csv'"));
}

TEST_F(RunOutputTest, ALostCsvWithoutARecordPrintsTheRecord) {
  EXPECT_FALSE(write({.json = "", .csv = "/nonexistent/a.csv"}));
  EXPECT_EQ(record_from_json(Json::parse(capture_.out())).score.value, 97);
}

}  // namespace
}  // namespace scalemark::app
