#include "analysis/mail_summary.h"

#include <fmt/format.h>

#include <vector>

#include "analysis/mail_tables.h"
#include "analysis/run_tables.h"
#include "analysis/run_view.h"
#include "analysis/search_tables.h"
#include "analysis/web_fields.h"
#include "core/text.h"

namespace scalemark::analysis {
namespace {

/// Whether deliveries and retrievals need not have been of the same messages.
bool counts_apart(const RunRecord& record) {
  return text_of(record.plan, {"pairing"}) == "independent";
}

std::string mail_verdict_line(const RunView& view, bool colour) {
  const Json& iteration = view.detailed();
  const auto users = count_of(iteration, {"users"});
  const bool apart = counts_apart(view.record);
  return result_line(view,
                     fmt::format("{} operations per hour with {} {}",
                                 real_text(real_of(iteration, {"operations_per_hour"}), 0), count_text(users),
                                 word_for(users.value_or(0), "user")),
                     apart ? " (the smaller of SMTP and POP3)" : "", colour);
}

/// "SMTP 10.0.0.1:25", or with how many more.
std::string servers_words(const char* name, std::vector<std::string> servers) {
  if (servers.empty()) {
    return "";
  }
  const std::size_t more = servers.size() - 1;
  return fmt::format("{} {}{}", name, servers.front(),
                     more == 0 ? "" : fmt::format(" and {}", counted(more, "more", "more")));
}

/// What was run, so that the text can be told from another run's.
std::string mail_plan_line(const RunView& view) {
  const Json& plan = view.record.plan;
  std::vector<std::string> parts;
  const auto add = [&parts](const char* form, const std::string& value) {
    if (!value.empty()) {
      parts.push_back(fmt::format(fmt::runtime(form), value));
    }
  };
  add("{}", servers_words("SMTP", texts_of(plan, {"smtp"})));
  add("{}", servers_words("POP3", texts_of(plan, {"pop3"})));
  add("{} profile", text_of(plan, {"profile"}));
  const std::string corpus = text_of(plan, {"corpus"});
  corpus.empty() ? add("messages of {}", text_of(plan, {"message-size"})) : add("messages from {}", corpus);
  add("{}", counts_apart(view.record) ? "deliveries and retrievals counted apart" : "");
  add("seed {}", text_of(plan, {"seed"}));
  add("{}", text_of(view.record.context, {"started_utc"}));
  return parts.empty() ? "" : wrapped("Run: ", fmt::format("{}", fmt::join(parts, ", ")), view.width);
}

}  // namespace

std::string mail_summary(const RunRecord& record, const TextStyle& style) {
  const RunView view(record, style);
  return mail_verdict_line(view, style.colour) + reason_lines(view) + score_line(view) + note_lines(view) +
         search_table(record, view.width) + mail_iteration_table(view) + ledger_table(view) +
         step_table(view) + node_table(view) + refusal_lines(view) + accounting_table(view) +
         generator_line(view) + mail_plan_line(view);
}

}  // namespace scalemark::analysis
