#include "analysis/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "analysis/plot_script.h"
#include "analysis/report_words.h"
#include "analysis/statistics.h"

namespace scalemark::analysis {
namespace {

using Figure = VariantLine::Figure;
using Member = std::optional<double> Figure::*;

Figure figure_of(const ScalingPoint& point, const PointSummary& summary) {
  return {point.counts() ? std::optional(moments_of(point.measured).mean) : std::nullopt,
          summary.timed_out_per_hour};
}

std::vector<std::string> names_of(const ScalingReport& report) {
  std::vector<std::string> names;
  for (const SeriesReport& series : report.series) {
    const std::string& name = series.series.variant;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

/// A line for each router and number of nodes, over the variants.
Plot variant_plot(const Variants& variants, const char* name, const char* title, const std::string& y,
                  Member member) {
  Plot plot;
  plot.name = name;
  plot.title = title;
  plot.caption = "A line for each number of nodes and what stands before them.";
  std::vector<std::string> parts;
  for (const VariantLine& variant_line : variants.lines) {
    Rows rows;
    for (std::size_t i = 0; i < variant_line.figures.size(); ++i) {
      if (const auto value = variant_line.figures[i].*member) {
        rows.push_back({static_cast<double>(i), value});
      }
    }
    plot.data += block(fmt::format("variant figure: {}", variant_line.label()), rows);
    const std::size_t index = parts.size() / 2;
    parts.push_back(line(index, colour(index), variant_line.label()));
    parts.push_back(fmt::format("data index {} using 1:2 with points pt 7 ps 0.6 lc rgb '{}' notitle", index,
                                colour(index)));
  }
  std::string tics;
  for (std::size_t i = 0; i < variants.names.size(); ++i) {
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(variants.names[i]), i);
  }
  plot.script = axes("", y) +
                fmt::format("set xtics ({})\nset xrange [-0.3:{}]\nset yrange [0:*]\nset key above left\n",
                            tics, number(static_cast<double>(variants.names.size()) - 0.7)) +
                plot_command(parts);
  return plot;
}

}  // namespace

std::string VariantLine::label() const {
  return fmt::format("{}, {}", router, nodes_text(nodes));
}

bool Variants::time_outs_known() const {
  return std::any_of(lines.begin(), lines.end(), [](const VariantLine& variant_line) {
    return std::any_of(variant_line.figures.begin(), variant_line.figures.end(),
                       [](const Figure& figure) { return figure.timed_out_per_hour.has_value(); });
  });
}

Variants variants_of(const ScalingReport& report) {
  Variants variants{names_of(report), {}};
  std::map<std::pair<std::string, unsigned>, std::vector<Figure>> lines;
  for (const SeriesReport& series : report.series) {
    const auto found = std::find(variants.names.begin(), variants.names.end(), series.series.variant);
    if (found == variants.names.end()) {
      continue;
    }
    for (std::size_t i = 0; i < series.series.points.size(); ++i) {
      const ScalingPoint& point = series.series.points[i];
      auto& figures = lines[{series.series.router(), point.nodes}];
      figures.resize(variants.names.size());
      figures[static_cast<std::size_t>(found - variants.names.begin())] =
          figure_of(point, series.summaries.at(i));
    }
  }
  for (auto& [key, figures] : lines) {
    const auto measured = std::count_if(figures.begin(), figures.end(),
                                        [](const Figure& figure) { return figure.measured.has_value(); });
    if (measured >= 2) {
      variants.lines.push_back({key.first, key.second, std::move(figures)});
    }
  }
  return variants;
}

std::vector<Plot> variant_plots(const ScalingReport& report) {
  const Variants variants = variants_of(report);
  std::vector<Plot> plots;
  if (!variants.lines.empty()) {
    plots.push_back(
        variant_plot(variants, "variants", "Measured by variant", report.data.unit, &Figure::measured));
  }
  if (!variants.lines.empty() && variants.time_outs_known()) {
    plots.push_back(variant_plot(variants, "variants-time-outs", "Operations that timed out, by variant",
                                 "timed out an hour", &Figure::timed_out_per_hour));
  }
  return plots;
}

Section variant_section(const ScalingReport& report) {
  Section section{"By variant", false, {}};
  const Variants variants = variants_of(report);
  if (variants.lines.empty()) {
    return section;
  }
  for (const Plot& plot : variant_plots(report)) {
    section.blocks.push_back({.kind = Block::Kind::figure, .text = plot.caption, .plot = plot});
  }
  const bool time_outs = variants.time_outs_known();
  Block table{.kind = Block::Kind::table, .columns = {{.name = "point", .left = true}}};
  for (const std::string& name : variants.names) {
    table.columns.push_back({.name = "measured", .group = name});
    if (time_outs) {
      table.columns.push_back({.name = "timed out/h", .group = name});
    }
  }
  for (const VariantLine& variant_line : variants.lines) {
    std::vector<std::string> cells = {variant_line.label()};
    for (const Figure& figure : variant_line.figures) {
      cells.push_back(figure_text(figure.measured));
      if (time_outs) {
        cells.push_back(figure_text(figure.timed_out_per_hour));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace scalemark::analysis
