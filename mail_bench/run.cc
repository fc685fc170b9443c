#include "mail_bench/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/error.h"
#include "core/run_record.h"
#include "core/units.h"
#include "mail_bench/iteration_run.h"
#include "mail_bench/judge.h"
#include "mail_bench/mailboxes.h"
#include "mail_bench/preflight.h"

namespace scalemark::mail {
namespace {

/// Sessions that empty mailboxes at the same time.
constexpr std::uint32_t kEmptiers = 32;
/// Mailboxes that a refusal names.
constexpr std::size_t kMostNamed = 5;

bool stop_asked(const RunHooks& hooks) {
  return hooks.stop != nullptr && hooks.stop->load(std::memory_order_relaxed);
}

void refuse_or_notice(const Prepared& prepared, const RunHooks& hooks) {
  for (const PreflightFinding& finding : prepared.findings) {
    if (finding.level == PreflightFinding::Level::refuse) {
      throw RunError(finding.sentence);
    }
    if (finding.level == PreflightFinding::Level::warning && hooks.notice) {
      hooks.notice("warning: " + finding.sentence);
    }
  }
}

/// Visits every user's mailbox: proves that each may log in, and leaves nothing of an earlier run there.
/// Returns how many messages were thrown away.
std::uint64_t empty_mailboxes(const MailPlan& plan, const Prepared& prepared, const RunHooks& hooks) {
  const auto states = visit_mailboxes(plan, prepared.accounts, true, kEmptiers, hooks.stop, {});
  std::uint64_t deleted = 0;
  std::vector<std::string> faults;
  for (const MailboxState& state : states) {
    deleted += state.deleted;
    if (!state.reached) {
      faults.push_back(fmt::format("{}: {}", state.address, state.fault));
    }
  }
  if (!faults.empty()) {
    const std::size_t all = faults.size();
    faults.resize(std::min(all, kMostNamed));
    throw RunError(fmt::format("{} of {} mailboxes could not be emptied before the run: {}{}", all,
                               states.size(), fmt::join(faults, "; "), all > kMostNamed ? "; and more" : ""));
  }
  return deleted;
}

/// Sentences that belong beside the result, so that it is not taken for more than it is.
Json notes_of(const MailPlan& plan) {
  Json notes = Json::array();
  MailPlan full;
  apply_profile(full, Profile::full);
  if (plan.phases.window < full.phases.window || plan.iterations < full.iterations) {
    notes.push_back(fmt::format("shorter than a full run: {} x {} measured instead of {} x {}",
                                plan.iterations, format_duration(plan.phases.window), full.iterations,
                                format_duration(full.phases.window)));
  }
  return notes;
}

Json peers_json(const std::vector<std::string>& names, const std::vector<Stream::Peer>& peers) {
  Json list = Json::array();
  for (std::size_t i = 0; i < peers.size(); ++i) {
    Json entry;
    entry["name"] = names[i];
    entry["address"] = peers[i].address.text();
    list.push_back(std::move(entry));
  }
  return list;
}

struct Context {
  Json machine;
  std::uint64_t run = 0;
  std::uint64_t emptied = 0;
};

Json context_json(const MailPlan& plan, const Prepared& prepared, Context found) {
  Json context = std::move(found.machine);
  context["seed"] = plan.seed;
  context["run"] = fmt::format("{:016x}", found.run);
  context["smtp"] = peers_json(plan.smtp, prepared.smtp_peers);
  context["pop3"] = peers_json(plan.pop3, prepared.pop3_peers);
  context["mean_payload_bytes"] = prepared.corpus->mean_bytes();
  context["mended_line_ends"] = prepared.corpus->mended_line_ends();
  context["emptied_messages"] = plan.empty_first ? Json(found.emptied) : Json(nullptr);
  context["notes"] = notes_of(plan);
  Json preflight = Json::array();
  for (const PreflightFinding& finding : prepared.findings) {
    preflight.push_back(finding.name + ": " + finding.sentence);
  }
  context["preflight"] = std::move(preflight);
  return context;
}

/// Drawn anew for each run, whatever its seed: what an earlier run left behind must not pass for this one's.
std::uint64_t new_run_identity() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

/// Stands for an iteration that could not begin, so that those before it are not lost with it.
IterationFigures lost_iteration(const MailPlan& plan, std::uint32_t number, const std::string& why) {
  IterationFigures lost;
  lost.number = number;
  lost.users = plan.users;
  lost.findings.broken = {why};
  return lost;
}

std::vector<IterationFigures> measure(const MailPlan& plan, const Prepared& prepared, const RunHooks& hooks,
                                      std::uint64_t run) {
  const SteadyClock clock;
  const TimePoint begin = clock.now();
  std::vector<IterationFigures> iterations;
  // Once load was announced there is a record, however short: the first iteration always begins.
  for (std::uint32_t number = 1; number <= plan.iterations && (number == 1 || !stop_asked(hooks)); ++number) {
    try {
      iterations.push_back(run_iteration({plan, prepared, hooks, clock, begin, run}, number));
    } catch (const RunError& fault) {
      if (iterations.empty()) {
        throw;
      }
      iterations.push_back(lost_iteration(plan, number, fault.what()));
      break;
    }
  }
  return iterations;
}

}  // namespace

Duration planned_time(const MailPlan& plan) {
  const PhaseLengths& phases = plan.phases;
  return phases.warm_up + (phases.ramp_up + phases.window) * plan.iterations;
}

RunRecord run(const MailPlan& plan, const RunHooks& hooks) {
  Context context;
  context.machine = machine_context();
  context.run = new_run_identity();
  const Prepared prepared = prepare(plan, hooks.stop);
  refuse_or_notice(prepared, hooks);
  if (plan.empty_first) {
    context.emptied = empty_mailboxes(plan, prepared, hooks);
  }
  if (hooks.notice) {
    hooks.notice(plan.empty_first ? fmt::format("every user may log in, {} thrown away; load begins",
                                                context.emptied == 1
                                                    ? "1 old message was"
                                                    : fmt::format("{} old messages were", context.emptied))
                                  : std::string("the preflight found nothing in the way; load begins"));
  }
  const auto iterations = measure(plan, prepared, hooks, context.run);
  RunRecord record;
  record.kind = "mail";
  MailPlan effective = plan;
  record.plan = settings_json(mail_settings(effective));
  record.context = context_json(plan, prepared, std::move(context));
  record.verdict = judge_run(iterations, plan, stop_asked(hooks));
  record.score = score_of(iterations);
  for (const IterationFigures& iteration : iterations) {
    record.iterations.push_back(to_json(iteration));
  }
  return record;
}

}  // namespace scalemark::mail
