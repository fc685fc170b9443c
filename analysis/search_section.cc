// How each point was found: the log of its search.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "analysis/report_document.h"
#include "analysis/report_words.h"
#include "analysis/text.h"

namespace scalemark::analysis {
namespace {

/// "4 nodes: confirmed, 930 (between 930 and 941); 930 passed at full length, 941 failed".
std::string outcome_words(const ListedPoint& listed) {
  const ScalingPoint& point = listed.point;
  std::string text = fmt::format("{}: {}", listed.name(), words_of(point.status));
  if (point.load) {
    text += fmt::format(", {} (between {} and {})", figure_text(point.load), figure_text(point.lower),
                        point.upper ? figure_text(point.upper) : "no known failure");
  }
  return text + (point.why.empty() ? "" : "; " + point.why);
}

/// What is to be said of a trial beside its figures.
std::string remark_on(const TrialLine& trial) {
  std::vector<std::string> parts;
  if (trial.disturbed) {
    parts.emplace_back(trial.counts ? "disturbed, but counted" : "disturbed, made again");
  }
  if (trial.purpose == "listed" && !trial.why.empty()) {
    parts.push_back(trial.why);
  }
  if (!trial.reasons.empty()) {
    parts.push_back(trial.reasons.front());
  }
  return printable(fmt::format("{}", fmt::join(parts, "; ")));
}

Block trials_table(const ListedPoint& listed) {
  Block table{.kind = Block::Kind::table,
              .text = outcome_words(listed),
              .columns = {{.name = "trial"},
                          {.name = "load"},
                          {.name = "purpose", .left = true},
                          {.name = "verdict", .left = true},
                          {.name = "score"},
                          {.name = "seconds", .drop = 1},
                          {.name = "stolen", .drop = 2},
                          {.name = "others", .drop = 2},
                          {.name = "why", .left = true, .drop = 3, .words = true}}};
  for (const TrialLine& trial : listed.point.trials) {
    table.rows.push_back({fmt::format("{}", trial.number), figure_text(trial.load), printable(trial.purpose),
                          printable(trial.verdict), figure_text(trial.score), real_text(trial.seconds, 1),
                          percent_text(trial.stolen_share, 1), percent_text(trial.foreign_share, 1),
                          remark_on(trial)});
  }
  return table;
}

}  // namespace

Section search_section(const SeriesReport& series) {
  Section section{"How each point was found", true, {}};
  if (!series.same_base.empty()) {
    section.blocks.push_back(paragraph(fmt::format(
        "The base, one node without a router, is that of {} and stands there.", series.same_base)));
  }
  for (const ListedPoint& listed : listed_points(series)) {
    if (!listed.point.trials.empty()) {
      section.blocks.push_back(trials_table(listed));
    } else if (!listed.point.why.empty()) {
      section.blocks.push_back(paragraph(outcome_words(listed)));
    }
  }
  return section;
}

}  // namespace scalemark::analysis
