#include "analysis/web_tables.h"

#include <fmt/format.h>

#include <string>

#include "analysis/run_tables.h"
#include "analysis/table.h"
#include "analysis/text.h"
#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

constexpr std::size_t kClassWidth = 12;  // of a class's name

void add_class_row(Table& table, const std::string& name, const Json& figures, const Json& accounting) {
  const auto share = [&figures](const char* which) {
    const auto value = real_of(figures, {which});
    return value ? percent_text(value, 1) : "";
  };
  table.add({printable(name, kClassWidth), share("share"), share("target_share"),
             count_text(count_of(accounting, {"issued"})), count_text(count_of(accounting, {"good"})),
             count_text(count_of(accounting, {"failed", "total"})), bytes_text(count_of(figures, {"bytes"})),
             ms_text(real_of(figures, {"ttfb_ms", "p50"})), ms_text(real_of(figures, {"ttfb_ms", "p99"})),
             ms_text(real_of(figures, {"ttlb_ms", "p50"})), ms_text(real_of(figures, {"ttlb_ms", "p99"}))});
}

/// "15 bad_status (404: 2, 503: 13), 3 reset"
std::string failure_words(const Json& failed) {
  std::string text;
  for (const Failure& failure : failures_of(failed)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_text(failure.count), failure.outcome);
    std::string codes;
    if (failure.outcome == "bad_status") {
      for (const auto& [code, count] : field(failed, {"bad_status_by_code"}).items()) {
        codes += fmt::format("{}{}: {}", codes.empty() ? "" : ", ", code, count_text(count_of(count, {})));
      }
    }
    if (!codes.empty()) {
      text += " (" + codes + ")";
    }
  }
  return text;
}

}  // namespace

std::string iteration_table(const RunView& view) {
  if (view.record.iterations.empty()) {
    return "";
  }
  Table table({{"#", "", true},
               {"window", "", false, 1},
               {"conforming"},
               {"valid", "", false, 4},
               {"ops/s", "", false, 2},
               {"min", "Kb/s", false, 3},
               {"mean", "Kb/s"},
               {"max", "Kb/s", false, 5},
               {"failed"},
               {"verdict", "", true}});
  for (std::size_t i = 0; i < view.record.iterations.size(); ++i) {
    const Json& iteration = view.record.iterations[i];
    table.add({number_cell(view, i), seconds_text(real_of(iteration, {"window_seconds"})),
               count_text(count_of(iteration, {"conforming"})), count_text(count_of(iteration, {"valid"})),
               real_text(real_of(iteration, {"operations_per_second"}), 1),
               kbps_text(real_of(iteration, {"bits_per_second", "min"})),
               kbps_text(real_of(iteration, {"bits_per_second", "mean"})),
               kbps_text(real_of(iteration, {"bits_per_second", "max"})),
               count_text(count_of(iteration, {"accounting", "window", "failed", "total"})),
               status_cell(iteration)});
  }
  const std::string heading = fmt::format("Iterations{}: figures of the window, Kb/s over the connections",
                                          view.scored ? " (* the score's)" : "");
  return std::string("\n")
      .append(wrapped("", heading, view.width))
      .append(table.text(view.width, 2))
      .append(iteration_reasons(view));
}

std::string class_table(const RunView& view) {
  const Json& iteration = view.detailed();
  const Json& classes = field(iteration, {"classes"});
  if (!classes.is_array() || classes.empty()) {
    return "";
  }
  Table table({{"class", "", true},
               {"share"},
               {"target"},
               {"issued", "", false, 2},
               {"good"},
               {"failed"},
               {"bytes", "", false, 1},
               {"p50", "first byte"},
               {"p99", "first byte"},
               {"p50", "last byte"},
               {"p99", "last byte"}});
  for (const Json& figures : classes) {
    add_class_row(table, text_of(figures, {"class"}), figures, figures);
  }
  add_class_row(table, "all", iteration, field(iteration, {"accounting", "window"}));
  const std::string heading =
      fmt::format("Classes in iteration {}'s window (bytes: good; times: ms from the start)",
                  count_text(count_of(iteration, {"number"})));
  return std::string("\n").append(wrapped("", heading, view.width)).append(table.text(view.width, 2));
}

std::string failure_lines(const RunView& view) {
  std::string lines;
  for (const Json& iteration : view.record.iterations) {
    const std::string words = failure_words(field(iteration, {"accounting", "run", "failed"}));
    if (!words.empty()) {
      lines += wrapped(fmt::format("  iteration {}: ", count_text(count_of(iteration, {"number"}))), words,
                       view.width);
    }
  }
  return lines.empty() ? "" : fmt::format("\nFailures over the whole iteration, ramps included\n{}", lines);
}

}  // namespace scalemark::analysis
