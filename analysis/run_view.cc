#include "analysis/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/web_fields.h"
#include "core/text.h"

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

std::string score_text(const Score& score) {
  if (!std::isfinite(score.value)) {
    return "there is no score";
  }
  const bool whole = score.value == std::round(score.value);
  return fmt::format("score {} {}", real_text(score.value, whole ? 0 : 1), score.unit);
}

/// "the median of 3": what the score's iteration is among those that count.
std::string place_of_score(const RunView& view) {
  const std::size_t count = view.scorable.size();
  if (count == 1) {
    const bool partial = field(view.record.iterations[*view.scored], {"partial"}) == Json(true);
    return view.record.iterations.size() == 1 ? "the only one"
           : partial                          ? "the only one that was measured"
                                              : "the only complete one";
  }
  return fmt::format("{} of {}", count % 2 == 1 ? "the median" : "the lower middle one", count);
}

}  // namespace

RunView::RunView(const RunRecord& of, const TextStyle& style)
    : record(of),
      width(std::max(style.width, kLeastWidth)),
      scorable(scorable_iterations(of)),
      scored(scored_iteration(of)) {}

const Json& RunView::detailed() const {
  static const Json nothing;
  if (scored) {
    return record.iterations[*scored];
  }
  if (!scorable.empty()) {
    return record.iterations[scorable.back()];
  }
  return record.iterations.empty() ? nothing : record.iterations.back();
}

std::string verdict_line(const RunView& view, const std::string& sentence, const std::string& aside,
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

std::string result_line(const RunView& view, const std::string& result, const std::string& aside,
                        bool colour) {
  if (!view.scored) {
    return verdict_line(view,
                        view.scorable.empty() ? "no window was measured, so there is no score"
                                              : score_text(view.record.score),
                        "", colour);
  }
  const Status status = view.record.verdict.status;
  const char* lead = status == Status::void_run || status == Status::generator_limited ? "no result: "
                     : status == Status::interrupted                                   ? "partial result: "
                                                                                       : "";
  return verdict_line(view, lead + result, aside, colour);
}

std::string reason_lines(const RunView& view) {
  std::string text;
  for (const std::string& reason : view.record.verdict.reasons) {
    text += wrapped("  - ", reason, view.width);
  }
  return text;
}

std::string note_lines(const RunView& view) {
  std::string text;
  for (const std::string& note : texts_of(view.record.context, {"notes"})) {
    text += wrapped("  Note: ", note, view.width);
  }
  return text;
}

std::string score_line(const RunView& view) {
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

std::string envelope_text(const RunView& view, bool colour) {
  return verdict_line(view, score_text(view.record.score), "", colour) + reason_lines(view) +
         note_lines(view) +
         wrapped("  ",
                 fmt::format("A record of kind \"{}\" with {}; its figures stand in the record only.",
                             view.record.kind, counted(view.record.iterations.size(), "iteration")),
                 view.width);
}

}  // namespace scalemark::analysis
