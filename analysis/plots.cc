#include "analysis/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/report_words.h"

namespace scalemark::analysis {
namespace {

// Mid-tones that stand out on white and on dark grey alike.
constexpr const char* kColours[] = {"#2f86c5", "#d9772b", "#2e9d6a", "#c9475c",
                                    "#8467c7", "#9a8420", "#2aa0a4", "#b35f9e"};
constexpr const char* kGrey = "#8a929b";

const char* colour(std::size_t index) {
  return kColours[index % std::size(kColours)];
}

/// A text as gnuplot takes it: in single quotes nothing but the quote itself has a meaning.
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

/// A block of data: what its columns are, then rows. Blocks are told apart by two empty lines.
std::string block(const std::string& columns, const std::vector<std::vector<std::optional<double>>>& rows) {
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

std::vector<double> nodes_in(const Curve& curve) {
  std::vector<double> nodes;
  for (const CurveRow& row : curve.rows) {
    if (row.measured) {
      nodes.push_back(row.nodes);
    }
  }
  return nodes;
}

Plot curve_plot(const ScalingReport& report, const SeriesReport& series) {
  std::vector<std::vector<std::optional<double>>> measured;
  std::vector<std::vector<std::optional<double>>> iterations;
  for (const CurveRow& row : series.curve.rows) {
    if (row.measured) {
      const Interval interval = row.interval.value_or(Interval{*row.measured, *row.measured});
      measured.push_back({row.nodes, row.measured, interval.low, interval.high, row.theory});
    }
  }
  for (const Observation& seen : observations_of(series.series)) {
    iterations.push_back({seen.nodes, seen.rate});
  }
  std::vector<std::vector<std::optional<double>>> inside;
  std::vector<std::vector<std::optional<double>>> beyond;
  const ModelFit* fit = series.fits.shown();
  for (const BandPoint& at : fit == nullptr ? std::vector<BandPoint>{} : fit->band) {
    const Interval band = at.band.value_or(Interval{at.rate, at.rate});
    if (!at.extrapolated) {
      inside.push_back({at.nodes, at.rate, band.low, band.high});
    }
    if (at.nodes >= series.fits.largest) {
      beyond.push_back({at.nodes, at.rate, band.low, band.high});
    }
  }
  const double end = nodes_in(series.curve).empty() ? 1 : nodes_in(series.curve).back();
  const double right = fit == nullptr ? end * 1.1 : end * 1.5;
  const double slope = series.curve.base.nodes > 0 ? series.curve.base.rate / series.curve.base.nodes : 0;
  Plot plot;
  plot.name = series.slug + "-curve";
  plot.title = "Measured against linear growth";
  plot.caption = fmt::format(
      "Points: mean of the iterations with its 95 % interval (small dots: every iteration). Grey: {} times "
      "the base. {}",
      "n",
      fit == nullptr ? ""
                     : fmt::format("Orange: {} with its 95 % band; dashed beyond the last measured point.",
                                   name_of(fit->kind)));
  plot.data = block("nodes mean low high theory", measured) + block("nodes iteration", iterations) +
              block("nodes fit low high (within what was measured)", inside) +
              block("nodes fit low high (extrapolated)", beyond) +
              block("nodes linear", {{0.0, 0.0}, {right, right * slope}});
  plot.script =
      axes("nodes", report.data.unit) + node_tics(nodes_in(series.curve)) +
      fmt::format("set xrange [0:{}]\nset yrange [0:*]\nset key left top\n", number(right)) +
      fmt::format("plot data index 4 using 1:2 with lines lc rgb '{}' lw 1.5 dt 2 title 'linear'", kGrey);
  if (fit != nullptr) {
    plot.script += fmt::format(
        ", data index 2 using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.20 noborder notitle"
        ", data index 3 using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.10 noborder notitle"
        ", data index 2 using 1:2 with lines lc rgb '{0}' lw 2 title {1}"
        ", data index 3 using 1:2 with lines lc rgb '{0}' lw 1.5 dt 3 title 'extrapolated'",
        colour(1), quoted(name_of(fit->kind) + " fit"));
  }
  plot.script += fmt::format(
      ", data index 1 using 1:2 with points pt 7 ps 0.35 lc rgb '{0}' notitle"
      ", data index 0 using 1:2:3:4 with yerrorbars pt 7 ps 0.9 lw 1.5 lc rgb '{0}' title 'measured'\n",
      colour(0));
  return plot;
}

Plot efficiency_plot(const SeriesReport& series) {
  std::vector<std::vector<std::optional<double>>> rows;
  double top = 105;
  for (const CurveRow& row : series.curve.rows) {
    if (row.efficiency) {
      const Interval interval = row.efficiency_interval.value_or(Interval{*row.efficiency, *row.efficiency});
      rows.push_back({row.nodes, *row.efficiency * 100, interval.low * 100, interval.high * 100});
      top = std::max(top, std::min(interval.high, *row.efficiency * 1.5) * 100 + 5);
    }
  }
  Plot plot;
  plot.name = series.slug + "-efficiency";
  plot.title = "Efficiency";
  plot.caption = "Measured / theory, with the interval of what was measured. 100 % is linear growth.";
  plot.height = 320;
  plot.data = block("nodes efficiency_percent low high", rows);
  const double end = nodes_in(series.curve).empty() ? 1 : nodes_in(series.curve).back();
  plot.script =
      axes("nodes", "% of linear") + node_tics(nodes_in(series.curve)) +
      fmt::format("set xrange [0:{}]\nset yrange [0:{}]\nunset key\n", number(end * 1.1), number(top)) +
      fmt::format(
          "plot 100 with lines lc rgb '{1}' lw 1.5 dt 2, data index 0 using 1:2 with lines lc rgb "
          "'{0}' lw 1.5, data index 0 using 1:2:3:4 with yerrorbars pt 7 ps 0.9 lw 1.5 lc rgb "
          "'{0}'\n",
          colour(0), kGrey);
  return plot;
}

Plot rates_plot(const SeriesReport& series) {
  Plot plot;
  plot.name = series.slug + "-rates";
  plot.title = "Share of connections at or above each rate";
  plot.caption = "A line for each number of nodes: how many of the connections got at least this rate.";
  plot.height = 340;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < series.summaries.size(); ++i) {
    std::vector<std::vector<std::optional<double>>> rows;
    for (const auto& [rate, share] : series.summaries[i].share_above) {
      rows.push_back({rate / 1000, share * 100});
    }
    if (rows.empty()) {
      continue;
    }
    const unsigned nodes = series.series.points[i].nodes;
    plot.data += block(fmt::format("kbit_per_second share_percent: {}", nodes_text(nodes)), rows);
    lines.push_back(
        fmt::format("data index {} using 1:2 with linespoints pt 7 ps 0.4 lw 1.5 lc rgb '{}' title {}",
                    lines.size(), colour(lines.size()), quoted(nodes_text(nodes))));
  }
  if (!lines.empty()) {
    plot.script = axes("Kb/s", "% of the connections") + "set yrange [0:105]\nset key left bottom\n" +
                  fmt::format("plot {}\n", fmt::join(lines, ", "));
  }
  return plot;
}

Plot time_plot(const SeriesReport& series) {
  constexpr double kMegabit = 8e-6;
  Plot plot;
  plot.name = series.slug + "-time";
  plot.title = "Throughput over time";
  plot.caption =
      "Megabits a second of good operations' answers, in the first iteration behind each point, ramps "
      "included.";
  plot.height = 340;
  std::vector<std::string> lines;
  for (const ScalingPoint& point : series.series.points) {
    if (point.evidence.empty() || point.evidence.front().series.size() < 2) {
      continue;
    }
    std::vector<std::vector<std::optional<double>>> rows;
    for (const SecondFigures& second : point.evidence.front().series) {
      rows.push_back({second.second, second.bytes * kMegabit, second.good, second.failed, second.active});
    }
    plot.data +=
        block(fmt::format("second megabit_per_second good failed active: {}", nodes_text(point.nodes)), rows);
    lines.push_back(fmt::format("data index {} using 1:2 with lines lw 1.5 lc rgb '{}' title {}",
                                lines.size(), colour(lines.size()), quoted(nodes_text(point.nodes))));
  }
  if (!lines.empty()) {
    plot.script = axes("seconds", "Mb/s") + "set yrange [0:*]\nset key above left\n" +
                  fmt::format("plot {}\n", fmt::join(lines, ", "));
  }
  return plot;
}

Plot spread_plot(const SeriesReport& series) {
  Plot plot;
  plot.name = series.slug + "-spread";
  plot.title = "What each node carried";
  plot.caption = "A dot for each node: its part of the requests, where 100 % is an even share.";
  plot.height = 320;
  std::vector<std::vector<std::optional<double>>> rows;
  std::vector<double> counts;
  double away = 5;
  for (std::size_t i = 0; i < series.summaries.size(); ++i) {
    const auto loads = node_loads(series.summaries[i]);
    const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
    if (loads.size() < 2 || !(sum > 0)) {
      continue;
    }
    counts.push_back(series.series.points[i].nodes);
    for (std::size_t node = 0; node < loads.size(); ++node) {
      const double even = loads[node] / sum * static_cast<double>(loads.size()) * 100;
      rows.push_back({counts.back(), even, static_cast<double>(node + 1), loads[node]});
      away = std::max(away, std::abs(even - 100) * 1.2);
    }
  }
  if (rows.empty()) {
    return plot;
  }
  plot.data = block("nodes share_of_an_even_part_percent node carried", rows);
  plot.script = axes("nodes", "% of an even share") + node_tics(counts) + "unset key\n" +
                fmt::format("set xrange [0:{}]\nset yrange [{}:{}]\n", number(counts.back() * 1.1),
                            number(std::max(0.0, 100 - away)), number(100 + away)) +
                fmt::format(
                    "plot 100 with lines lc rgb '{}' lw 1.5 dt 2, data index 0 using 1:2 with points pt 7 ps "
                    "0.7 lc rgb '{}'\n",
                    kGrey, colour(0));
  return plot;
}

Plot loss_plot(const SeriesReport& series) {
  Plot plot;
  plot.name = series.slug + "-loss";
  plot.title = "Where the loss goes";
  plot.caption = "Per cent of the theory, cause upon cause; grey is what nothing measured explains.";
  plot.height = 340;
  std::vector<std::vector<std::optional<double>>> rows;
  std::set<std::size_t> seen;
  double most = 0;
  for (const Attribution& at : series.attribution) {
    if (at.loss <= 0 || !(at.theory > 0)) {
      continue;
    }
    std::vector<std::optional<double>> row = {at.nodes};
    for (std::size_t i = 0; i < at.parts.size(); ++i) {
      const double part = at.parts[i].amount.value_or(0) / at.theory * 100;
      row.push_back(part);
      if (part > 0) {
        seen.insert(i);
      }
    }
    most = std::max(most, at.loss / at.theory * 100);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    return plot;
  }
  std::vector<std::string> names;
  for (const LossPart& part : series.attribution.front().parts) {
    std::string name = name_of(part.cause);
    std::replace(name.begin(), name.end(), ' ', '_');
    names.push_back(std::move(name));
  }
  plot.data = block(fmt::format("nodes {}", fmt::join(names, " ")), rows);
  std::vector<std::string> parts;
  for (const std::size_t i : seen) {
    const LossPart& part = series.attribution.front().parts[i];
    const char* fill = part.cause == Cause::rest ? kGrey : colour(i);
    parts.push_back(fmt::format("data index 0 using {}:xtic(sprintf('%g', $1)) lc rgb '{}' title {}", i + 2,
                                fill, quoted(name_of(part.cause))));
  }
  plot.script = axes("nodes", "% of the theory") +
                fmt::format(
                    "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.85 "
                    "noborder\nset boxwidth 0.55\nset yrange [0:{}]\nset key above left\n"
                    "plot {}\n",
                    number(most * 1.1), fmt::join(parts, ", "));
  return plot;
}

Plot series_plot(const ScalingReport& report) {
  Plot plot;
  plot.name = "all-series";
  plot.title = "All series side by side";
  plot.caption = "Means with their 95 % intervals; grey is n times the base of the first series.";
  std::vector<std::string> lines;
  std::set<double> nodes;
  for (const SeriesReport& series : report.series) {
    std::vector<std::vector<std::optional<double>>> rows;
    for (const CurveRow& row : series.curve.rows) {
      if (row.measured) {
        const Interval interval = row.interval.value_or(Interval{*row.measured, *row.measured});
        rows.push_back({row.nodes, row.measured, interval.low, interval.high});
        nodes.insert(row.nodes);
      }
    }
    const std::size_t i = lines.size() / 2;
    plot.data += block(fmt::format("nodes mean low high: {}", series.slug), rows);
    lines.push_back(
        fmt::format("data index {0} using 1:2 with lines lw 1.5 lc rgb '{1}' notitle", i, colour(i)));
    lines.push_back(
        fmt::format("data index {0} using 1:2:3:4 with yerrorbars pt 7 ps 0.8 lw 1.5 lc rgb '{1}' title {2}",
                    i, colour(i), quoted(series.label)));
  }
  if (nodes.empty()) {
    return plot;
  }
  const CurveBase& base = report.series.front().curve.base;
  const double slope = base.nodes > 0 ? base.rate / base.nodes : 0;
  const double end = *nodes.rbegin() * 1.1;
  plot.script = axes("nodes", report.data.unit) + node_tics({nodes.begin(), nodes.end()}) +
                fmt::format("set xrange [0:{}]\nset yrange [0:*]\nset key left top\n", number(end)) +
                fmt::format("plot {} * x with lines lc rgb '{}' lw 1.5 dt 2 title 'linear', {}\n",
                            number(slope), kGrey, fmt::join(lines, ", "));
  return plot;
}

void keep(Plot plot, std::vector<Plot>& plots) {
  if (!plot.script.empty()) {
    plots.push_back(std::move(plot));
  }
}

}  // namespace

std::vector<Plot> plots_of(const ScalingReport& report, const SeriesReport& series) {
  std::vector<Plot> plots;
  if (series.curve.last() != nullptr) {
    keep(curve_plot(report, series), plots);
    keep(efficiency_plot(series), plots);
  }
  keep(loss_plot(series), plots);
  keep(spread_plot(series), plots);
  keep(rates_plot(series), plots);
  keep(time_plot(series), plots);
  return plots;
}

std::vector<Plot> plots_of(const ScalingReport& report) {
  std::vector<Plot> plots;
  if (report.series.size() > 1) {
    keep(series_plot(report), plots);
  }
  for (const SeriesReport& series : report.series) {
    for (Plot& plot : plots_of(report, series)) {
      plots.push_back(std::move(plot));
    }
  }
  return plots;
}

}  // namespace scalemark::analysis
