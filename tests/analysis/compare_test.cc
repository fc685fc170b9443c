#include "analysis/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "tests/analysis/paper_tables.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::analysis {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kWhole = golden_path("web_example.json");

/// Files with records that differ from others in what a test says.
class CompareFilesTest : public testing::Test {
 protected:
  std::filesystem::path put(const std::string& name, const RunRecord& record) {
    const auto path = folder_.path() / name;
    write_file(path, to_json(record).dump());
    return path;
  }
  static std::string refusal(const std::filesystem::path& a, const std::filesystem::path& b) {
    return usage_error([&] { (void)compare_results(a, b); });
  }

  TemporaryFolder folder_;
};

TEST(CompareTest, TheSameStudyDoesNotDifferFromItself) {
  const Comparison comparison = compare_results(study_folder(), study_folder());
  EXPECT_EQ(comparison.points.size(), 5U);
  for (const PointComparison& point : comparison.points) {
    EXPECT_EQ(point.test->effect, 0);
    EXPECT_THAT(point.sentence(), HasSubstr("no difference can be told from chance"));
    EXPECT_THAT(point.sentence(), HasSubstr("Unreliable: 3 and 3 repetitions"));
  }
}

TEST(CompareTest, NineRepetitionsASideAreEnough) {
  PointComparison point{"dsr, 2 nodes", {}, {}, std::nullopt};
  for (int i = 0; i < 9; ++i) {
    point.a.push_back(100 + i);
    point.b.push_back(120 + i);
  }
  point.test = rank_test(point.a, point.b);
  EXPECT_THAT(point.sentence(), HasSubstr("B is higher by +19.23%"));
  EXPECT_THAT(point.sentence(), HasSubstr("the effect is large"));
  EXPECT_THAT(point.sentence(), testing::Not(HasSubstr("Unreliable")));
}

TEST(CompareTest, PlainWebRecordsAndTextThatFits) {
  const auto path = golden_path("web_example.json");
  const std::string text = comparison_text(compare_results(path, path), {.colour = false, .width = 90});
  EXPECT_THAT(text, HasSubstr("Comparing conforming connections"));
  EXPECT_THAT(text, HasSubstr("248"));
}

TEST(CompareTest, NothingInCommonIsRefused) {
  EXPECT_THROW((void)compare_results(study_folder(), golden_path("web_example.json")), UsageError);
}

TEST_F(CompareFilesTest, PartialIterationsAreLeftOutAndThatIsSaid) {
  RunRecord record = read_record(kWhole);
  const std::size_t all = record.iterations.size();
  record.verdict.status = Status::interrupted;
  record.iterations.back()["partial"] = true;
  const Comparison comparison = compare_results(put("cut.json", record), kWhole);
  EXPECT_EQ(comparison.points.at(0).a.size(), all - 1);
  EXPECT_EQ(comparison.points.at(0).b.size(), all);
  EXPECT_THAT(comparison.notes,
              ElementsAre("A: iteration " + std::to_string(all) + " was cut short, so it is left out."));
}

TEST_F(CompareFilesTest, ARecordWithNothingButPartialIterationsIsNoResult) {
  RunRecord record = read_record(kWhole);
  record.verdict.status = Status::interrupted;
  for (Json& iteration : record.iterations) {
    iteration["partial"] = true;
  }
  EXPECT_THAT(refusal(kWhole, put("cut.json", record)),
              AllOf(HasSubstr("there is nothing to compare"), HasSubstr("B ('"), HasSubstr("cut.json"),
                    HasSubstr("interrupted (no iteration is complete)")));
}

TEST_F(CompareFilesTest, WhatIsNoResultIsRefusedWithItsReason) {
  RunRecord record = read_record(kWhole);
  record.verdict = {Status::generator_limited, {"a generator thread was busy for 97% of the window"}};
  EXPECT_THAT(refusal(put("limited.json", record), kWhole),
              AllOf(HasSubstr("limited.json"),
                    HasSubstr("generator-limited (a generator thread was busy for 97% of the window)")));
  record.verdict = {Status::void_run, {"the books do not balance"}};
  EXPECT_THAT(refusal(kWhole, put("void.json", record)), HasSubstr("void (the books do not balance)"));
}

TEST_F(CompareFilesTest, ARecordOfAClusterThatWasLimitedIsNotSaidToBeOfAnotherPoint) {
  RunRecord record = read_record(study_folder() / "dsr-4/trial-04.json");
  record.verdict = {Status::generator_limited, {"a thread was busy"}};
  EXPECT_THAT(refusal(put("limited.json", record), study_folder()),
              AllOf(HasSubstr("no result for dsr, 4 nodes: generator-limited"),
                    HasSubstr("a thread was busy"), Not(HasSubstr("no point in common"))));
}

TEST_F(CompareFilesTest, APointWithoutAResultIsANoteBesideTheOthers) {
  const Comparison comparison = compare_results(study_folder(), study_folder());
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("no result for dsr, 8 nodes: generator-limited")));
  for (const PointComparison& point : comparison.points) {
    EXPECT_THAT(point.a, Not(IsEmpty()));
  }
}

}  // namespace
}  // namespace scalemark::analysis
