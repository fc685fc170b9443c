// What a report says about one series.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/curve_bars.h"
#include "analysis/report_document.h"
#include "analysis/report_words.h"
#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

/// The series' figure of that kind, when there is one.
void put_figure(const std::vector<Plot>& plots, const std::string& kind, Section& section) {
  for (const Plot& plot : plots) {
    if (plot.name.ends_with("-" + kind)) {
      section.blocks.push_back({.kind = Block::Kind::figure, .text = plot.caption, .plot = plot});
    }
  }
}

/// Whether loads are known between which the answers lie.
bool has_searched(const SeriesReport& series) {
  return std::any_of(series.series.points.begin(), series.series.points.end(),
                     [](const ScalingPoint& point) { return point.lower.has_value(); });
}

Block curve_table(const SeriesReport& series) {
  Block table{.kind = Block::Kind::table};
  const bool printed = std::any_of(series.curve.rows.begin(), series.curve.rows.end(),
                                   [](const CurveRow& row) { return row.printed_drop.has_value(); });
  table.columns = {{.name = "nodes"},    {.name = "measured"},    {.name = "95% interval", .drop = 3},
                   {.name = "theory"},   {.name = "drop %"},      {.name = "efficiency"},
                   {.name = "speed-up"}, {.name = "n", .drop = 2}};
  if (printed) {
    table.columns.push_back({.name = "printed drop %"});
  }
  const bool searched = has_searched(series);
  if (searched) {
    table.columns.push_back({.name = "passed, failed", .drop = 2});
  }
  table.columns.push_back({.name = "status", .left = true, .drop = 1});
  for (const CurveRow& row : series.curve.rows) {
    std::vector<std::string> cells = {fmt::format("{}", row.nodes), figure_text(row.measured),
                                      interval_text(row.interval),  figure_text(row.theory),
                                      real_text(row.drop, 2),       percent_text(row.efficiency, 1),
                                      real_text(row.speed_up, 2),   fmt::format("{}", row.iterations)};
    if (printed) {
      cells.push_back(real_text(row.printed_drop, 1));
    }
    if (searched) {
      const ScalingPoint& point = series.series.points[table.rows.size()];
      cells.push_back(fmt::format("{}, {}", figure_text(point.lower), figure_text(point.upper)));
    }
    cells.push_back(words_of(row.status) + (row.super_linear ? ", super-linear" : ""));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string base_words(const CurveBase& base) {
  return base.kind == BaseKind::none ? "Nothing was measured, so there is no base, and no theory either."
                                     : fmt::format("Theory is n times the base, which is {}.", base.words());
}

/// What the intervals say, and what they do not; "" when nothing was measured.
std::string interval_words(const SeriesReport& series) {
  if (series.curve.last() == nullptr) {
    return "";
  }
  const bool single = std::all_of(series.curve.rows.begin(), series.curve.rows.end(),
                                  [](const CurveRow& row) { return row.iterations < 2; });
  std::string text =
      single ? " Each figure is a single measurement, so there are no intervals."
             : " Intervals are Student's, of the mean of n iterations; the base is taken as exact.";
  if (has_searched(series)) {
    text += single ? " What"
                   : " They say how far iterations of one load spread, and nothing about loads that were "
                     "not tried: what";
    text += " a point carries lies between the highest load that passed and the lowest that failed.";
  }
  return text;
}

constexpr int kBarsWidth = 72;  // what every terminal has

Section curve_section(const SeriesReport& series, const std::vector<Plot>& plots) {
  Section section{"The curve", false, {}};
  put_figure(plots, "curve", section);
  if (!section.blocks.empty()) {
    section.blocks.back().in_characters = curve_bars(series.curve, kBarsWidth);
  }
  section.blocks.push_back(curve_table(series));
  std::string text = base_words(series.curve.base) + interval_words(series);
  const bool above = std::any_of(series.curve.rows.begin(), series.curve.rows.end(),
                                 [](const CurveRow& row) { return row.super_linear; });
  if (above) {
    text += " Super-linear points lie above n times the base; they are shown as measured.";
  }
  section.blocks.push_back(paragraph(std::move(text)));
  put_figure(plots, "efficiency", section);
  return section;
}

std::string with_interval(double value, const std::optional<Interval>& interval) {
  return interval ? fmt::format("{} ({} - {})", parameter_text(value), parameter_text(interval->low),
                                parameter_text(interval->high))
                  : parameter_text(value);
}

Section model_section(const SeriesReport& series) {
  Section section{"What the growth looks like", false, {}};
  const Fits& fits = series.fits;
  if (!fits.fits.empty()) {
    Block table{.kind = Block::Kind::table,
                .columns = {{.name = "model", .left = true},
                            {.name = "g, one node"},
                            {.name = "a, contention"},
                            {.name = "b, coherence"},
                            {.name = "AICc"},
                            {.name = "peak n*", .drop = 1}}};
    for (std::size_t i = 0; i < fits.fits.size(); ++i) {
      const ModelFit& fit = fits.fits[i];
      const std::string gain =
          fit.gain ? fmt::format("{} ({})", figure_text(fit.parameters.gain), interval_text(fit.gain))
                   : figure_text(fit.parameters.gain);
      table.rows.push_back(
          {name_of(fit.kind) + (fits.chosen == i ? " *" : ""), gain,
           fit.kind == ModelKind::linear ? "" : with_interval(fit.parameters.contention, fit.contention),
           fit.kind == ModelKind::usl ? with_interval(fit.parameters.coherence, fit.coherence) : "",
           real_text(fit.aicc, 1),
           fit.peak ? fmt::format("{} ({})", figure_text(fit.peak), interval_text(fit.peak_interval)) : ""});
    }
    section.blocks.push_back(std::move(table));
  }
  std::string text = fits.why;
  for (const ModelFit& fit : fits.fits) {
    if (!fit.remark.empty()) {
      text += fmt::format(" {}: {}.", name_of(fit.kind), fit.remark);
    }
  }
  if (const ModelFit* shown = fits.shown()) {
    const BandPoint& end = shown->band.back();
    text += fmt::format(" Extrapolation, not measured: {} would give {} with {} {}{}.", name_of(shown->kind),
                        figure_text(end.rate), figure_text(end.nodes), end.nodes == 1 ? "node" : "nodes",
                        end.band ? fmt::format(" ({})", interval_text(end.band)) : "");
    text +=
        " Brackets are 95 % intervals of a residual bootstrap; they do not hold the doubt about which model "
        "is "
        "right.";
  }
  section.blocks.push_back(paragraph(std::move(text)));
  return section;
}

std::string share_of_loss(double amount, double loss) {
  return loss > 0 ? percent_text(amount / loss, 0) : "-";
}

/// Whether the cause at this place was measured at some point with more than one node. (That a single node
/// spreads evenly is no measurement.)
bool measured_anywhere(const SeriesReport& series, std::size_t cause) {
  return std::any_of(series.attribution.begin(), series.attribution.end(), [&](const Attribution& at) {
    return at.parts[cause].amount && (at.nodes > 1 || series.attribution.size() == 1);
  });
}

Section loss_section(const SeriesReport& series, const std::vector<Plot>& plots) {
  Section section{"Where the loss goes", false, {}};
  if (series.attribution.empty()) {
    return section;
  }
  put_figure(plots, "loss", section);
  Block table{.kind = Block::Kind::table,
              .text = "Theory - measured, and what it consists of. The parts add up to the loss.",
              .columns = {{.name = "cause", .left = true}}};
  for (const Attribution& at : series.attribution) {
    table.columns.push_back({.name = nodes_text(at.nodes)});
  }
  std::vector<std::string> head = {"loss, all of it"};
  for (const Attribution& at : series.attribution) {
    head.push_back(figure_text(at.loss));
  }
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < series.attribution.front().parts.size(); ++i) {
    const std::string cause = name_of(series.attribution.front().parts[i].cause);
    if (!measured_anywhere(series, i)) {
      unknown.push_back(cause);
      continue;
    }
    std::vector<std::string> cells = {cause};
    for (const Attribution& at : series.attribution) {
      const auto& amount = at.parts[i].amount;
      cells.push_back(amount ? figure_text(amount) : "not measured");
    }
    table.rows.push_back(std::move(cells));
  }
  table.rows.insert(table.rows.begin(), std::move(head));
  section.blocks.push_back(std::move(table));
  if (!unknown.empty()) {
    section.blocks.push_back(paragraph(fmt::format(
        "Not measured at any of these points: {}. What they took is part of what is not explained.",
        fmt::join(unknown, ", "))));
  }
  return section;
}

/// The evidence of every part, for who wants to know.
Section evidence_section(const SeriesReport& series) {
  Section section{"What the attribution rests on", true, {}};
  for (const Attribution& at : series.attribution) {
    Block table{.kind = Block::Kind::table,
                .text = fmt::format("{}: {} of {} lost", nodes_text(at.nodes), figure_text(at.loss),
                                    figure_text(at.theory)),
                .columns = {{.name = "cause", .left = true},
                            {.name = "amount"},
                            {.name = "of the loss"},
                            {.name = "evidence", .left = true, .words = true}}};
    for (std::size_t i = 0; i < at.parts.size(); ++i) {
      const LossPart& part = at.parts[i];
      if (measured_anywhere(series, i)) {
        table.rows.push_back({name_of(part.cause), part.amount ? figure_text(part.amount) : "-",
                              part.amount ? share_of_loss(*part.amount, at.loss) : "-", part.evidence});
      }
    }
    section.blocks.push_back(std::move(table));
    for (const std::string& hint : at.hints) {
      section.blocks.push_back(paragraph(hint));
    }
  }
  std::vector<std::string> unknown;
  for (const LossPart& part :
       series.attribution.empty() ? std::vector<LossPart>{} : series.attribution.back().parts) {
    if (!measured_anywhere(series, static_cast<std::size_t>(part.cause))) {
      unknown.push_back(fmt::format("{} ({})", name_of(part.cause), part.evidence));
    }
  }
  if (!unknown.empty()) {
    section.blocks.push_back(paragraph(fmt::format("At no point: {}.", fmt::join(unknown, "; "))));
  }
  return section;
}

Section capacity_section(const SeriesReport& series) {
  Section section{"Capacity", false, {}};
  if (series.capacity.empty()) {
    return section;
  }
  const CapacityEstimate& first = series.capacity.front();
  Block table{.kind = Block::Kind::table,
              .columns = {{.name = "nodes"},
                          {.name = "measured", .group = first.what},
                          {.name = "theoretical", .group = first.what}}};
  for (const CapacityEstimate& estimate : series.capacity) {
    table.rows.push_back({fmt::format("{}", estimate.nodes), figure_text(estimate.measured),
                          figure_text(estimate.theoretical)});
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(
      paragraph(fmt::format("An estimate for {}. \"Measured\" is what was carried; \"theoretical\" is n "
                            "times the base, which nobody has "
                            "seen carried.",
                            first.assumed)));
  return section;
}

/// How much of what it has a part used, and how often the scheduler held it back.
std::string use_words(const PartFigures& part, const Use& use) {
  return part.throttled_share
             ? fmt::format("{}, held back {}", use.words(), percent_text(part.throttled_share, 0))
             : use.words();
}

Section spread_section(const SeriesReport& series, const std::vector<Plot>& plots) {
  Section section{"The nodes and the router", false, {}};
  put_figure(plots, "spread", section);
  Block table{.kind = Block::Kind::table,
              .columns = {{.name = "nodes"},
                          {.name = "part", .left = true},
                          {.name = "requests"},
                          {.name = "of an even share"},
                          {.name = "sent"},
                          {.name = "received", .drop = 2},
                          {.name = "CPU s", .drop = 1},
                          {.name = "in use", .left = true}}};
  const auto bytes = [](const std::optional<double>& value) {
    return value && *value >= 0 && *value < 1e18 ? bytes_text(static_cast<std::uint64_t>(*value)) : "-";
  };
  const auto add = [&](const std::string& nodes, const PartFigures& part, const std::string& share,
                       const std::string& use) {
    table.rows.push_back({nodes, printable(part.name), figure_text(part.requests), share,
                          bytes(part.sent_bytes), bytes(part.received_bytes), real_text(part.cpu_seconds, 2),
                          use});
  };
  for (const ListedPoint& listed : listed_points(series)) {
    const PointSummary& summary = listed.summary;
    const std::string nodes = listed.in_column();
    const auto loads = node_loads(summary);
    const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
    for (std::size_t node = 0; node < summary.nodes.size(); ++node) {
      const bool known = sum > 0 && node < loads.size();
      add(nodes, summary.nodes[node],
          known ? percent_text(loads[node] / sum * static_cast<double>(loads.size()), 1) : "-",
          use_words(summary.nodes[node], summary.node_use[node]));
    }
    for (std::size_t proxy = 0; proxy < summary.proxies.size(); ++proxy) {
      add(nodes, summary.proxies[proxy], "", use_words(summary.proxies[proxy], summary.proxy_use[proxy]));
    }
    if (summary.router) {
      add(nodes, *summary.router, "", use_words(*summary.router, summary.router_use));
    }
  }
  if (table.rows.empty()) {
    return {};
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section rates_section(const std::vector<Plot>& plots) {
  Section section{"Rates and time", false, {}};
  put_figure(plots, "rates", section);
  put_figure(plots, "time", section);
  return section;
}

}  // namespace

std::vector<Section> series_sections(const ScalingReport& report, const SeriesReport& series) {
  const std::vector<Plot> plots = plots_of(report, series);
  std::vector<Section> sections = {
      curve_section(series, plots), loss_section(series, plots),       evidence_section(series),
      model_section(series),        capacity_section(series),          spread_section(series, plots),
      rates_section(plots),         generator_section(report, series), search_section(series)};
  sections.erase(std::remove_if(sections.begin(), sections.end(),
                                [](const Section& section) { return section.blocks.empty(); }),
                 sections.end());
  return sections;
}

}  // namespace scalemark::analysis
