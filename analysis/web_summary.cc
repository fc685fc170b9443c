#include "analysis/web_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/search_tables.h"
#include "analysis/web_fields.h"
#include "analysis/web_tables.h"

namespace scalemark::analysis {
namespace {

constexpr int kLeastWidth = 72;

struct StatusWord {
  const char* word;
  const char* colour;
};

StatusWord word_of(Status status) {
  switch (status) {
    case Status::pass:
      return {"PASS", "\x1b[1;32m"};
    case Status::fail:
      return {"FAIL", "\x1b[1;31m"};
    case Status::void_run:
      return {"VOID", "\x1b[1;33m"};
    case Status::generator_limited:
      return {"GENERATOR-LIMITED", "\x1b[1;33m"};
    case Status::interrupted:
      return {"INTERRUPTED", "\x1b[1;33m"};
  }
  return {"?", ""};
}

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

std::string score_text(const Score& score) {
  if (!std::isfinite(score.value)) {
    return "there is no score";
  }
  const bool whole = score.value == std::round(score.value);
  return fmt::format("score {} {}", real_text(score.value, whole ? 0 : 1), score.unit);
}

std::string conforming_text(const WebView& view) {
  if (view.scored) {
    const Json& iteration = view.record.iterations[*view.scored];
    return fmt::format("{} of {} connections conforming", count_text(count_of(iteration, {"conforming"})),
                       count_text(count_of(iteration, {"requested"})));
  }
  return view.scorable.empty() ? "no window was measured, so there is no score"
                               : score_text(view.record.score);
}

std::string verdict_line(const WebView& view, const std::string& sentence, const std::string& aside,
                         bool colour) {
  const StatusWord status = word_of(view.record.verdict.status);
  const std::string lead = std::string(status.word) + "  ";
  const bool room =
      width_of(lead) + width_of(sentence) + width_of(aside) <= static_cast<std::size_t>(view.width);
  std::string text = wrapped(lead, room ? sentence + aside : sentence, view.width);
  if (colour) {
    const std::string_view word = status.word;
    text = std::string(status.colour).append(word).append("\x1b[0m").append(text.substr(word.size()));
  }
  return text;
}

/// The verdict; a void or limited run has figures, but they are no result and the line says so first.
std::string web_verdict_line(const WebView& view, bool colour) {
  const Status status = view.record.verdict.status;
  std::string sentence = conforming_text(view);
  if (view.scored) {
    if (status == Status::void_run || status == Status::generator_limited) {
      sentence = "no result: " + sentence;
    } else if (status == Status::interrupted) {
      sentence = "partial result: " + sentence;
    }
  }
  const std::string rate = text_of(view.record.plan, {"conforming-rate"});
  const bool judged = view.scored && !rate.empty();
  return verdict_line(view, sentence, judged ? fmt::format(" (>= {})", rate_words(rate)) : "", colour);
}

std::string reason_lines(const WebView& view) {
  std::string text;
  for (const std::string& reason : view.record.verdict.reasons) {
    text += wrapped("  - ", reason, view.width);
  }
  return text;
}

std::string note_lines(const WebView& view) {
  std::string text;
  for (const std::string& note : texts_of(view.record.context, {"notes"})) {
    text += wrapped("  Note: ", note, view.width);
  }
  return text;
}

/// "the median of 3": what the score's iteration is among those that count.
std::string place_of_score(const WebView& view) {
  const std::size_t count = view.scorable.size();
  if (count == 1) {
    const bool partial = field(view.record.iterations[*view.scored], {"partial"}) == Json(true);
    return view.record.iterations.size() == 1 ? "the only one"
           : partial                          ? "the only one that was measured"
                                              : "the only complete one";
  }
  return fmt::format("{} of {}", count % 2 == 1 ? "the median" : "the lower middle one", count);
}

/// Which iteration the score is, and how long it was measured.
std::string score_line(const WebView& view) {
  if (!view.scored) {
    return "";
  }
  const Json& iteration = view.record.iterations[*view.scored];
  std::string text = fmt::format("From iteration {}, {}; measured over its window of {}",
                                 count_text(count_of(iteration, {"number"})), place_of_score(view),
                                 seconds_text(real_of(iteration, {"window_seconds"})));
  const std::string planned = text_of(view.record.plan, {"window"});
  if (field(iteration, {"partial"}) == Json(true) && !planned.empty()) {
    text += fmt::format(" (cut short; {} was planned)", planned);
  }
  const std::string iterations = text_of(view.record.plan, {"iterations"});
  if (!iterations.empty() && iterations != std::to_string(view.record.iterations.size())) {
    text += fmt::format("; {} of {} planned iterations began", view.record.iterations.size(), iterations);
  }
  return wrapped("  ", text + ".", view.width);
}

/// What was run, so that the text can be told from another run's.
std::string plan_line(const WebView& view) {
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

std::string envelope_text(const WebView& view, bool colour) {
  const std::size_t count = view.record.iterations.size();
  return verdict_line(view, score_text(view.record.score), "", colour) + reason_lines(view) +
         note_lines(view) +
         wrapped(
             "  ",
             fmt::format("A record of kind \"{}\" with {} iteration{}; its figures stand in the record only.",
                         view.record.kind, count, count == 1 ? "" : "s"),
             view.width);
}

}  // namespace

std::string web_summary(const RunRecord& record, const TextStyle& style) {
  const WebView view{record, std::max(style.width, kLeastWidth), scorable_iterations(record),
                     scored_iteration(record)};
  if (record.kind != "web") {
    return envelope_text(view, style.colour);
  }
  std::string text =
      web_verdict_line(view, style.colour) + reason_lines(view) + score_line(view) + note_lines(view);
  text += search_table(record, view.width);
  text += iteration_table(view) + class_table(view) + failure_lines(view) + accounting_table(view) +
          generator_line(view);
  return text + plan_line(view);
}

}  // namespace scalemark::analysis
