#include "analysis/mail_csv.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

RunRecord example() {
  return read_record(golden_path("mail_example.json"));
}

/// The cells of a line without quotes; its last cell must end in CR.
std::vector<std::string> cells_of(std::string line) {
  EXPECT_TRUE(line.ends_with('\r'));
  line.pop_back();
  std::vector<std::string> cells;
  std::istringstream stream(line + ",");
  for (std::string cell; std::getline(stream, cell, ',');) {
    cells.push_back(cell);
  }
  return cells;
}

std::vector<std::map<std::string, std::string>> table_of(const RunRecord& record) {
  std::istringstream stream(mail_csv(record));
  std::string line;
  std::getline(stream, line);
  const auto names = cells_of(line);
  std::vector<std::map<std::string, std::string>> table;
  while (std::getline(stream, line)) {
    const auto cells = cells_of(line);
    EXPECT_EQ(cells.size(), names.size());
    auto& row = table.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_TRUE(row.emplace(names[i], cells.at(i)).second) << names[i] << " stands there twice";
    }
  }
  return table;
}

TEST(MailCsv, IsAsDocumented) {
  expect_golden("mail_example.csv", mail_csv(example()));
}

TEST(MailCsv, HasARowPerIterationAndStepAllFirst) {
  const RunRecord record = example();
  const auto table = table_of(record);
  const std::size_t rows = 1 + record.iterations[0]["steps_ms"].size();
  ASSERT_EQ(table.size(), 3 * rows);
  EXPECT_EQ(table[0].at("step"), "all");
  EXPECT_EQ(table[1].at("step"), "smtp_connect");
  EXPECT_EQ(table[rows - 1].at("step"), "operation");
  EXPECT_EQ(table[rows].at("iteration"), "2");
  EXPECT_EQ(table[rows].at("scored"), "true");
  EXPECT_EQ(table[0].at("scored"), "false");
}

TEST(MailCsv, EveryNumberIsTheRecordsOwn) {
  const RunRecord record = example();
  const Json& iteration = record.iterations[0];
  const auto table = table_of(record);
  const auto& all = table[0];
  EXPECT_EQ(all.at("operations_per_hour"), iteration["operations_per_hour"].dump());
  EXPECT_EQ(all.at("good"), iteration["accounting"]["window"]["good"].dump());
  EXPECT_EQ(all.at("run_good"), iteration["accounting"]["run"]["good"].dump());
  EXPECT_EQ(all.at("smtp_run_failed_by_outcome"), "closed_early:1;bad_status:3;read_timeout:1");
  EXPECT_EQ(all.at("pop3_failed"), iteration["pop3"]["window"]["failed"]["total"].dump());
  EXPECT_EQ(all.at("pop3_run_retrieved"), iteration["pop3"]["retrieved"]["run"].dump());
  EXPECT_EQ(all.at("smtp_replies"), "dot 452:2;rcpt 450:1");
  EXPECT_EQ(all.at("pop3_refusals"), "auth locked:8");
  EXPECT_EQ(all.at("planned"), "700");
  for (const auto& [name, count] : iteration["ledger"]["classes"].items()) {
    EXPECT_EQ(all.at(name), count.dump()) << name;
  }
  EXPECT_EQ(all.at("by_node"), "node1:357;node2:338");
  EXPECT_EQ(all.at("ms_p99"), "");
  const auto& operation = table[record.iterations[0]["steps_ms"].size()];
  EXPECT_EQ(operation.at("ms_p99"), iteration["steps_ms"]["operation"]["p99"].dump());
  EXPECT_EQ(operation.at("count"), iteration["steps_ms"]["operation"]["count"].dump());
  EXPECT_EQ(operation.at("operations_per_hour"), "");
}

TEST(MailCsv, NullIsAnEmptyField) {
  RunRecord record = example();
  record.iterations[0]["operations_per_hour"] = nullptr;
  record.iterations[0].erase("smtp");
  EXPECT_EQ(table_of(record)[0].at("operations_per_hour"), "");
  EXPECT_EQ(table_of(record)[0].at("smtp_good"), "");
}

TEST(MailCsv, WithoutIterationsThereIsTheHeaderOnly) {
  RunRecord record = example();
  record.iterations = Json::array();
  EXPECT_TRUE(table_of(record).empty());
}

TEST(MailCsv, RefusesARecordOfAnotherKind) {
  RunRecord record = example();
  record.kind = "web";
  EXPECT_THROW(static_cast<void>(mail_csv(record)), UsageError);
}

}  // namespace
}  // namespace scalemark::analysis
