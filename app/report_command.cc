#include "app/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compare.h"
#include "analysis/report_writers.h"
#include "analysis/run_summary.h"
#include "analysis/study_reader.h"
#include "analysis/table_reader.h"
#include "core/error.h"
#include "core/run_record.h"
#include "core/setting_types.h"
#include "core/text.h"

namespace scalemark::app {
namespace {

constexpr const char* kReportGroup = "Report";

analysis::TextStyle style_of(const Console& console) {
  return {.colour = console.colour, .width = console.out_is_terminal ? console.width : 100};
}

class ReportCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "report",
        .table = "report",
        .summary = "work out table, fits, attribution and plots from a study's records",
        .about =
            "Reads a study's folder or record, web records that name their cluster, or a table of figures, "
            "and says how far from linear the service grew with its nodes and where the difference went. "
            "Prints the text; with --out DIR it also writes report.html, report.txt, report.csv, report.json "
            "and the plots with their data. Of a single web or mail record without a cluster it prints "
            "what was printed after the run. docs/report.md explains every figure.",
        .examples =
            "  scalemark report out/web-scaling --out out/report\n"
            "  scalemark report node-*.json --out report\n"
            "  scalemark report --csv table.csv --unit 'operations per hour' --out report\n",
        .by_place = {"records"}};
  }
  [[nodiscard]] Settings settings() override {
    return {
        texts_setting("records", "studies' folders or records, or web records with a cluster", kReportGroup,
                      records_, "RECORDS..."),
        text_setting("csv", "a table instead: nodes,measured and, if known, base", kReportGroup, csv_,
                     "FILE"),
        text_setting("unit", "what the table's figures are, as in 'operations per hour'; else the file says",
                     kReportGroup, unit_, "TEXT"),
        text_setting("out", "folder for the report; it is made; without it the text is only printed",
                     kReportGroup, out_, "DIR"),
        count_setting("seed", "of the intervals' resampling; the same seed gives the same report",
                      kReportGroup, fits_.seed, std::uint64_t{0}, ~std::uint64_t{0})};
  }
  void check() const override {
    if (records_.empty() == csv_.empty()) {
      throw UsageError(csv_.empty()
                           ? "nothing to report on; name a study's folder or records, or a table with --csv"
                           : "records and --csv do not go together; make a report of each");
    }
    if (!unit_.empty() && csv_.empty()) {
      throw UsageError("--unit belongs to --csv; records say themselves what they measured");
    }
  }

  int run(Console& console) override {
    if (const auto record = lone_run()) {
      console.out << analysis::run_summary(*record, style_of(console));
      return kExitOk;
    }
    const analysis::ScalingReport report = analysis::report_of(read(), fits_);
    console.out << analysis::report_text(analysis::document_of(report), style_of(console));
    if (out_.empty()) {
      return kExitOk;
    }
    const analysis::WrittenReport written = analysis::write_report(report, out_);
    console.out << fmt::format(
        "\nThe report: {}, with {} in {}\n", (std::filesystem::path(out_) / "report.html").string(),
        counted(written.plots, "plot"), (std::filesystem::path(out_) / "plots").string());
    if (!written.fault.empty()) {
      console.err << "scalemark: " << written.fault << "\n";
    }
    return kExitOk;
  }

 private:
  /// The record of a single run that names no cluster: there is no curve, and its own text is all that is to
  /// be said of it.
  [[nodiscard]] std::optional<RunRecord> lone_run() const {
    std::error_code ignored;
    if (records_.size() != 1 || !out_.empty() || std::filesystem::is_directory(records_[0], ignored)) {
      return std::nullopt;
    }
    RunRecord record = read_record(records_[0]);
    const bool run = record.kind == "web" || record.kind == "mail";
    return run && !record.cluster.is_object() ? std::optional(std::move(record)) : std::nullopt;
  }
  [[nodiscard]] analysis::ScalingData read() const {
    return csv_.empty() ? analysis::read_measurements({records_.begin(), records_.end()})
                        : analysis::read_table(csv_, unit_);
  }

  std::vector<std::string> records_;
  std::string csv_;
  std::string unit_;
  std::string out_;
  analysis::FitPlan fits_;
};

class CompareCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {.words = "compare",
            .table = "compare",
            .summary = "say whether two result files differ by more than chance",
            .about =
                "Compares the iterations of two records or studies, point by point: medians, the "
                "Mann-Whitney test "
                "and the size of the effect. With fewer than nine iterations a side it says that the test is "
                "unreliable.",
            .examples =
                "  scalemark compare before.json after.json\n"
                "  scalemark compare out/monday out/tuesday\n",
            .by_place = {"a", "b"}};
  }
  [[nodiscard]] Settings settings() override {
    return {text_setting("a", "a record or a study's folder", kReportGroup, a_, "A"),
            text_setting("b", "what it is compared with", kReportGroup, b_, "B")};
  }
  void check() const override {
    if (a_.empty() || b_.empty()) {
      throw UsageError("two results are needed, as in scalemark compare before.json after.json");
    }
  }
  int run(Console& console) override {
    console.out << analysis::comparison_text(analysis::compare_results(a_, b_), style_of(console));
    return kExitOk;
  }

 private:
  std::string a_;
  std::string b_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() {
  return std::make_unique<ReportCommand>();
}

std::unique_ptr<Command> make_compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace scalemark::app
