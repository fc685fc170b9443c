// Whether the generator was the limit: what it was like in the trials that each point rests on.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analysis/report_document.h"
#include "analysis/report_words.h"
#include "analysis/text.h"
#include "core/judgement.h"

namespace scalemark::analysis {
namespace {

std::optional<double> machine_use(const PointSummary& summary) {
  const auto& machine = summary.machine;
  if (!machine || !machine->busy_cpu_seconds || !machine->processors || !(summary.seconds > 0)) {
    return std::nullopt;
  }
  return *machine->busy_cpu_seconds / (*machine->processors * summary.seconds);
}

std::string conforming_words(const PointSummary& summary) {
  if (!summary.conforming || !summary.requested || !(*summary.requested > 0)) {
    return "-";
  }
  const auto interval = share_interval(*summary.conforming, *summary.requested);
  return fmt::format("{} ({} - {})", percent_text(*summary.conforming / *summary.requested, 1),
                     percent_text(interval->low, 1), percent_text(interval->high, 1));
}

/// Which trials the figures are of: "4", or "7, limited".
std::string trials_words(const ScalingPoint& point) {
  return point.limited ? fmt::format("{}, limited", point.limited->number)
                       : fmt::format("{}", fmt::join(point.confirmed_by, ", "));
}

void add_row(const ListedPoint& listed, Block& table) {
  // Next to a limited point nothing but the trial that was limited tells why.
  const PointSummary summary = listed.point.limited ? summary_of_limited(listed.point) : listed.summary;
  if (!summary.lateness_share && !summary.busiest_thread && !listed.point.limited) {
    return;
  }
  table.rows.push_back({listed.in_column(), trials_words(listed.point), conforming_words(summary),
                        percent_text(summary.lateness_share, 2), percent_text(summary.busiest_thread, 0),
                        ms_text(summary.lag_p99_ms), figure_text(summary.late_timers),
                        percent_text(machine_use(summary), 0)});
}

constexpr std::size_t kConformingColumn = 2;

void drop_column(Block& table, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) {
    row.erase(row.begin() + at);
  }
}

}  // namespace

Section generator_section(const ScalingReport& report, const SeriesReport& series) {
  Section section{"Was the generator the limit?", false, {}};
  Block table{.kind = Block::Kind::table,
              .columns = {{.name = "nodes"},
                          {.name = "trial"},
                          {.name = "conforming", .drop = 2},
                          {.name = "lateness"},
                          {.name = "thread"},
                          {.name = "lag p99, ms"},
                          {.name = "late timers"},
                          {.name = "machine", .drop = 1}}};
  for (const ListedPoint& listed : listed_points(series)) {
    add_row(listed, table);
  }
  if (table.rows.empty()) {
    return {};
  }
  const bool conforming = std::any_of(table.rows.begin(), table.rows.end(),
                                      [](const auto& row) { return row[kConformingColumn] != "-"; });
  if (!conforming) {
    drop_column(table, kConformingColumn);
  }
  section.blocks.push_back(paragraph(report.generator));
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(paragraph(fmt::format(
      "The worst iteration of the trials that a point rests on; where the generator was the limit, of the "
      "trial that it limited. Lateness is its share of the users' time; the busiest thread and the machine "
      "are shown by how busy they were. Beyond a lateness of {} or a thread busy for {} a trial is "
      "generator-limited and is never an answer.{}",
      percent_text(kMostLateness, 1), percent_text(kMostCpuShare, 0),
      conforming ? " Conforming: of the requested connections, with Wilson's interval." : "")));
  return section;
}

}  // namespace scalemark::analysis
