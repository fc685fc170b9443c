// `scalemark web --search` and `scalemark mail --search`: trials of one workload with ever other loads, until
// the highest that passes is found.
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
#include "study/workload.h"

namespace scalemark::study {

/// What a search is told beside the workload of its trials.
struct RunSearchPlan {
  bool search = false;        ///< else the workload is run once, as it is
  std::uint32_t from = 0;     ///< load of the first trial; 0: that of the workload
  double precision = 0.01;    ///< relative width at which the search ends
  std::uint32_t trials = 12;  ///< most probes and the first confirmation together
};

/// The settings, bound to `plan`, which must outlive them; in the words of the workload.
[[nodiscard]] Settings search_settings(RunSearchPlan& plan, const WorkloadWords& words);

/// Throws UsageError for what no single setting can see.
void check(const RunSearchPlan& plan);

/// The search that the settings ask for. Throws UsageError when it is not known how many users there can be.
[[nodiscard]] SearchPlan search_plan(const Workload& workload, const RunSearchPlan& search);

/// One trial: a probe measures one window, a confirmation is the workload as it stands.
[[nodiscard]] AnyWorkload trial_of(const Workload& workload, const Try& trial);

/// How long a search takes, drains excluded.
struct SearchTime {
  PlannedTrials trials;
  Duration probe{};         ///< each
  Duration confirmation{};  ///< each
  Duration usual{};         ///< in all
  Duration most{};          ///< in all, repeats of void trials excluded
};
[[nodiscard]] SearchTime planned_time(const Workload& workload, const RunSearchPlan& search);

struct RunSearchHooks {
  std::function<RunRecord(const Workload&)> run;                  ///< carries one trial
  std::function<void(std::uint32_t number, const Try&)> begin{};  ///< may be empty: a trial begins, from 1
  std::function<void(const RunRecord&)> end{};                    ///< may be empty: and has ended
  const std::atomic<bool>* stop = nullptr;  ///< may be null; set: end with what is known
};

/// Searches. The record is that of the trial that confirmed the answer, else the last one's, with the member
/// `search` and with the search's verdict: pass when confirmed. A trial that could not begin counts as void;
/// when it is the first, its error is thrown.
[[nodiscard]] RunRecord search_run(const Workload& workload, const RunSearchPlan& search,
                                   const RunSearchHooks& hooks);

}  // namespace scalemark::study
