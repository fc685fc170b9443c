#include "analysis/web_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/table.h"
#include "analysis/text.h"
#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

constexpr std::size_t kClassWidth = 12;  // of a class's name

bool is_partial(const Json& iteration) {
  return field(iteration, {"partial"}) == Json(true);
}

/// An iteration's status, short enough for a table's cell. One that was cut short did not pass.
std::string status_cell(const Json& iteration) {
  const std::string status = text_of(iteration, {"verdict", "status"});
  if (status.empty()) {
    return "-";
  }
  const bool plain = status == "pass" || status == "interrupted";
  if (is_partial(iteration) && plain) {
    return "cut short";
  }
  return (status == "generator_limited" ? "gen-limited" : status) +
         (is_partial(iteration) ? ", cut short" : "");
}

/// Why single iterations were not passed, where the run's own reasons do not say it already.
std::string iteration_reasons(const WebView& view) {
  std::string text;
  const std::vector<std::string>& said = view.record.verdict.reasons;
  for (const Json& iteration : view.record.iterations) {
    for (const std::string& reason : texts_of(iteration, {"verdict", "reasons"})) {
      const bool again = std::any_of(said.begin(), said.end(), [&reason](const std::string& known) {
        return known.find(reason) != std::string::npos;
      });
      if (!again) {
        text += wrapped(fmt::format("  - iteration {}: ", count_text(count_of(iteration, {"number"}))),
                        reason, view.width);
      }
    }
  }
  return text;
}

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

void add_accounting_row(Table& table, const char* span, const Json& accounting) {
  const bool sound = adds_up(accounting).value_or(true);
  table.add({span, count_text(count_of(accounting, {"carried_in"})),
             "+ " + count_text(count_of(accounting, {"issued"})),
             (sound ? "= " : "!= ") + count_text(count_of(accounting, {"good"})),
             "+ " + count_text(count_of(accounting, {"failed", "total"})),
             "+ " + count_text(count_of(accounting, {"unfinished"}))});
}

/// The busiest thread's share of the window; nullopt when no thread has one.
std::optional<double> busiest_thread(const Json& threads) {
  std::optional<double> most;
  for (const Json& thread : threads) {
    const auto share = real_of(thread, {"window_cpu_share"});
    if (share && (!most || *share > *most)) {
      most = share;
    }
  }
  return most;
}

}  // namespace

const Json& WebView::detailed() const {
  static const Json nothing;
  if (scored) {
    return record.iterations[*scored];
  }
  if (!scorable.empty()) {
    return record.iterations[scorable.back()];
  }
  return record.iterations.empty() ? nothing : record.iterations.back();
}

std::string iteration_table(const WebView& view) {
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
    table.add({count_text(count_of(iteration, {"number"})) + (view.scored == i ? "*" : ""),
               seconds_text(real_of(iteration, {"window_seconds"})),
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

std::string class_table(const WebView& view) {
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

std::string failure_lines(const WebView& view) {
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

std::string accounting_table(const WebView& view) {
  const Json& iteration = view.detailed();
  const Json& window = field(iteration, {"accounting", "window"});
  const Json& run = field(iteration, {"accounting", "run"});
  if (window.is_null() && run.is_null()) {
    return "";
  }
  Table table({{"", "", true}, {"carried in"}, {"issued"}, {"good"}, {"failed"}, {"unfinished"}});
  add_accounting_row(table, "window", window);
  add_accounting_row(table, "iteration", run);
  std::string text = fmt::format("\nAccounting of iteration {}'s operations\n",
                                 count_text(count_of(iteration, {"number"}))) +
                     table.text(view.width, 2);
  if (!adds_up(window).value_or(true) || !adds_up(run).value_or(true)) {
    text += wrapped("  ", "The counts do not add up: the figures of this iteration cannot be trusted.",
                    view.width);
  }
  return text;
}

std::string generator_line(const WebView& view) {
  const Json& iteration = view.detailed();
  const Json& generator = field(iteration, {"generator"});
  if (!generator.is_object()) {
    return "";
  }
  const Json& threads = field(generator, {"threads"});
  std::vector<std::string> parts;
  if (const auto busiest = busiest_thread(threads)) {
    parts.push_back(fmt::format("busiest of {} thread{} {} CPU", threads.size(),
                                threads.size() == 1 ? "" : "s", percent_text(busiest, 0)));
  }
  parts.push_back(fmt::format("lag p99 {} max {} ms", ms_text(real_of(generator, {"lag_ms", "p99"})),
                              ms_text(real_of(generator, {"lag_ms", "max"}))));
  parts.push_back(bytes_text(count_of(generator, {"peak_memory_bytes"})));
  parts.push_back(count_text(count_of(generator, {"late_timers"})) + " late timers");
  parts.push_back(count_text(count_of(generator, {"descriptors"})) + " descriptors");
  std::string line = "Generator: ";
  bool first = true;
  for (const std::string& part : parts) {
    if (width_of(line) + part.size() + 2 <= static_cast<std::size_t>(view.width)) {
      line += (first ? "" : ", ") + part;
      first = false;
    }
  }
  return "\n" + line + "\n";
}

}  // namespace scalemark::analysis
