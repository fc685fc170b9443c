// What the sections of a report say where something is missing or did not go well.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/plots.h"
#include "analysis/report_document.h"
#include "analysis/report_writers.h"
#include "analysis/study_reader.h"
#include "tests/analysis/paper_tables.h"

namespace scalemark::analysis {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const FitPlan kFits{.seed = 1, .resamples = 200};

ScalingReport study_report() {
  return report_of(read_measurements({study_folder()}), kFits);
}

Section section_of(const ScalingReport& report, const std::string& title) {
  for (Section& section : document_of(report).sections) {
    if (section.title == title) {
      return std::move(section);
    }
  }
  return {};
}

/// All that a section says, cells apart by blanks.
std::string words_of(const Section& section) {
  std::string text;
  for (const Block& block : section.blocks) {
    text += block.text + "\n";
    for (const auto& row : block.rows) {
      for (const std::string& cell : row) {
        text += cell + " ";
      }
      text += "\n";
    }
  }
  return text;
}

TEST(ReportSectionsTest, WithoutABaseThereIsASentenceAndNoLine) {
  ScalingData data = read_measurements({study_folder()});
  for (ScalingSeries& series : data.series) {
    series.direct->status = PointStatus::failed;
    for (ScalingPoint& point : series.points) {
      point.status = PointStatus::interrupted;
      point.measured.clear();
    }
  }
  const ScalingReport report = report_of(std::move(data), kFits);
  const std::string text = words_of(section_of(report, "dsr: The curve"));
  EXPECT_THAT(text, HasSubstr("Nothing was measured, so there is no base, and no theory either."));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("which is")), Not(HasSubstr("interval"))));
  EXPECT_THAT(report.series[0].sentence, HasSubstr("the direct node (failed)"));
  for (const Plot& plot : plots_of(report)) {
    EXPECT_THAT(plot.script, Not(HasSubstr("linear")));
  }
}

TEST(ReportSectionsTest, SingleMeasurementsHaveNoIntervalsThatSayAnything) {
  ScalingData data = read_measurements({study_folder()});
  for (ScalingPoint& point : data.series[0].points) {
    point.measured.resize(std::min<std::size_t>(point.measured.size(), 1));
  }
  const std::string text = words_of(section_of(report_of(std::move(data), kFits), "dsr: The curve"));
  EXPECT_THAT(text, HasSubstr("so there are no intervals. What a point carries lies between"));
}

TEST(ReportSectionsTest, TheBaseIsSearchedForFirstAndListedOnce) {
  const ScalingReport report = study_report();
  const Section first = section_of(report, "dsr: How each point was found");
  ASSERT_EQ(first.blocks.size(), 5U);
  EXPECT_THAT(first.blocks[0].text, testing::StartsWith("1 node, direct: confirmed, 240"));
  EXPECT_EQ(first.blocks[0].rows.size(), 4U);
  EXPECT_THAT(first.blocks[1].text, testing::StartsWith("1 node: confirmed, 238"));
  const Section second = section_of(report, "nat: How each point was found");
  EXPECT_THAT(second.blocks.at(0).text, HasSubstr("is that of dsr"));
  EXPECT_THAT(second.blocks.at(1).text, testing::StartsWith("1 node: "));
}

TEST(ReportSectionsTest, ABaseThatIsAPointOfItsSeriesIsNotListedTwice) {
  ScalingData data = read_measurements({study_folder()});
  data.series[0].points[0] = *data.series[0].direct;
  const ScalingReport report = report_of(std::move(data), kFits);
  EXPECT_EQ(section_of(report, "dsr: How each point was found").blocks.size(), 4U);
}

TEST(ReportSectionsTest, APointWithoutATrialSaysWhy) {
  ScalingData data = read_measurements({study_folder()});
  data.series[0].direct->trials.clear();
  data.series[0].direct->status = PointStatus::failed;
  data.series[0].direct->why = "node n1 does not answer";
  const ScalingReport report = report_of(std::move(data), kFits);
  EXPECT_THAT(section_of(report, "dsr: How each point was found").blocks.at(0).text,
              testing::StartsWith("1 node, direct: failed"));
}

TEST(ReportSectionsTest, ADisturbedBaseIsNamed) {
  ScalingData data = read_measurements({study_folder()});
  data.series[0].direct->trials.back().disturbed = true;
  const ScalingReport report = report_of(std::move(data), kFits);
  EXPECT_THAT(report.data.notes, Contains(HasSubstr("in trials that count: one node, direct.")));
}

TEST(ReportSectionsTest, NextToALimitedPointStandsTheTrialThatWasLimited) {
  const ScalingReport report = study_report();
  const Section section = section_of(report, "dsr: Was the generator the limit?");
  const auto& rows = section.blocks.at(1).rows;
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0][0], "1, direct");
  EXPECT_EQ(rows[0][1], "4");
  EXPECT_EQ(rows[4][0], "8");
  EXPECT_EQ(rows[4][1], "1, limited");
  EXPECT_EQ(rows[4][3], "2.31%");
  EXPECT_EQ(rows[4][4], "97%");
  EXPECT_THAT(section.blocks.at(0).text,
              HasSubstr("in dsr at 8 nodes (trial 1 at 1,880: a generator thread was busy for 97% of the "
                        "window): this point says nothing"));
}

TEST(ReportSectionsTest, ThatTrialIsNamedThoughAnotherPassedAndItsRecordIsLost) {
  ScalingData data = read_measurements({study_folder()});
  ScalingPoint& point = data.series[0].points[3];
  point.evidence = data.series[0].points[2].evidence;  // of a lower load that passed
  point.confirmed_by = {4};
  point.limited->evidence.clear();
  const ScalingReport report = report_of(std::move(data), kFits);
  const auto rows = section_of(report, "dsr: Was the generator the limit?").blocks.at(1).rows;
  EXPECT_THAT(rows.back(), ElementsAre("8", "1, limited", "-", "-", "-", "-", "-", "-"));
}

TEST(ReportSectionsTest, AListedLoadThatWasMadeAgainSaysWhy) {
  ScalingData data = read_measurements({study_folder()});
  TrialLine again;
  again.purpose = "listed";
  again.verdict = "pass";
  again.why = "the trial was void, so it is repeated";
  data.series[0].points[0].trials = {again};
  const ScalingReport report = report_of(std::move(data), kFits);
  EXPECT_THAT(words_of(section_of(report, "dsr: How each point was found")),
              HasSubstr("the trial was void, so it is repeated"));
}

TEST(ReportSectionsTest, OneOfSomethingIsNotMany) {
  const ScalingReport report =
      report_of(table_from_text("nodes,measured,base\n1,100,110\n", "t.csv", "jobs"), kFits);
  EXPECT_THAT(report.series[0].sentence,
              HasSubstr("1 node carries 100 jobs, 90.9% of the 110 that one direct "
                        "node carries"));
}

}  // namespace
}  // namespace scalemark::analysis
