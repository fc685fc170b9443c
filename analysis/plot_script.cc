#include "analysis/plot_script.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace scalemark::analysis {
namespace {

// Mid-tones that stand out on white and on dark grey alike.
constexpr const char* kColours[] = {"#2f86c5", "#d9772b", "#2e9d6a", "#c9475c",
                                    "#8467c7", "#9a8420", "#2aa0a4", "#b35f9e"};

std::string title_part(const std::string& title) {
  return title.empty() ? "notitle" : "title " + quoted(title);
}

/// Node counts as tics, thinned where they would overlap.
std::string node_tics(const std::vector<double>& nodes) {
  if (nodes.empty()) {
    return "";
  }
  std::vector<std::string> tics;
  double last = -1;
  const double gap = nodes.back() / 20;
  for (const double n : nodes) {
    if (last < 0 || n - last >= gap) {
      tics.push_back(fmt::format("{0:.10g}", n));
      last = n;
    }
  }
  return fmt::format("set xtics ({}) textcolor rgb ink\n", fmt::join(tics, ", "));
}

}  // namespace

const char* colour(std::size_t index) {
  return kColours[index % std::size(kColours)];
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) {
      out += ' ';
    } else {
      out.append(letter == '\'' ? 2 : 1, letter);
    }
  }
  return out + "'";
}

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.10g}", *value) : "NaN";
}

std::string block(const std::string& columns, const Rows& rows) {
  std::string text = fmt::format("# {}\n", columns);
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const auto& value : row) {
      cells.push_back(number(value));
    }
    text += fmt::format("{}\n", fmt::join(cells, " "));
  }
  if (rows.empty()) {
    text += "NaN NaN NaN NaN NaN\n";  // gnuplot takes an empty block for a fault
  }
  return text + "\n\n";
}

std::string axes(const std::string& x, const std::string& y) {
  return fmt::format("set xlabel {} textcolor rgb ink\nset ylabel {} textcolor rgb ink\n", quoted(x),
                     quoted(y));
}

std::string node_axes(const std::vector<double>& nodes, double right, const std::string& y,
                      const std::string& top) {
  return axes("nodes", y) + node_tics(nodes) +
         fmt::format("set xrange [0:{}]\nset yrange [0:{}]\n", number(right), top);
}

std::string interval_bars(std::size_t index, const char* rgb, const std::string& title) {
  return fmt::format("data index {} using 1:2:3:4 with yerrorbars pt 7 ps 0.9 lw 1.5 lc rgb '{}' {}", index,
                     rgb, title_part(title));
}

std::string line(std::size_t index, const char* rgb, const std::string& title) {
  return fmt::format("data index {} using 1:2 with lines lw 1.5 lc rgb '{}' {}", index, rgb,
                     title_part(title));
}

std::string reference(const std::string& what, const std::string& title) {
  return fmt::format("{} with lines lc rgb '{}' lw 1.5 dt 2 {}", what, kGrey, title_part(title));
}

std::string plot_command(const std::vector<std::string>& parts) {
  return fmt::format("plot {}\n", fmt::join(parts, ", "));
}

}  // namespace scalemark::analysis
