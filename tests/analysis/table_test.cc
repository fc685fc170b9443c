#include "analysis/table.h"

#include <gtest/gtest.h>

#include <string>

namespace scalemark::analysis {
namespace {

TEST(Table, AlignsNumbersRightAndNamesLeft) {
  Table table({{"name", "", true}, {"count"}});
  table.add({"a", "2,000,000"});
  table.add({"longer", "7"});
  EXPECT_EQ(table.text(80, 1),
            " name        count\n"
            " a       2,000,000\n"
            " longer          7\n");
}

TEST(Table, HeadsNeighbouringColumnsOfAGroupTogether) {
  Table table({{"class", "", true}, {"p50", "first byte"}, {"p99", "first byte"}, {"good"}});
  table.add({"0", "0.31", "2.40", "12"});
  EXPECT_EQ(table.text(80, 0),
            "       first byte\n"
            "class   p50   p99  good\n"
            "0      0.31  2.40    12\n");
}

TEST(Table, WidensAGroupToItsHeading) {
  Table table({{"a"}, {"b", "a long heading"}, {"c"}});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.text(80, 0),
            "   a long heading\n"
            "a               b  c\n"
            "1               2  3\n");
}

TEST(Table, LosesSpaceFirstAndThenTheColumnsThatItCanDoWithout) {
  Table table({{"aaaa"}, {"bbbb", "", false, 1}, {"cccc", "", false, 2}});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.text(16, 0), "aaaa  bbbb  cccc\n   1     2     3\n");
  EXPECT_EQ(table.text(15, 0), "aaaa bbbb cccc\n   1    2    3\n");
  EXPECT_EQ(table.text(13, 0), "aaaa  bbbb\n   1     2\n");
  EXPECT_EQ(table.text(8, 0), "aaaa\n   1\n");
  EXPECT_EQ(table.text(1, 0), "aaaa\n   1\n");
}

TEST(Table, MissingCellsAreEmpty) {
  Table table({{"a"}, {"b"}});
  table.add({"1"});
  EXPECT_EQ(table.text(80, 0), "a  b\n1\n");
}

TEST(Table, WithoutRowsItIsItsHeadings) {
  const Table table({{"a"}, {"b"}});
  EXPECT_EQ(table.text(80, 0), "a  b\n");
}

TEST(Table, ALineFeedInACellDoesNotBreakTheTable) {
  Table table({{"a", "", true}, {"b"}});
  table.add({"x\ny", "1"});
  EXPECT_EQ(table.text(80, 0), "a    b\nx?y  1\n");
}

}  // namespace
}  // namespace scalemark::analysis
