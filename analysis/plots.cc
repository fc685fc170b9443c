#include "analysis/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/plot_script.h"
#include "analysis/report_words.h"
#include "analysis/variants.h"

namespace scalemark::analysis {
namespace {

std::vector<double> nodes_in(const Curve& curve) {
  std::vector<double> nodes;
  for (const CurveRow& row : curve.rows) {
    if (row.measured) {
      nodes.push_back(row.nodes);
    }
  }
  return nodes;
}

double largest(const std::vector<double>& nodes) {
  return nodes.empty() ? 1 : nodes.back();
}

Rows measured_rows(const Curve& curve) {
  Rows rows;
  for (const CurveRow& row : curve.rows) {
    if (row.measured) {
      const Interval interval = row.interval.value_or(Interval{*row.measured, *row.measured});
      rows.push_back({row.nodes, row.measured, interval.low, interval.high, row.theory});
    }
  }
  return rows;
}

/// What a node adds when growth is linear; nothing without a base.
std::optional<double> slope_of(const CurveBase& base) {
  return base.kind != BaseKind::none && base.rate > 0 ? std::optional(base.rate / base.nodes) : std::nullopt;
}

Plot empty_plot(const SeriesReport& series, const char* kind, const char* title, const std::string& caption,
                int height) {
  Plot plot;
  plot.name = fmt::format("{}-{}", series.slug, kind);
  plot.title = title;
  plot.caption = caption;
  plot.height = height;
  return plot;
}

/// The fit's line and band, where it was measured and beyond: two blocks.
std::string fit_blocks(const ModelFit* fit, double largest_measured) {
  Rows inside;
  Rows beyond;
  for (const BandPoint& at : fit == nullptr ? std::vector<BandPoint>{} : fit->band) {
    const Interval band = at.band.value_or(Interval{at.rate, at.rate});
    if (!at.extrapolated) {
      inside.push_back({at.nodes, at.rate, band.low, band.high});
    }
    if (at.nodes >= largest_measured) {
      beyond.push_back({at.nodes, at.rate, band.low, band.high});
    }
  }
  return block("nodes fit low high (within what was measured)", inside) +
         block("nodes fit low high (extrapolated)", beyond);
}

/// The same drawn from blocks 2 and 3.
std::string fit_lines(const ModelFit& fit) {
  return fmt::format(
      "data index 2 using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.20 noborder notitle"
      ", data index 3 using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.10 noborder notitle"
      ", data index 2 using 1:2 with lines lc rgb '{0}' lw 2 title {1}"
      ", data index 3 using 1:2 with lines lc rgb '{0}' lw 1.5 dt 3 title 'extrapolated'",
      colour(1), quoted(name_of(fit.kind) + " fit"));
}

std::string curve_caption(const ModelFit* fit, bool with_base) {
  std::string text = "Points: mean of the iterations with its 95 % interval (small dots: every iteration).";
  text += with_base ? " Grey: n times the base." : "";
  if (fit != nullptr) {
    text += fmt::format(" Orange: {} with its 95 % band; dashed beyond the last measured point.",
                        name_of(fit->kind));
  }
  return text;
}

Plot curve_plot(const ScalingReport& report, const SeriesReport& series) {
  Rows iterations;
  for (const Observation& seen : observations_of(series.series)) {
    iterations.push_back({seen.nodes, seen.rate});
  }
  const ModelFit* fit = series.fits.shown();
  const std::vector<double> nodes = nodes_in(series.curve);
  const double right = largest(nodes) * (fit == nullptr ? 1.1 : 1.5);
  const auto slope = slope_of(series.curve.base);
  Plot plot = empty_plot(series, "curve", "Measured against linear growth",
                         curve_caption(fit, slope.has_value()), 420);
  plot.data = block("nodes mean low high theory", measured_rows(series.curve)) +
              block("nodes iteration", iterations) + fit_blocks(fit, series.fits.largest) +
              block("nodes linear", slope ? Rows{{0.0, 0.0}, {right, right * *slope}} : Rows{});
  std::vector<std::string> parts;
  if (slope) {
    parts.push_back(reference("data index 4 using 1:2", "linear"));
  }
  if (fit != nullptr) {
    parts.push_back(fit_lines(*fit));
  }
  parts.push_back(
      fmt::format("data index 1 using 1:2 with points pt 7 ps 0.35 lc rgb '{}' notitle", colour(0)));
  parts.push_back(interval_bars(0, colour(0), "measured"));
  plot.script = node_axes(nodes, right, report.data.unit, "*") + "set key left top\n" + plot_command(parts);
  return plot;
}

Plot efficiency_plot(const SeriesReport& series) {
  Rows rows;
  double top = 105;
  for (const CurveRow& row : series.curve.rows) {
    if (row.efficiency) {
      const Interval interval = row.efficiency_interval.value_or(Interval{*row.efficiency, *row.efficiency});
      rows.push_back({row.nodes, *row.efficiency * 100, interval.low * 100, interval.high * 100});
      top = std::max(top, std::min(interval.high, *row.efficiency * 1.5) * 100 + 5);
    }
  }
  Plot plot =
      empty_plot(series, "efficiency", "Efficiency",
                 "Measured / theory, with the interval of what was measured. 100 % is linear growth.", 320);
  plot.data = block("nodes efficiency_percent low high", rows);
  const std::vector<double> nodes = nodes_in(series.curve);
  plot.script = node_axes(nodes, largest(nodes) * 1.1, "% of linear", number(top)) + "unset key\n" +
                plot_command({reference("100", ""), line(0, colour(0), ""), interval_bars(0, colour(0), "")});
  return plot;
}

/// A plot with a line for each number of nodes.
class LinesPlot {
 public:
  explicit LinesPlot(Plot plot) : plot_(std::move(plot)) {}

  /// `style` is what gnuplot draws it with: "lines".
  void add(const std::string& columns, const Rows& rows, unsigned nodes, const char* style) {
    plot_.data += block(fmt::format("{}: {}", columns, nodes_text(nodes)), rows);
    lines_.push_back(fmt::format("data index {} using 1:2 with {} lw 1.5 lc rgb '{}' title {}", lines_.size(),
                                 style, colour(lines_.size()), quoted(nodes_text(nodes))));
  }

  /// The plot; without a script when it has no line.
  Plot take(const std::string& settings) && {
    plot_.script = lines_.empty() ? "" : settings + plot_command(lines_);
    return std::move(plot_);
  }

 private:
  Plot plot_;
  std::vector<std::string> lines_;
};

Plot rates_plot(const SeriesReport& series) {
  LinesPlot plot(empty_plot(
      series, "rates", "Share of connections at or above each rate",
      "A line for each number of nodes: how many of the connections got at least this rate.", 340));
  for (std::size_t i = 0; i < series.summaries.size(); ++i) {
    Rows rows;
    for (const auto& [rate, share] : series.summaries[i].share_above) {
      rows.push_back({rate / 1000, share * 100});
    }
    if (!rows.empty()) {
      plot.add("kbit_per_second share_percent", rows, series.series.points[i].nodes,
               "linespoints pt 7 ps 0.4");
    }
  }
  return std::move(plot).take(axes("Kb/s", "% of the connections") +
                              "set yrange [0:105]\nset key left bottom\n");
}

Plot time_plot(const SeriesReport& series) {
  constexpr double kMegabit = 8e-6;
  LinesPlot plot(empty_plot(
      series, "time", "Throughput over time",
      "Megabits a second of good operations' answers, in the first iteration behind each point, ramps "
      "included.",
      340));
  for (const ScalingPoint& point : series.series.points) {
    if (point.evidence.empty() || point.evidence.front().series.size() < 2) {
      continue;
    }
    Rows rows;
    for (const SecondFigures& second : point.evidence.front().series) {
      rows.push_back({second.second, second.bytes * kMegabit, second.good, second.failed, second.active});
    }
    plot.add("second megabit_per_second good failed active", rows, point.nodes, "lines");
  }
  return std::move(plot).take(axes("seconds", "Mb/s") + "set yrange [0:*]\nset key above left\n");
}

Plot spread_plot(const SeriesReport& series) {
  Plot plot = empty_plot(series, "spread", "What each node carried",
                         "A dot for each node: its part of the requests, where 100 % is an even share.", 320);
  Rows rows;
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
  plot.script =
      node_axes(counts, largest(counts) * 1.1, "% of an even share", "*") + "unset key\n" +
      fmt::format("set yrange [{}:{}]\n", number(std::max(0.0, 100 - away)), number(100 + away)) +
      plot_command({reference("100", ""),
                    fmt::format("data index 0 using 1:2 with points pt 7 ps 0.7 lc rgb '{}'", colour(0))});
  return plot;
}

Plot loss_plot(const SeriesReport& series) {
  Plot plot =
      empty_plot(series, "loss", "Where the loss goes",
                 "Per cent of the theory, cause upon cause; grey is what nothing measured explains.", 340);
  Rows rows;
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
                    "noborder\nset boxwidth 0.55\nset yrange [0:{}]\nset key above left\n",
                    number(most * 1.1)) +
                plot_command(parts);
  return plot;
}

/// What a node adds by the base of the series, of the first that has one; nothing where variants differ in
/// it.
std::optional<double> slope_of(const std::vector<SeriesReport>& all, std::string& label) {
  std::optional<double> found;
  for (const SeriesReport& series : all) {
    const auto slope = slope_of(series.curve.base);
    if (slope && found && series.series.variant != all.front().series.variant) {
      return std::nullopt;
    }
    if (slope && !found) {
      label = series.label;
      found = slope;
    }
  }
  return found;
}

Plot series_plot(const ScalingReport& report) {
  Plot plot;
  plot.name = "all-series";
  plot.title = "All series side by side";
  plot.caption = "Means with their 95 % intervals.";
  std::vector<std::string> parts;
  std::string base_of;
  if (const auto slope = slope_of(report.series, base_of)) {
    plot.caption += fmt::format(" Grey is n times the base of {}.", base_of);
    parts.push_back(reference(fmt::format("{} * x", number(slope)), "linear"));
  }
  std::set<double> nodes;
  std::size_t index = 0;
  for (const SeriesReport& series : report.series) {
    const Rows rows = measured_rows(series.curve);
    for (const auto& row : rows) {
      nodes.insert(*row.front());
    }
    plot.data += block(fmt::format("nodes mean low high theory: {}", series.slug), rows);
    parts.push_back(line(index, colour(index), ""));
    parts.push_back(interval_bars(index, colour(index), series.label));
    ++index;
  }
  if (nodes.empty()) {
    return plot;
  }
  plot.script = node_axes({nodes.begin(), nodes.end()}, *nodes.rbegin() * 1.1, report.data.unit, "*") +
                "set key left top\n" + plot_command(parts);
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
  for (Plot& plot : variant_plots(report)) {
    plots.push_back(std::move(plot));
  }
  for (const SeriesReport& series : report.series) {
    for (Plot& plot : plots_of(report, series)) {
      plots.push_back(std::move(plot));
    }
  }
  return plots;
}

}  // namespace scalemark::analysis
