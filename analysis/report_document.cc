#include "analysis/report_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report_words.h"
#include "analysis/text.h"
#include "analysis/variants.h"

namespace scalemark::analysis {
namespace {

constexpr const char* kPartial = "Partial: the study was interrupted. ";

std::string subtitle_of(const ScalingReport& report) {
  std::vector<std::string> parts;
  if (!report.data.unit.empty()) {
    parts.push_back(report.data.unit);
  }
  if (report.data.provider == "emulated") {
    parts.emplace_back("emulated cluster on one machine");
  } else if (!report.data.provider.empty()) {
    parts.push_back(fmt::format("cluster by \"{}\"", report.data.provider));
  }
  for (const auto& [name, value] : report.data.machine) {
    if (name == "started") {
      parts.push_back(value);
    }
  }
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::vector<Tile> tiles_of(const ScalingReport& report) {
  // The series that got furthest stands for the report.
  const SeriesReport* best = nullptr;
  for (const SeriesReport& series : report.series) {
    if (series.curve.last() != nullptr &&
        (best == nullptr || *series.curve.last()->measured > *best->curve.last()->measured)) {
      best = &series;
    }
  }
  if (best == nullptr) {
    return {};
  }
  const CurveRow& last = *best->curve.last();
  std::vector<Tile> tiles;
  tiles.push_back({fmt::format("{}, {}", best->label, nodes_text(last.nodes)), figure_text(last.measured),
                   report.data.unit});
  if (last.efficiency) {
    tiles.push_back({"of linear growth", percent_text(last.efficiency, 1),
                     fmt::format("{} would be linear", figure_text(last.theory))});
  }
  if (last.speed_up && last.nodes > 1) {
    tiles.push_back(
        {"speed-up", fmt::format("{:.2f}x", *last.speed_up), fmt::format("with {}", nodes_text(last.nodes))});
  }
  if (!best->capacity.empty()) {
    const CapacityEstimate& estimate = best->capacity.back();
    tiles.push_back({estimate.what + ", measured", fmt::format("{:.2f} M", estimate.measured / 1e6),
                     fmt::format("theoretical {:.2f} M", estimate.theoretical / 1e6)});
  }
  return tiles;
}

Section overview_section(const ScalingReport& report) {
  Section section{"Series side by side", false, {}};
  for (const Plot& plot : plots_of(report)) {
    if (plot.name == "all-series") {
      section.blocks.push_back({.kind = Block::Kind::figure, .text = plot.caption, .plot = plot});
    }
  }
  Block table{.kind = Block::Kind::table, .columns = {{.name = "nodes"}}};
  std::vector<unsigned> nodes;
  for (const SeriesReport& series : report.series) {
    table.columns.push_back({.name = "measured", .group = series.label});
    table.columns.push_back({.name = "drop %", .group = series.label});
    for (const CurveRow& row : series.curve.rows) {
      nodes.push_back(row.nodes);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const unsigned n : nodes) {
    std::vector<std::string> cells = {fmt::format("{}", n)};
    for (const SeriesReport& series : report.series) {
      const auto& rows = series.curve.rows;
      const auto found =
          std::find_if(rows.begin(), rows.end(), [n](const CurveRow& row) { return row.nodes == n; });
      cells.push_back(found == rows.end() ? "" : figure_text(found->measured));
      cells.push_back(found == rows.end() ? "" : real_text(found->drop, 2));
    }
    table.rows.push_back(std::move(cells));
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section facts_section(const ScalingReport& report) {
  Section section{"Plan and machine", true, {}};
  for (const auto* facts : {&report.data.machine, &report.data.plan}) {
    if (facts->empty()) {
      continue;
    }
    Block table{.kind = Block::Kind::table,
                .text = facts == &report.data.plan ? "Plan: all effective settings" : "Machine",
                .columns = {{.name = "name", .left = true}, {.name = "value", .left = true, .words = true}}};
    for (const auto& [name, value] : *facts) {
      table.rows.push_back({name, value});
    }
    section.blocks.push_back(std::move(table));
  }
  std::string sources = "Made from: ";
  sources += fmt::format("{}.", fmt::join(report.data.sources, ", "));
  section.blocks.push_back(paragraph(sources));
  return section;
}

}  // namespace

ReportDocument document_of(const ScalingReport& report) {
  ReportDocument document;
  document.title = report.data.title.empty() ? "Scaling" : report.data.title;
  document.subtitle = subtitle_of(report);
  for (const SeriesReport& series : report.series) {
    document.verdict.push_back((report.data.interrupted && document.verdict.empty() ? kPartial : "") +
                               series.sentence);
  }
  if (!report.generator.empty()) {
    document.verdict.push_back(report.generator);
  }
  document.notes = report.data.notes;
  if (report.data.provider == "emulated") {
    document.notes.insert(document.notes.begin(),
                          "The cluster was emulated on one machine: nodes, router and generator shared its "
                          "processors, and the nodes' links are capped by the kernel.");
  }
  document.tiles = tiles_of(report);
  if (report.series.size() > 1) {
    document.sections.push_back(overview_section(report));
  }
  if (Section variants = variant_section(report); !variants.blocks.empty()) {
    document.sections.push_back(std::move(variants));
  }
  for (const SeriesReport& series : report.series) {
    for (Section& section : series_sections(report, series)) {
      if (report.series.size() > 1) {
        section.title = fmt::format("{}: {}", series.label, section.title);
      }
      document.sections.push_back(std::move(section));
    }
  }
  document.sections.push_back(facts_section(report));
  return document;
}

}  // namespace scalemark::analysis
