#include "analysis/table_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace scalemark::analysis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ScalingData read(const std::string& text, const std::string& unit = "jobs") {
  return table_from_text(text, "t.csv", unit);
}

/// The sentence with which a table is refused; "" when it is not.
std::string refusal(const std::string& text) {
  try {
    (void)read(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(TableReaderTest, ReadsTwoColumnsWithoutNames) {
  const ScalingData data = read("1,100\n2,190\r\n\n4, 350 \n");
  ASSERT_EQ(data.series.size(), 1U);
  ASSERT_EQ(data.series[0].points.size(), 3U);
  EXPECT_EQ(data.series[0].points[2].nodes, 4U);
  EXPECT_THAT(data.series[0].points[2].measured, ElementsAre(350));
  EXPECT_FALSE(data.series[0].direct);
  EXPECT_EQ(data.unit, "jobs");
}

TEST(TableReaderTest, ReadsNamedColumnsInAnyOrderTheBaseAndComments) {
  const ScalingData data = table_from_text(
      "\xEF\xBB\xBF# title: A table\n# unit: hits\n# "
      "anything\nbase,measured,nodes,colour\n110,100;102,1,red\n110,190,2,\n",
      "t.csv", "");
  EXPECT_EQ(data.title, "A table");
  EXPECT_EQ(data.unit, "hits");
  EXPECT_THAT(data.series[0].points[0].measured, ElementsAre(100, 102));
  ASSERT_TRUE(data.series[0].direct);
  EXPECT_THAT(data.series[0].direct->measured, ElementsAre(110));
}

TEST(TableReaderTest, SeriesAreKeptApart) {
  const ScalingData data = read("series,nodes,measured,base\n\"a\",1,10,11\nb,1,20,\na,2,19,11\n");
  ASSERT_EQ(data.series.size(), 2U);
  EXPECT_EQ(data.series[0].points.size(), 2U);
  EXPECT_FALSE(data.series[1].direct);
}

TEST(TableReaderTest, RowsOutOfOrderAreSortedAndThatIsSaid) {
  const ScalingData data = read("4,350\n1,100\n2,190\n");
  EXPECT_EQ(data.series[0].points[0].nodes, 1U);
  EXPECT_EQ(data.series[0].points[2].nodes, 4U);
  ASSERT_EQ(data.notes.size(), 1U);
  EXPECT_THAT(data.notes[0], HasSubstr("sorted"));
}

TEST(TableReaderTest, AnUnnamedUnitIsNoted) {
  EXPECT_THAT(read("1,2\n", "").notes.at(0), HasSubstr("--unit"));
}

TEST(TableReaderTest, AMeasuredZeroIsAFigure) {
  EXPECT_THAT(read("1,100\n2,0\n").series[0].points[1].measured, ElementsAre(0));
}

TEST(TableReaderTest, RefusalsNameFileLineAndWhatIsWrong) {
  EXPECT_EQ(refusal("1,100\ntwo,190\n"),
            "'t.csv', line 2: 'two' is no number of nodes; it is a whole number from 1 to 1000000");
  EXPECT_THAT(refusal("1,100\n-2,190\n"), HasSubstr("line 2: '-2' is no number of nodes"));
  EXPECT_THAT(refusal("0,100\n"), HasSubstr("'0' is no number of nodes"));
  EXPECT_THAT(refusal("1.5,100\n"), HasSubstr("'1.5' is no number of nodes"));
  EXPECT_THAT(refusal("99999999999,100\n"), HasSubstr("from 1 to 1000000"));
  EXPECT_THAT(refusal("1,fast\n"), HasSubstr("'fast' is no number; what was measured is one"));
  EXPECT_THAT(refusal("1,100 mb\n"), HasSubstr("'100 mb' is no number"));
  EXPECT_THAT(refusal("1,nan\n"), HasSubstr("'nan' is no number"));
  EXPECT_THAT(refusal("1,1e400\n"), HasSubstr("'1e400' is no number"));
  EXPECT_THAT(refusal("1,-5\n"), HasSubstr("what was measured is -5, which is below 0"));
  EXPECT_THAT(refusal("1,1e16\n"), HasSubstr("above 1e15"));
  EXPECT_THAT(refusal("1,\n"), HasSubstr("'' is no number"));
  EXPECT_THAT(refusal("1\n"), HasSubstr("it has 1 column;"));
  EXPECT_THAT(refusal("1,2,3,4\n"), HasSubstr("it has 4 columns"));
  EXPECT_THAT(refusal("1,100,0\n"), HasSubstr("the base is 0"));
  EXPECT_THAT(refusal("1,100,110\n2,190,111\n"), HasSubstr("the base is 111, and 110 in the rows before"));
  EXPECT_THAT(refusal("1,100\n2,190\n2,191\n"),
              HasSubstr("line 3: a row for 2 nodes is there already, in line 2; several measurements of one "
                        "number of nodes"));
  EXPECT_THAT(refusal("a,b\n1,2\n"), HasSubstr("there is no column 'nodes' in 'a,b'"));
  EXPECT_THAT(refusal("nodes,nodes\n"), HasSubstr("stands there twice"));
  EXPECT_THAT(refusal("nodes,measured,printed_drop\n1,2,x\n"), HasSubstr("printed_drop is a percentage"));
  EXPECT_THAT(refusal(""), HasSubstr("'t.csv' holds no row of figures"));
  EXPECT_THAT(refusal("# only words\nnodes,measured\n"), HasSubstr("holds no row of figures"));
}

TEST(TableReaderTest, OtherSeparatorsAreKnownAndNamed) {
  EXPECT_THAT(refusal("nodes;measured\n1;100\n"),
              AllOf(HasSubstr("line 1: its columns are apart by semicolons"), HasSubstr("commas")));
  EXPECT_THAT(refusal("1;27634,5\n2;57763,5\n"), HasSubstr("line 1: its columns are apart by semicolons"));
  EXPECT_THAT(refusal("series\tnodes\tmeasured\n"), HasSubstr("line 1: its columns are apart by tabs"));
  EXPECT_THAT(refusal("1\t100\n"), HasSubstr("apart by tabs"));
  EXPECT_THAT(refusal("nodes,measured\n1;100\n"), HasSubstr("line 2: its columns are apart by semicolons"));
  EXPECT_THAT(refusal("1,100;101\n2,x;y\n"), HasSubstr("'x' is no number")) << "these are iterations";
}

TEST(TableReaderTest, FilesThatCannotBeReadAreNamed) {
  const auto failure = [](const std::filesystem::path& path) -> std::string {
    try {
      (void)read_table(path, "");
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(failure("/nonexistent/t.csv"),
            "cannot read a table from '/nonexistent/t.csv': No such file or directory");
  EXPECT_EQ(failure("/"), "cannot read a table from '/': it is a folder");
}

}  // namespace
}  // namespace scalemark::analysis
