#include "analysis/web_csv.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

using Row = std::vector<std::string>;

/// Reads RFC 4180 strictly: every line must end in CRLF.
std::vector<Row> parse(const std::string& text) {
  std::vector<Row> rows;
  Row row;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else if (letter == '"') {
        quoted = false;
      } else {
        cell += letter;
      }
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == ',') {
      row.push_back(std::exchange(cell, {}));
    } else if (letter == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      row.push_back(std::exchange(cell, {}));
      rows.push_back(std::exchange(row, {}));
      ++i;
    } else {
      EXPECT_NE(letter, '\n') << "a line feed outside quotes";
      cell += letter;
    }
  }
  EXPECT_TRUE(row.empty() && cell.empty()) << "the last line has no end";
  return rows;
}

/// The rows as name -> cell.
std::vector<std::map<std::string, std::string>> table_of(const RunRecord& record) {
  const std::vector<Row> rows = parse(web_csv(record));
  std::vector<std::map<std::string, std::string>> table;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r].size(), rows[0].size()) << "row " << r;
    auto& named = table.emplace_back();
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
      named[rows[0][c]] = rows[r].at(c);
    }
  }
  return table;
}

RunRecord example() {
  return read_record(golden_path("web_example.json"));
}

TEST(Csv, IsAsDocumented) {
  expect_golden("web_example.csv", web_csv(example()));
}

TEST(Csv, HasARowPerIterationAndClassAllFirst) {
  const auto table = table_of(example());
  ASSERT_EQ(table.size(), 15U);
  const std::vector<std::string> classes = {"all", "0", "1", "2", "3"};
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table[i].at("class"), classes[i % 5]);
    EXPECT_EQ(table[i].at("iteration"), std::to_string(i / 5 + 1));
    EXPECT_EQ(table[i].at("scored"), i / 5 == 2 ? "true" : "false");
  }
}

TEST(Csv, EveryNumberIsTheRecordsOwn) {
  const RunRecord record = example();
  const auto table = table_of(record);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Json& iteration = record.iterations[i / 5];
    const bool all = i % 5 == 0;
    const Json& figures = all ? iteration : iteration["classes"][i % 5 - 1];
    const Json& window = all ? iteration["accounting"]["window"] : figures;
    const Json& run = all ? iteration["accounting"]["run"] : figures["run"];
    EXPECT_EQ(table[i].at("issued"), window["issued"].dump());
    EXPECT_EQ(table[i].at("good"), window["good"].dump());
    EXPECT_EQ(table[i].at("failed"), window["failed"]["total"].dump());
    EXPECT_EQ(table[i].at("unfinished"), window["unfinished"].dump());
    EXPECT_EQ(table[i].at("bytes"), figures["bytes"].dump());
    EXPECT_EQ(table[i].at("ttfb_ms_p99"), figures["ttfb_ms"]["p99"].dump());
    EXPECT_EQ(table[i].at("ttlb_ms_mean"), figures["ttlb_ms"]["mean"].dump());
    EXPECT_EQ(table[i].at("run_issued"), run["issued"].dump());
    EXPECT_EQ(table[i].at("run_failed"), run["failed"]["total"].dump());
    EXPECT_EQ(table[i].at("conforming"), all ? iteration["conforming"].dump() : "");
    EXPECT_EQ(table[i].at("bits_per_second_min"), all ? iteration["bits_per_second"]["min"].dump() : "");
    EXPECT_EQ(table[i].at("share"), all ? "" : figures["share"].dump());
  }
  EXPECT_EQ(table[2].at("run_failed_by_outcome"), "reset:2;bad_status:5");
}

TEST(Csv, NullIsAnEmptyField) {
  RunRecord record = example();
  record.iterations[0]["conforming"] = nullptr;
  record.iterations[0]["ttfb_ms"]["p99"] = nullptr;
  record.iterations[0].erase("bits_per_second");
  const auto table = table_of(record);
  EXPECT_EQ(table[0].at("conforming"), "");
  EXPECT_EQ(table[0].at("ttfb_ms_p99"), "");
  EXPECT_EQ(table[0].at("bits_per_second_mean"), "");
  EXPECT_EQ(table[0].at("requested"), "250");
}

TEST(Csv, QuotesWhatNeedsIt) {
  RunRecord record = example();
  record.iterations[0]["classes"][0]["class"] = "a, \"big\"\r\none";
  EXPECT_NE(web_csv(record).find("\"a, \"\"big\"\"\r\none\""), std::string::npos);
  EXPECT_EQ(table_of(record)[1].at("class"), "a, \"big\"\r\none");
}

TEST(Csv, AClassMayBeCalledAll) {
  RunRecord record = example();
  record.iterations[0]["classes"][0]["class"] = "all";
  const auto table = table_of(record);
  EXPECT_EQ(table[1].at("class"), "all");
  EXPECT_EQ(table[1].at("requested"), "");
}

TEST(Csv, WithoutIterationsThereIsTheHeaderOnly) {
  RunRecord record = example();
  record.iterations = Json::array();
  EXPECT_EQ(parse(web_csv(record)).size(), 1U);
}

TEST(Csv, RefusesARecordOfAnotherKind) {
  RunRecord record = example();
  record.kind = "mail";
  EXPECT_THROW(static_cast<void>(web_csv(record)), UsageError);
}

}  // namespace
}  // namespace scalemark::analysis
