#include "analysis/mail_tables.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "analysis/mail_fields.h"
#include "analysis/run_tables.h"
#include "analysis/table.h"
#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

constexpr std::size_t kNameWidth = 24;  // of a class, a step or a node

std::string heading(const RunView& view, const char* form) {
  return "\n" + wrapped("",
                        fmt::format(fmt::runtime(form), count_text(count_of(view.detailed(), {"number"}))),
                        view.width);
}

std::optional<double> share_of(std::uint64_t count, std::optional<std::uint64_t> whole) {
  return whole && *whole > 0 ? std::optional(static_cast<double>(count) / static_cast<double>(*whole))
                             : std::nullopt;
}

/// "2 late, 4 leftovers": what the ledger counts beside its classes, as far as it occurred.
std::string beside_words(const Json& ledger) {
  static constexpr std::pair<const char*, const char*> kKinds[] = {
      {"late", "late"},
      {"leftovers", "left over from other runs"},
      {"foreign", "not scalemark's"},
      {"fetched_again", "fetched again, as a deletion had not been committed"},
      {"surplus", "seen after all was settled"}};
  std::string text;
  for (const auto& [name, words] : kKinds) {
    const auto count = count_of(ledger, {name});
    if (count.value_or(0) > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_text(count), words);
    }
  }
  return text;
}

/// "dot 452: 2, rcpt 450: 1"
std::string counts_words(const Json& counts) {
  std::string text;
  for (const NamedCount& one : counts_in(counts)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", one.name, count_text(one.count));
  }
  return text;
}

}  // namespace

std::string mail_iteration_table(const RunView& view) {
  if (view.record.iterations.empty()) {
    return "";
  }
  Table table({{"#", "", true},
               {"window", "", false, 2},
               {"operations", "per hour"},
               {"SMTP", "per hour", false, 4},
               {"POP3", "per hour", false, 3},
               {"failed"},
               {"p50", "operation, ms", false, 5},
               {"p99", "operation, ms", false, 1},
               {"verdict", "", true}});
  for (std::size_t i = 0; i < view.record.iterations.size(); ++i) {
    const Json& iteration = view.record.iterations[i];
    table.add({number_cell(view, i), seconds_text(real_of(iteration, {"window_seconds"})),
               real_text(real_of(iteration, {"operations_per_hour"}), 0),
               real_text(real_of(iteration, {"smtp_per_hour"}), 0),
               real_text(real_of(iteration, {"pop3_per_hour"}), 0),
               count_text(count_of(iteration, {"accounting", "window", "failed", "total"})),
               ms_text(real_of(iteration, {"steps_ms", "operation", "p50"})),
               ms_text(real_of(iteration, {"steps_ms", "operation", "p99"})), status_cell(iteration)});
  }
  return fmt::format("\nIterations{}: figures of the window\n", view.scored ? " (* the score's)" : "") +
         table.text(view.width, 2) + iteration_reasons(view);
}

std::string ledger_table(const RunView& view) {
  const Json& ledger = field(view.detailed(), {"ledger"});
  const auto classes = counts_in(field(ledger, {"classes"}));
  if (classes.empty()) {
    return "";
  }
  const auto planned = count_of(ledger, {"planned"});
  Table table({{"class", "", true}, {"messages"}, {"share"}, {"", "", true, 1, true}});
  table.add({"planned", count_text(planned), "", ""});
  for (const NamedCount& one : classes) {
    if (one.count > 0 || one.name == "verified") {
      table.add({printable(one.name, kNameWidth), count_text(one.count),
                 percent_text(share_of(one.count, planned), 2), std::string(class_words(one.name))});
    }
  }
  std::string text =
      heading(view, "Ledger of iteration {}: what became of every message, ramp-up and drain included") +
      table.text(view.width, 2);
  if (const std::string beside = beside_words(ledger); !beside.empty()) {
    text += wrapped("  Beside these: ", beside + ".", view.width);
  }
  if (!ledger_adds_up(ledger).value_or(true)) {
    text += wrapped("  ", "The classes do not add up: the figures of this iteration cannot be trusted.",
                    view.width);
  }
  return text;
}

std::string step_table(const RunView& view) {
  const Json& steps = field(view.detailed(), {"steps_ms"});
  Table table({{"step", "", true}, {"times"}, {"p50", "ms"}, {"p99", "ms"}, {"max", "ms", false, 1}});
  bool any = false;
  if (steps.is_object()) {
    for (const auto& [name, histogram] : steps.items()) {
      if (count_of(histogram, {"count"}).value_or(0) > 0) {
        table.add({printable(name, kNameWidth), count_text(count_of(histogram, {"count"})),
                   ms_text(real_of(histogram, {"p50"})), ms_text(real_of(histogram, {"p99"})),
                   ms_text(real_of(histogram, {"max"}))});
        any = true;
      }
    }
  }
  return any ? heading(view, "Steps in iteration {}'s window") + table.text(view.width, 2) : "";
}

std::string node_table(const RunView& view) {
  const auto nodes = nodes_of(field(view.detailed(), {"ledger"}));
  if (nodes.empty()) {
    return "";
  }
  const auto all =
      std::accumulate(nodes.begin(), nodes.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const NamedCount& node) { return sum + node.count; });
  Table table({{"node", "", true}, {"operations"}, {"share"}});
  for (const NamedCount& node : nodes) {
    table.add({printable(node.name, kNameWidth), count_text(node.count),
               percent_text(share_of(node.count, all), 1)});
  }
  return heading(view, "Nodes in iteration {}: operations, ramp-up and drain included") +
         table.text(view.width, 2);
}

std::string refusal_lines(const RunView& view) {
  std::string lines;
  for (const Json& iteration : view.record.iterations) {
    for (const auto& [words, counts] : {std::pair{"SMTP", &field(iteration, {"smtp", "replies"})},
                                        {"POP3", &field(iteration, {"pop3", "refusals"})}}) {
      if (const std::string refusals = counts_words(*counts); !refusals.empty()) {
        lines +=
            wrapped(fmt::format("  iteration {}, {}: ", count_text(count_of(iteration, {"number"})), words),
                    refusals, view.width);
      }
    }
  }
  return lines.empty() ? "" : "\nRefusals over the whole iteration, by step and reply\n" + lines;
}

}  // namespace scalemark::analysis
