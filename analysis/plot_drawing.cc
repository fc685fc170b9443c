// The only file that sees gnuplot-iostream: it takes long to compile.
#include <fmt/format.h>
#include <gnuplot-iostream.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <system_error>

#include "analysis/plots.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 760;
constexpr int kPngScale = 2;
/// The colour of text and axes, of which inline_svg() makes the page's own.
constexpr const char* kInk = "#1b1f24";

/// gnuplot-iostream talks into a pipe and cannot tell that nothing listens.
bool gnuplot_exists() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    if (::access((fs::path(folder) / "gnuplot").c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

std::string quoted_path(const fs::path& path) {
  std::string out = "'";
  for (const char letter : path.string()) {
    out.append(letter == '\'' ? 2 : 1, letter);
  }
  return out + "'";
}

/// Everything but the terminal; a new plot keeps nothing of the one before.
std::string commands(const Plot& plot, const fs::path& folder) {
  return fmt::format(
             "reset\nset encoding utf8\nink = '{}'\ndata = {}\nset border 3 lc rgb '#8a929b' lw 0.8\n"
             "set tics nomirror out scale 0.5 textcolor rgb ink\nset grid ytics lc rgb '#8a929b' lw 0.3 dt "
             "3\n"
             "set key textcolor rgb ink noenhanced samplen 2 spacing 1.1\nset format y \"%'.10g\"\n",
             kInk, quoted_path(folder / (plot.name + ".dat"))) +
         plot.script;
}

/// A plot's name as part of ids, where gnuplot takes letters, digits and '_' only.
std::string id_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string terminal(const Plot& plot, bool svg) {
  return svg ? fmt::format(
                   "set terminal svg size {},{} dynamic noenhanced font 'sans-serif,13' background rgb "
                   "'#ffffff' name '{}'\n",
                   kWidth, plot.height, id_of(plot.name))
             : fmt::format(
                   "set terminal pngcairo size {},{} noenhanced font 'sans,10' fontscale {} linewidth {} "
                   "pointscale {} background rgb '#ffffff'\n",
                   kWidth * kPngScale, plot.height * kPngScale, kPngScale, kPngScale, kPngScale);
}

bool is_there(const fs::path& path) {
  std::error_code fault;
  const auto size = fs::file_size(path, fault);
  return !fault && size > 0;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

DrawnPlots draw_plots(const std::vector<Plot>& plots, const fs::path& folder) {
  for (const Plot& plot : plots) {
    write_file(folder / (plot.name + ".dat"), plot.data);
    std::error_code ignored;
    for (const char* ending : {".svg", ".png"}) {
      fs::remove(folder / (plot.name + ending), ignored);  // an old one must not pass for a new one
    }
  }
  DrawnPlots result;
  if (!gnuplot_exists()) {
    result.fault =
        "gnuplot is not installed, so there are no plots (apt-get install gnuplot-nox); their data stand "
        "in the .dat files.";
    return result;
  }
  {
    // What gnuplot has to say goes nowhere: whether it drew is seen by its files. The library would print a
    // line when it ends with another code than 0.
    Gnuplot gnuplot("gnuplot 2>/dev/null || true");
    for (const Plot& plot : plots) {
      for (const bool svg : {true, false}) {
        gnuplot << terminal(plot, svg) << "set output "
                << quoted_path(folder / (plot.name + (svg ? ".svg" : ".png"))) << "\n"
                << commands(plot, folder) << "unset output\n";
      }
    }
  }  // waits for gnuplot's end
  std::vector<std::string> failed;
  for (const Plot& plot : plots) {
    const bool whole = is_there(folder / (plot.name + ".svg")) && is_there(folder / (plot.name + ".png"));
    (whole ? result.drawn : failed).push_back(plot.name);
  }
  if (!failed.empty()) {
    result.fault =
        fmt::format("gnuplot could not draw {}; the data stand in the .dat files.", fmt::join(failed, ", "));
  }
  return result;
}

std::string inline_svg(const std::string& svg, const std::string& name) {
  const auto begin = svg.find("<svg");
  if (begin == std::string::npos) {
    return "";
  }
  std::string text = svg.substr(begin);
  text = std::regex_replace(text, std::regex("\\s+xmlns(:xlink)?=\"[^\"]*\""), "");
  text = std::regex_replace(text, std::regex("<desc>[^<]*</desc>"), "");
  text = std::regex_replace(text, std::regex("rgb\\(\\s*27,\\s*31,\\s*36\\)"), "currentColor");
  // A white disc under every point keeps it clear of the lines, which is for white paper only.
  text = std::regex_replace(text, std::regex("<use [^>]*color='#FFFFFF'/>"), "");
  replace_all(text, "xlink:href", "href");
  replace_all(text, "fill=\"#ffffff\"", "fill=\"none\"");
  replace_all(text, " color=\"black\"", "");
  for (const char* id : {"gpDot", "gpPt", "gnuplot_canvas", "textbox", "greybox"}) {
    replace_all(text, id, id_of(name) + "_" + id);
  }
  return text;
}

}  // namespace scalemark::analysis
