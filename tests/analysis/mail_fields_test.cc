#include "analysis/mail_fields.h"

#include <gtest/gtest.h>

#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

TEST(MailFields, CountsAreThoseMembersThatAreCounts) {
  const auto counts = counts_in({{"b", 2}, {"a", 1}, {"text", "x"}, {"less", -1}});
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[0].name, "b");
  EXPECT_EQ(counts[1].count, 1U);
  EXPECT_TRUE(counts_in(Json::array({1, 2})).empty());
  EXPECT_TRUE(counts_in(nullptr).empty());
}

TEST(MailFields, ALedgerAddsUpOrDoesNotOrCannotBeTold) {
  EXPECT_EQ(ledger_adds_up({{"planned", 3}, {"classes", {{"verified", 2}, {"lost", 1}}}}), true);
  EXPECT_EQ(ledger_adds_up({{"planned", 4}, {"classes", {{"verified", 2}, {"lost", 1}}}}), false);
  EXPECT_EQ(ledger_adds_up({{"planned", 4}}), std::nullopt);
  EXPECT_EQ(ledger_adds_up(nullptr), std::nullopt);
}

TEST(MailFields, EveryClassOfARecordHasWords) {
  const RunRecord record = read_record(golden_path("mail_example.json"));
  for (const auto& [name, count] : record.iterations[0]["ledger"]["classes"].items()) {
    EXPECT_FALSE(class_words(name).empty()) << name;
  }
  EXPECT_TRUE(class_words("invented").empty());
}

TEST(MailFields, ANodeWithoutANameIsNone) {
  const auto nodes = nodes_of({{"by_node", {{"", 5}, {"node1", 6}}}});
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].name, "node1");
}

}  // namespace
}  // namespace scalemark::analysis
