#include "analysis/run_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/table.h"
#include "analysis/web_fields.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

bool is_partial(const Json& iteration) {
  return field(iteration, {"partial"}) == Json(true);
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

/// Whether the figures are those of a trial that passed, while the search ended because the generator was the
/// limit of another.
bool limited_elsewhere(const RunRecord& record) {
  return text_of(record.search, {"status"}) == "generator_limited" &&
         field(record.search, {"answer"}).is_object();
}

std::vector<std::string> generator_parts(const Json& generator) {
  const Json& threads = field(generator, {"threads"});
  std::vector<std::string> parts;
  if (const auto busiest = busiest_thread(threads)) {
    parts.push_back(
        fmt::format("busiest of {} {} CPU", counted(threads.size(), "thread"), percent_text(busiest, 0)));
  }
  if (const auto most = real_of(generator, {"lag_ms", "max"})) {  // users who never pause need no timer
    parts.push_back(
        fmt::format("lag p99 {} max {} ms", ms_text(real_of(generator, {"lag_ms", "p99"})), ms_text(most)));
  }
  parts.push_back(bytes_text(count_of(generator, {"peak_memory_bytes"})));
  const auto add = [&](const char* name, const char* word) {
    const auto count = count_of(generator, {name});
    parts.push_back(count_text(count) + " " + word_for(count.value_or(0), word));
  };
  add("late_timers", "late timer");
  add("descriptors", "descriptor");
  return parts;
}

}  // namespace

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

std::string number_cell(const RunView& view, std::size_t index) {
  return count_text(count_of(view.record.iterations[index], {"number"})) + (view.scored == index ? "*" : "");
}

std::string iteration_reasons(const RunView& view) {
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

std::string accounting_table(const RunView& view) {
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

std::string generator_line(const RunView& view) {
  const Json& generator = field(view.detailed(), {"generator"});
  if (!generator.is_object()) {
    return "";
  }
  std::string line = limited_elsewhere(view.record) ? "Generator, in the trial that passed: " : "Generator: ";
  bool first = true;
  for (const std::string& part : generator_parts(generator)) {
    if (width_of(line) + part.size() + 2 <= static_cast<std::size_t>(view.width)) {
      line += (first ? "" : ", ") + part;
      first = false;
    }
  }
  return "\n" + line + "\n";
}

}  // namespace scalemark::analysis
