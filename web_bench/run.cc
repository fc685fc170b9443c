#include "web_bench/run.h"

#include <fmt/format.h>

#include <utility>

#include "core/curl_library.h"
#include "core/error.h"
#include "core/run_record.h"
#include "web_bench/iteration_run.h"
#include "web_bench/judge.h"
#include "web_bench/preflight.h"

namespace scalemark::web {
namespace {

/// Sentences that belong beside the result, so that it is not taken for more than it is.
Json notes_of(const WebPlan& plan) {
  Json notes = Json::array();
  WebPlan full;
  apply_profile(full, Profile::full);
  if (plan.phases.window < full.phases.window || plan.iterations < full.iterations) {
    notes.push_back(fmt::format("shorter than a full run: {} x {} measured instead of {} x {}",
                                plan.iterations, format_duration(plan.phases.window), full.iterations,
                                format_duration(full.phases.window)));
  }
  WebPlan formula = plan;
  formula.directories = 0;
  if (plan.urls_file.empty() && plan.effective_directories() < formula.effective_directories()) {
    notes.push_back(fmt::format("the file set has {} directories where {} connections ask for {}",
                                plan.effective_directories(), plan.connections,
                                formula.effective_directories()));
  }
  return notes;
}

Json context_of(const WebPlan& plan, const Prepared& prepared, Json machine) {
  Json context = std::move(machine);
  context["seed"] = plan.seed;
  if (plan.engine == Engine::curl) {
    context["libcurl"] = libcurl().version_info(CURLVERSION_NOW)->version;
  }
  Json targets = Json::array();
  for (const Target& target : prepared.targets) {
    Json entry;
    entry["url"] = target.url;
    entry["address"] = target.address.text();
    targets.push_back(std::move(entry));
  }
  context["targets"] = std::move(targets);
  context["mss_bytes"] = prepared.mss == 0 ? Json(nullptr) : Json(prepared.mss);
  context["notes"] = notes_of(plan);
  Json preflight = Json::array();
  for (const PreflightFinding& finding : prepared.findings) {
    preflight.push_back(finding.name + ": " + finding.sentence);
  }
  context["preflight"] = std::move(preflight);
  return context;
}

Json plan_json(const WebPlan& plan) {
  WebPlan effective = plan;
  if (plan.urls_file.empty()) {
    effective.directories = plan.effective_directories();
  }
  return settings_json(web_settings(effective));
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

/// Stands for an iteration that could not begin, so that those before it are not lost with it.
IterationFigures lost_iteration(const WebPlan& plan, std::uint32_t number, const std::string& why) {
  IterationFigures lost;
  lost.number = number;
  lost.requested = plan.connections;
  lost.findings.broken = {why};
  return lost;
}

bool stop_asked(const RunHooks& hooks) {
  return hooks.stop != nullptr && hooks.stop->load(std::memory_order_relaxed);
}

}  // namespace

Duration planned_time(const WebPlan& plan) {
  const PhaseLengths& phases = plan.phases;
  return phases.warm_up + (phases.ramp_up + phases.window + phases.ramp_down) * plan.iterations;
}

RunRecord run(const WebPlan& plan, const RunHooks& hooks) {
  Json machine = machine_context();
  const Prepared prepared = prepare(plan, hooks.stop);
  refuse_or_notice(prepared, hooks);
  if (hooks.notice) {
    hooks.notice("the preflight found nothing in the way; load begins");
  }
  const SteadyClock clock;
  const TimePoint begin = clock.now();
  std::vector<IterationFigures> iterations;
  // Once load was announced there is a record, however short: the first iteration always begins.
  for (std::uint32_t number = 1; number <= plan.iterations && (number == 1 || !stop_asked(hooks)); ++number) {
    try {
      iterations.push_back(run_iteration({plan, prepared, hooks, clock, begin}, number));
    } catch (const RunError& fault) {
      if (iterations.empty()) {
        throw;
      }
      iterations.push_back(lost_iteration(plan, number, fault.what()));
      break;
    }
  }
  RunRecord record;
  record.kind = "web";
  record.plan = plan_json(plan);
  record.context = context_of(plan, prepared, std::move(machine));
  record.verdict = judge_run(iterations, plan, stop_asked(hooks));
  record.score = score_of(iterations);
  for (const IterationFigures& iteration : iterations) {
    record.iterations.push_back(to_json(iteration));
  }
  return record;
}

}  // namespace scalemark::web
