#include "mail_bench/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/requirement.h"
#include "core/text.h"
#include "core/units.h"
#include "mail_bench/metrics.h"

namespace scalemark::mail {
namespace {

std::uint64_t count_of(const IterationFigures& figures, MessageClass what) {
  return figures.ledger.classes.at(static_cast<std::size_t>(what));
}

/// The ledger and the accounting of operations are kept apart and must say the same.
bool books_agree(const IterationFigures& figures) {
  return figures.ledger.planned == figures.run.issued &&
         count_of(figures, MessageClass::verified) == figures.run.good() &&
         count_of(figures, MessageClass::unsettled) == figures.run.unfinished;
}

void find_broken(const IterationFigures& figures, Findings& findings) {
  const auto sum = [&findings](bool sound, const char* what) {
    if (!sound) {
      findings.broken.push_back(fmt::format("{}: this is a fault of scalemark", what));
    }
  };
  sum(figures.window.adds_up() && figures.run.adds_up(), "the operations do not add up");
  sum(figures.smtp.window.adds_up() && figures.smtp.run.adds_up(), "the deliveries do not add up");
  sum(figures.pop3.window.adds_up() && figures.pop3.run.adds_up(), "the POP3 sessions do not add up");
  sum(figures.ledger.adds_up(), "the classes of the ledger do not add up to the messages planned");
  sum(books_agree(figures), "ledger and accounting do not agree");
  const std::uint64_t local =
      figures.smtp.run.ended[index_of(Outcome::local)] + figures.pop3.run.ended[index_of(Outcome::local)];
  if (local > 0) {
    findings.broken.push_back(fmt::format(
        "{} failed for lack of descriptors, ports or memory on this machine; lower --users or raise its "
        "limits",
        counted(local, "delivery or POP3 session", "deliveries and POP3 sessions")));
  }
}

/// Whether nothing was to be done in the window: messages may be due so seldom that none was.
bool idle(const IterationFigures& figures, const MailPlan& plan) {
  const bool seldom = plan.arrivals_per_hour > 0 || plan.most_per_hour > 0;
  return seldom && figures.window.carried_in + figures.window.issued == 0;
}

void find_errors(const Accounting& accounting, const char* what, const MailPlan& plan, Findings& findings) {
  const double errors = error_rate(accounting.good(), accounting.failed());
  if (errors > plan.most_errors) {
    findings.odd.push_back(fmt::format("{:.1f} % of the {} that ended in the window failed (at most {} may)",
                                       errors * 100, what, format_share(plan.most_errors)));
  }
}

void find_nothing_done(std::uint64_t good, std::uint64_t failed, const char* what, Findings& findings) {
  if (good == 0) {
    findings.odd.push_back(failed > 0
                               ? fmt::format("no {} succeeded in the window", what)
                               : fmt::format("no {} ended in the window; give it a longer --window", what));
  }
}

/// Classes of messages that failed, apart from kMisdeeds, which fail a run whatever their number.
constexpr std::array<MessageClass, 10> kFailures = {MessageClass::refused_temporarily,
                                                    MessageClass::refused,
                                                    MessageClass::closed,
                                                    MessageClass::not_connected,
                                                    MessageClass::timed_out,
                                                    MessageClass::protocol_error,
                                                    MessageClass::unknown,
                                                    MessageClass::mailbox_locked,
                                                    MessageClass::mailbox_failed,
                                                    MessageClass::login_refused};

/// Much of what fails is given up only when the drain ends, and so never in the window.
void find_failed_messages(const IterationFigures& figures, const MailPlan& plan, Findings& findings) {
  std::uint64_t failed = 0;
  std::vector<std::string> words;
  for (const MessageClass what : kFailures) {
    if (const std::uint64_t count = count_of(figures, what); count > 0) {
      failed += count;
      words.push_back(fmt::format("{} {}", count, name_of(what)));
    }
  }
  const double share = figures.ledger.planned > 0
                           ? static_cast<double>(failed) / static_cast<double>(figures.ledger.planned)
                           : 0;
  if (share > plan.most_errors) {
    findings.odd.push_back(fmt::format("{:.1f} % of all messages failed (at most {} may): {}", share * 100,
                                       format_share(plan.most_errors), fmt::join(words, ", ")));
  }
}

void find_oddities(const IterationFigures& figures, const MailPlan& plan, Findings& findings) {
  if (figures.users_refused > 0) {
    findings.odd.push_back(fmt::format(
        "{} of {} may not log in at POP3: this is a matter of configuration; check the accounts' names and "
        "passwords, and --pop3-auth",
        figures.users_refused, counted(figures.users, "user")));
  }
  if (idle(figures, plan)) {
    return;
  }
  if (plan.pairing == Pairing::message) {
    find_nothing_done(figures.window.good(), figures.window.failed(), "operation", findings);
    find_errors(figures.window, "operations", plan, findings);
    if (findings.odd.empty()) {
      find_failed_messages(figures, plan, findings);
    }
  } else {
    find_nothing_done(figures.smtp.window.good(), figures.smtp.window.failed(), "delivery", findings);
    find_nothing_done(figures.pop3.window_retrieved, figures.pop3.window.failed(), "retrieval", findings);
    find_errors(figures.smtp.window, "deliveries", plan, findings);
    find_errors(figures.pop3.window, "POP3 sessions", plan, findings);
  }
}

struct Misdeed {
  MessageClass what;
  const char* words;  ///< to end a sentence that begins with how many messages
};

/// What a mail service must never do to a message.
constexpr std::array<Misdeed, 7> kMisdeeds = {{
    {MessageClass::lost, "got lost: accepted, but not seen by the end of the drain"},
    {MessageClass::corrupt, "came back with other contents"},
    {MessageClass::truncated, "came back without the end"},
    {MessageClass::duplicate, "came back more than once"},
    {MessageClass::uncommitted, "came back, but no +OK to QUIT confirmed the deletion"},
    {MessageClass::wrong_mailbox, "arrived in another mailbox than the one addressed"},
    {MessageClass::wrong_node, "arrived on another node than the accounts say"},
}};

void find_misdeeds(const IterationFigures& figures, const MailPlan& plan, Findings& findings) {
  for (const Misdeed& misdeed : kMisdeeds) {
    // Retrievals that are counted apart need not have come to what was just delivered.
    const bool expected = misdeed.what == MessageClass::lost && plan.pairing == Pairing::independent;
    const auto& tolerated = plan.tolerate;
    const bool let_be =
        std::find(tolerated.begin(), tolerated.end(), name_of(misdeed.what)) != tolerated.end();
    const std::uint64_t count = count_of(figures, misdeed.what);
    if (count > 0 && !expected && !let_be) {
      findings.poor.push_back(fmt::format("{} {}", counted(count, "message"), misdeed.words));
    }
  }
}

std::optional<std::size_t> median_iteration(const std::vector<IterationFigures>& iterations) {
  std::vector<Standing> standings;
  standings.reserve(iterations.size());
  for (const IterationFigures& iteration : iterations) {
    standings.push_back({iteration.operations_per_hour, iteration.smtp_per_hour, iteration.partial,
                         iteration.window_seconds > 0});
  }
  return median_of(standings);
}

}  // namespace

std::vector<std::string_view> misdeed_names() {
  std::vector<std::string_view> names;
  names.reserve(kMisdeeds.size());
  for (const Misdeed& misdeed : kMisdeeds) {
    names.push_back(name_of(misdeed.what));
  }
  return names;
}

Findings findings_of(const IterationFigures& figures, const MailPlan& plan) {
  Findings findings;
  find_broken(figures, findings);
  if (figures.window_seconds > 0) {
    find_limits(figures.generator, findings);
    find_oddities(figures, plan, findings);
  }
  find_misdeeds(figures, plan, findings);
  return findings;
}

Score score_of(const std::vector<IterationFigures>& iterations) {
  Score score{std::numeric_limits<double>::quiet_NaN(), "operations per hour"};
  if (const auto scored = median_iteration(iterations)) {
    score.value = iterations[*scored].operations_per_hour;
    score.iteration = iterations[*scored].number;
  }
  return score;
}

Verdict judge_run(const std::vector<IterationFigures>& iterations, const MailPlan& plan, bool interrupted) {
  Findings findings;
  for (const IterationFigures& iteration : iterations) {
    findings.add(iteration.findings,
                 iterations.size() == 1 ? "" : fmt::format("iteration {}: ", iteration.number));
  }
  if (const auto scored = median_iteration(iterations)) {
    std::vector<Requirement> requirements;
    for (const std::string& text : plan.require) {
      requirements.push_back(parse_requirement(text));
    }
    const IterationFigures& figures = iterations[*scored];
    find_unmet(
        requirements,
        [&figures](std::string_view name, ValueKind wanted) { return metric_of(figures, name, wanted); },
        findings);
  }
  return verdict_of(findings, interrupted);
}

}  // namespace scalemark::mail
