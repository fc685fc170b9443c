#include "analysis/curve_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/report_words.h"
#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

constexpr int kBarIndent = 2;
constexpr int kLeastBar = 10;  // a shorter one shows nothing

std::size_t columns_of(double value, double most, std::size_t width) {
  return static_cast<std::size_t>(std::lround(value / most * static_cast<double>(width)));
}

}  // namespace

std::string curve_bars(const Curve& curve, int width) {
  std::vector<const CurveRow*> rows;
  double most = 0;
  std::size_t lead = 0;
  std::size_t tail = 0;
  for (const CurveRow& row : curve.rows) {
    if (row.measured && row.theory) {
      rows.push_back(&row);
      most = std::max({most, *row.measured, *row.theory});
      lead = std::max(lead, nodes_text(row.nodes).size());
      tail = std::max(tail, figure_text(row.measured).size());
    }
  }
  const int room = width - kBarIndent - static_cast<int>(lead + tail) - 5;
  if (rows.size() < 2 || most <= 0 || room < kLeastBar) {
    return "";
  }
  const auto bar_width = static_cast<std::size_t>(room);
  std::string text;
  for (const CurveRow* row : rows) {
    std::string bar(bar_width + 1, ' ');
    const std::size_t filled = columns_of(*row->measured, most, bar_width);
    std::fill_n(bar.begin(), filled, '#');
    bar[std::max(columns_of(*row->theory, most, bar_width), filled)] = '|';
    text += fmt::format("{:{}}{:<{}}  {}  {:>{}}\n", "", kBarIndent, nodes_text(row->nodes), lead, bar,
                        figure_text(row->measured), tail);
  }
  return text;
}

}  // namespace scalemark::analysis
