// `scalemark web --search`: trials of one plan with ever other connections, until the highest number that
// passes is found.
//
// The search itself is next() (study/search.h); here are its settings, the loop around it and the record that
// comes of it. How a trial is run is handed in, so tests need no server. Used from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/run_hooks.h"
#include "core/run_record.h"
#include "core/setting.h"
#include "study/search.h"
#include "web_bench/web_plan.h"

namespace scalemark::study {

/// What a search is told beside the plan of its trials.
struct WebSearchPlan {
  bool search = false;        ///< else the plan is run once, as it is
  std::uint32_t from = 0;     ///< connections of the first trial; 0: those of the plan
  double precision = 0.01;    ///< relative width at which the search ends
  std::uint32_t trials = 12;  ///< most probes and the first confirmation together
};

/// The settings, bound to `plan`, which must outlive them.
[[nodiscard]] Settings web_search_settings(WebSearchPlan& plan);

/// Throws UsageError for what no single setting can see.
void check(const WebSearchPlan& plan);

/// The fewest connections that a run of this plan can have: every thread and every URL needs one of its own.
[[nodiscard]] std::uint32_t least_load(const web::WebPlan& plan);

/// The search that the plans ask for.
[[nodiscard]] SearchPlan search_plan(const web::WebPlan& plan, const WebSearchPlan& search);

/// The plan of one trial: a probe measures one window, a confirmation is the plan as it stands.
[[nodiscard]] web::WebPlan trial_plan(const web::WebPlan& plan, const Try& trial);

/// How long a search takes, drains excluded.
struct SearchTime {
  PlannedTrials trials;
  Duration probe{};         ///< each
  Duration confirmation{};  ///< each
  Duration usual{};         ///< in all
  Duration most{};          ///< in all, repeats of void trials excluded
};
[[nodiscard]] SearchTime planned_time(const web::WebPlan& plan, const WebSearchPlan& search);

struct WebSearchHooks {
  std::function<RunRecord(const web::WebPlan&)> run;            ///< carries one trial
  std::function<void(std::uint32_t number, const Try&)> begin;  ///< may be empty: a trial begins, from 1
  std::function<void(const RunRecord&)> end;                    ///< may be empty: and has ended
  const std::atomic<bool>* stop = nullptr;                      ///< may be null; set: end with what is known
};

/// Searches. The record is that of the trial that confirmed the answer, else the last one's, with the member
/// `search` and with the search's verdict: pass when confirmed. A trial that could not begin counts as void;
/// when it is the first, its error is thrown.
[[nodiscard]] RunRecord search_web(const web::WebPlan& plan, const WebSearchPlan& search,
                                   const WebSearchHooks& hooks);

}  // namespace scalemark::study
