#include "analysis/web_summary.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/run_tables.h"
#include "analysis/run_view.h"
#include "analysis/search_tables.h"
#include "analysis/web_fields.h"
#include "analysis/web_tables.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

/// "320kbit" as the trade writes it: "320 Kb/s". Other texts stay as they are.
std::string rate_words(std::string rate) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kUnits = {
      {{"kbit", " Kb/s"}, {"mbit", " Mb/s"}, {"gbit", " Gb/s"}}};
  for (const auto& [unit, word] : kUnits) {
    if (rate.size() > unit.size() && rate.ends_with(unit)) {
      return rate.substr(0, rate.size() - unit.size()).append(word);
    }
  }
  if (!rate.empty() && std::isdigit(static_cast<unsigned char>(rate.back())) != 0) {
    rate += " bit/s";
  }
  return rate;
}

std::string web_verdict_line(const RunView& view, bool colour) {
  const Json& iteration = view.detailed();
  const auto requested = count_of(iteration, {"requested"});
  const std::string rate = text_of(view.record.plan, {"conforming-rate"});
  return result_line(view,
                     fmt::format("{} of {} {} conforming", count_text(count_of(iteration, {"conforming"})),
                                 count_text(requested), word_for(requested.value_or(0), "connection")),
                     rate.empty() ? "" : fmt::format(" (>= {})", rate_words(rate)), colour);
}

/// What was run, so that the text can be told from another run's.
std::string web_plan_line(const RunView& view) {
  const Json& plan = view.record.plan;
  std::vector<std::string> parts = texts_of(plan, {"url"});
  if (const std::size_t urls = parts.size(); urls > 2) {
    parts.resize(1);
    parts.push_back(fmt::format("{} more servers", urls - 1));
  }
  const auto add = [&](const char* form, const std::string& value) {
    if (!value.empty()) {
      parts.push_back(fmt::format(fmt::runtime(form), value));
    }
  };
  add("{} engine", text_of(plan, {"engine"}));
  add("{} profile", text_of(plan, {"profile"}));
  add("lines of {}", rate_words(text_of(plan, {"line-speed"})));
  add("seed {}", text_of(plan, {"seed"}));
  add("{}", text_of(view.record.context, {"started_utc"}));
  return parts.empty() ? "" : wrapped("Run: ", fmt::format("{}", fmt::join(parts, ", ")), view.width);
}

}  // namespace

std::string web_summary(const RunRecord& record, const TextStyle& style) {
  const RunView view(record, style);
  std::string text =
      web_verdict_line(view, style.colour) + reason_lines(view) + score_line(view) + note_lines(view);
  text += search_table(record, view.width);
  text += iteration_table(view) + class_table(view) + failure_lines(view) + accounting_table(view) +
          generator_line(view);
  return text + web_plan_line(view);
}

}  // namespace scalemark::analysis
