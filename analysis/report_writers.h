// A report as text, as a table for other programs, as JSON and as a page.
//
// Pure and thread-safe but for write_report(), which writes files and runs gnuplot.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/report_document.h"
#include "analysis/scaling_report.h"
#include "analysis/text.h"

namespace scalemark::analysis {

/// For people, no line wider than the style says (figures are not in it).
[[nodiscard]] std::string report_text(const ReportDocument& document, const TextStyle& style);
/// One row per point: RFC 4180, described in docs/report.md.
[[nodiscard]] std::string report_csv(const ScalingReport& report);
/// Everything that was worked out: docs/report.md describes the fields.
[[nodiscard]] std::string report_json(const ScalingReport& report);
/// One page that needs nothing else. `svg_of` gives the drawing of a plot as a part of a page, "" for none.
[[nodiscard]] std::string report_html(const ReportDocument& document,
                                      const std::function<std::string(const Plot&)>& svg_of);

struct WrittenReport {
  std::vector<std::filesystem::path> files;  ///< of the folder itself
  std::size_t plots = 0;                     ///< drawn
  std::string fault;                         ///< why plots are missing, or ""
};
/// Writes report.html, .txt, .csv, .json and the plots into `folder`, which is made when it is not there.
/// Plots of an earlier report there that this one does not have are removed. Throws UsageError when it cannot
/// be made, RunError when a file cannot be written; a missing gnuplot is a sentence in the result and on the
/// page.
[[nodiscard]] WrittenReport write_report(const ScalingReport& report, const std::filesystem::path& folder);

}  // namespace scalemark::analysis
