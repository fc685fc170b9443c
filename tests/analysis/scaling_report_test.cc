#include "analysis/scaling_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "analysis/report_writers.h"
#include "analysis/study_reader.h"
#include "core/error.h"
#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "tests/analysis/paper_tables.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

const FitPlan kReportFits{.seed = 1, .resamples = 200};

ScalingReport paper_report() {
  ScalingData data = read_measurements({study_folder()});
  data.sources = {"study.json"};
  return report_of(std::move(data), kReportFits);
}

std::string html_of(const ScalingReport& report, const std::string& svg = "") {
  return report_html(document_of(report), [&svg](const Plot&) { return svg; });
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool gnuplot_is_there() {
  return std::system("gnuplot --version >/dev/null 2>&1") == 0;
}

TEST(ScalingReportTest, TextOfAStudy) {
  expect_golden("study_report.txt",
                report_text(document_of(paper_report()), {.colour = false, .width = 100}));
}

TEST(ScalingReportTest, CsvOfAStudy) {
  expect_golden("study_report.csv", report_csv(paper_report()));
}

TEST(ScalingReportTest, JsonOfATable) {
  expect_golden("paper_web_report.json", report_json(report_of(paper_data("web.csv"), kReportFits)));
}

TEST(ScalingReportTest, NoLineOfTheTextIsWiderThanAsked) {
  const std::string text = report_text(document_of(paper_report()), {.colour = false, .width = 100});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(width_of(line), 100U) << line;
  }
}

TEST(ScalingReportTest, TheVerdictNamesWhatIsMissingAndTheGeneratorsLimit) {
  const ScalingReport report = paper_report();
  EXPECT_THAT(report.series[0].sentence, HasSubstr("Without a result: 8 nodes (generator-limited)"));
  EXPECT_THAT(report.generator, HasSubstr("The generator was the limit in dsr at 8 nodes"));
  EXPECT_THAT(report.series[1].sentence, HasSubstr("saturated router or proxy"));
}

TEST(ScalingReportTest, ASoundGeneratorIsShown) {
  ScalingData data = read_measurements({study_folder()});
  data.series[0].points.pop_back();
  EXPECT_THAT(report_of(std::move(data), kReportFits).generator,
              HasSubstr("The generator was never the limit"));
}

TEST(ScalingReportTest, OnePointHasATableAndNoFits) {
  const ScalingReport report = report_of(paper_data("web-single-node.csv"), kReportFits);
  EXPECT_TRUE(report.series[0].fits.fits.empty());
  const std::string text = report_text(document_of(report), {.colour = false, .width = 100});
  EXPECT_THAT(text, HasSubstr("0.78"));
  EXPECT_THAT(text, HasSubstr("there are no fits"));
}

TEST(ScalingReportTest, JsonOfAStudyHoldsEveryPart) {
  const auto json = nlohmann::json::parse(report_json(paper_report()));
  EXPECT_EQ(json["schema"], "scalemark-report/1");
  const auto& dsr = json["series"][0];
  EXPECT_EQ(dsr["points"].size(), 4U);
  EXPECT_EQ(dsr["direct"]["trials"].size(), 4U);
  EXPECT_EQ(json["plots"].size(), plots_of(paper_report()).size());
  EXPECT_TRUE(dsr["points"][3]["measured"].is_null());
  for (const auto& at : dsr["attribution"]) {
    double sum = 0;
    for (const auto& part : at["parts"]) {
      sum += part["amount"].is_null() ? 0.0 : part["amount"].get<double>();
    }
    EXPECT_NEAR(sum, at["loss"].get<double>(), 1e-9);
  }
}

TEST(ReportHtmlTest, RefersToNothingOutsideItself) {
  const std::string page = html_of(paper_report(), "<svg><path d=''/></svg>");
  for (const char* outside :
       {"http:", "https:", "//", "src=", "<script", "<link", "@import", "url(", "<iframe"}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(page, HasSubstr("<svg><path"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST(ReportHtmlTest, OnlyColumnsOfSentencesTakeRoomForThem) {
  const std::string page = html_of(paper_report());
  EXPECT_THAT(page, HasSubstr("<th class=\"left words\">evidence</th>"));
  EXPECT_THAT(page, HasSubstr("<th class=\"left\">status</th>"));
  EXPECT_THAT(page, HasSubstr("<table class=\"figures\">"));
  EXPECT_THAT(page, HasSubstr("<table class=\"sentences\">"));
}

TEST(ReportHtmlTest, ForeignTextsAreEscaped) {
  ScalingData data = table_from_text("series,nodes,measured\n<b>&\"x\",1,10\n<b>&\"x\",2,19\n", "<i>.csv",
                                     "<script>alert('x')</script>");
  data.title = "<h1>";
  data.notes = {"</ul><img>"};
  data.plan = {{"<td>", "a < b & c"}};
  const std::string page = html_of(report_of(std::move(data), kReportFits));
  for (const char* raw : {"<script>", "<b>&", "<img>", "<i>", "<h1><", "<td>&", "a < b"}) {
    EXPECT_THAT(page, Not(HasSubstr(raw)));
  }
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert("));
  EXPECT_THAT(page, HasSubstr("a &lt; b &amp; c"));
}

TEST(ReportHtmlTest, BracesInForeignTextsAreNoTemplate) {
  ScalingData data = table_from_text("1,10\n", "t.csv", "{{title}} {{{svg}}}");
  data.title = "T";
  EXPECT_THAT(html_of(report_of(std::move(data), kReportFits)), HasSubstr("{{title}} {{{svg}}}"));
}

TEST(ReportHtmlTest, AnInlinedDrawingNamesNothingOutside) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg \n xmlns=\"http://www.w3.org/2000/svg\"\n "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n<g id=\"gnuplot_canvas\"><use xlink:href='#gpPt6'/>"
      "<text fill=\"rgb(27,31,36)\"/></g></svg>";
  const std::string page = inline_svg(svg, "dsr-curve");
  EXPECT_THAT(page, testing::StartsWith("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, HasSubstr("href='#dsr_curve_gpPt6'"));
  EXPECT_THAT(page, HasSubstr("fill=\"currentColor\""));
}

TEST(PlotsTest, EveryFigureOfAStudyIsThere) {
  std::vector<std::string> names;
  for (const Plot& plot : plots_of(paper_report())) {
    names.push_back(plot.name);
    EXPECT_THAT(plot.data, testing::StartsWith("# "));
    EXPECT_FALSE(plot.caption.empty());
  }
  for (const char* name : {"all-series", "dsr-curve", "dsr-efficiency", "dsr-loss", "dsr-spread", "dsr-rates",
                           "dsr-time", "nat-curve"}) {
    EXPECT_THAT(names, testing::Contains(name));
  }
}

TEST(PlotsTest, ForeignTextsCannotLeaveTheirQuotes) {
  const ScalingReport report =
      report_of(table_from_text("1,10\n2,19\n", "t.csv", "x'\nsystem('touch y')"), kReportFits);
  for (const Plot& plot : plots_of(report)) {
    EXPECT_THAT(plot.script, Not(HasSubstr("\nsystem")));
    if (plot.name == "curve-curve") {
      EXPECT_THAT(plot.script, HasSubstr("'x'' system(''touch y'')'"));
    }
  }
}

TEST(WriteReportTest, WritesEveryFile) {
  if (!gnuplot_is_there()) {
    GTEST_SKIP() << "gnuplot is not installed";
  }
  const TemporaryFolder folder;
  const ScalingReport report = paper_report();
  const WrittenReport written = write_report(report, folder.path() / "it's a report");
  EXPECT_EQ(written.fault, "");
  EXPECT_EQ(written.plots, plots_of(report).size());
  for (const auto& file : written.files) {
    EXPECT_GT(std::filesystem::file_size(file), 100U) << file;
  }
  for (const Plot& plot : plots_of(report)) {
    for (const char* ending : {".svg", ".png", ".dat"}) {
      EXPECT_GT(std::filesystem::file_size(folder.path() / "it's a report" / "plots" / (plot.name + ending)),
                50U);
    }
  }
  const std::string page = contents(folder.path() / "it's a report" / "report.html");
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_FALSE(std::regex_search(page, std::regex("(href|src)=['\"][^#]")))
      << "only references within the page";
}

TEST(WriteReportTest, PlotsOfAnEarlierReportGoAndOtherFilesStay) {
  const TemporaryFolder folder;
  const auto plots = folder.path() / "plots";
  (void)write_report(paper_report(), folder.path());
  ASSERT_TRUE(std::filesystem::exists(plots / "nat-loss.dat"));
  write_file(plots / "my-curve.png", "a user's own");
  write_file(plots / "nat-loss.txt", "a user's own");
  (void)write_report(report_of(paper_data("web.csv"), kReportFits), folder.path());
  for (const char* old : {"nat-loss.dat", "nat-loss.svg", "nat-loss.png", "all-series.dat", "dsr-time.svg"}) {
    EXPECT_FALSE(std::filesystem::exists(plots / old)) << old;
  }
  for (const char* there : {"my-curve.png", "nat-loss.txt", "curve-curve.dat"}) {
    EXPECT_TRUE(std::filesystem::exists(plots / there)) << there;
  }
}

TEST(WriteReportTest, WhatAnEditedReportNamesIsNotRemovedElsewhere) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "plots");
  write_file(folder.path() / "precious.svg", "x");
  write_file(folder.path() / "report.json",
             R"({"schema": "scalemark-report/1", "plots": ["../precious", "", 7, "/etc/x"]})");
  (void)write_report(report_of(paper_data("web.csv"), kReportFits), folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "precious.svg"));
  write_file(folder.path() / "plots" / "mine.svg", "x");
  write_file(folder.path() / "report.json", R"({"plots": ["mine"]})");
  (void)write_report(report_of(paper_data("web.csv"), kReportFits), folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "plots" / "mine.svg")) << "no report of ours named it";
}

TEST(WriteReportTest, WithoutGnuplotTheRestIsWritten) {
  const TemporaryFolder folder;
  const std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const WrittenReport written =
      write_report(report_of(paper_data("web.csv"), kReportFits), folder.path() / "out");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(written.fault, HasSubstr("gnuplot is not installed"));
  EXPECT_EQ(written.plots, 0U);
  EXPECT_EQ(written.files.size(), 4U);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/plots/curve-curve.dat"));
  EXPECT_THAT(contents(folder.path() / "out/report.html"), HasSubstr("gnuplot is not installed"));
}

TEST(WriteReportTest, AFolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "x");
  EXPECT_THROW(
      (void)write_report(report_of(paper_data("web.csv"), kReportFits), folder.path() / "file" / "out"),
      UsageError);
}

}  // namespace
}  // namespace scalemark::analysis
