#include "analysis/search_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/table.h"
#include "analysis/text.h"
#include "analysis/web_fields.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

constexpr int kIndent = 2;
constexpr std::size_t kMostWhy = 60;

/// "generator_limited" as a person writes it.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string search_heading(const Json& search, const std::string& unit, int width) {
  const auto load = count_of(search, {"answer", "load"});
  std::string text = "Search: ";
  if (load) {
    const auto upper = count_of(search, {"answer", "upper"});
    text += fmt::format("{} {}", count_text(load), word_for(*load, unit));
    text += upper ? fmt::format(" (at least {}, less than {})",
                                count_text(count_of(search, {"answer", "lower"})), count_text(upper))
                  : "";
  } else {
    text += "no answer";
  }
  text += fmt::format(", {}", spaced(text_of(search, {"status"})));
  const std::string why = text_of(search, {"why"});
  return wrapped("", why.empty() ? text : fmt::format("{}: {}", text, why), width);
}

std::string score_cell(const Json& trial) {
  const auto score = real_of(trial, {"score"});
  const bool whole = score && *score == static_cast<double>(static_cast<std::int64_t>(*score));
  return real_text(score, whole ? 0 : 1);
}

/// Why trials did not pass: the first reason of each.
std::string reason_lines(const Json& trials, int width) {
  std::string text;
  for (const Json& trial : trials) {
    const auto reasons = texts_of(trial, {"reasons"});
    if (!reasons.empty()) {
      text += wrapped(fmt::format("  - trial {}: ", count_text(count_of(trial, {"number"}))), reasons.front(),
                      width);
    }
  }
  return text;
}

}  // namespace

std::string search_table(const RunRecord& record, int width) {
  if (!record.search.is_object()) {
    return "";
  }
  std::string text =
      "\n" + search_heading(record.search, record.kind == "mail" ? "user" : "connection", width);
  const Json& trials = field(record.search, {"trials"});
  if (!trials.is_array() || trials.empty()) {
    return text;
  }
  Table table({{"trial"},
               {"load"},
               {"purpose", "", true},
               {"verdict", "", true},
               {"score"},
               {"time", "", false, 2},
               {"chosen as", "", true, 1}});
  for (const Json& trial : trials) {
    const auto seconds = real_of(trial, {"seconds"});
    table.add({count_text(count_of(trial, {"number"})), count_text(count_of(trial, {"load"})),
               text_of(trial, {"purpose"}), spaced(text_of(trial, {"verdict"})), score_cell(trial),
               seconds ? real_text(seconds, 0) + " s" : "-", printable(text_of(trial, {"why"}), kMostWhy)});
  }
  return text + table.text(width, kIndent) + reason_lines(trials, width);
}

}  // namespace scalemark::analysis
