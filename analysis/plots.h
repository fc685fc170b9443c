// The figures of a report, as data and gnuplot scripts.
//
// A plot's data stand in a file beside it (`NAME.dat`), which the script reads: what is drawn is what one can
// read. Making plots is pure; drawing them (draw_plots) runs gnuplot and writes files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/scaling_report.h"

namespace scalemark::analysis {

struct Plot {
  std::string name;     ///< of its files, without an ending: letters, digits and '-'
  std::string title;    ///< what it shows
  std::string caption;  ///< how to read it: a sentence
  std::string data;     ///< contents of NAME.dat, with a line that names the columns before each block
  std::string script;   ///< gnuplot commands, without terminal and output
  int height = 420;     ///< pixels; every plot is as wide as the others
};

/// Everything that the report's data allow to draw, series by series; those of all series together come
/// first.
[[nodiscard]] std::vector<Plot> plots_of(const ScalingReport& report);
/// The plots of one series.
[[nodiscard]] std::vector<Plot> plots_of(const ScalingReport& report, const SeriesReport& series);

struct DrawnPlots {
  std::vector<std::string> drawn;  ///< names of those whose SVG and PNG stand in the folder
  std::string fault;               ///< why others could not be drawn: a sentence, or ""
};
/// Writes the .dat file of every plot into `folder`, and .svg and .png by gnuplot. Throws RunError when a
/// .dat file cannot be written; a gnuplot that is missing or fails is told in `fault`. SIGPIPE must be
/// ignored.
[[nodiscard]] DrawnPlots draw_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder);

/// An SVG of gnuplot's as part of an HTML page: no prolog, no names of outside things, its text in the page's
/// own colour and its ids its own.
[[nodiscard]] std::string inline_svg(const std::string& svg, const std::string& name);

}  // namespace scalemark::analysis
