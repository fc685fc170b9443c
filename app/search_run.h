// `scalemark web --search` (or mail) as the terminal sees it: what is going to happen, each trial, the live
// line.
#pragma once

#include <functional>
#include <string>

#include "app/terminal.h"
#include "core/run_hooks.h"
#include "core/run_record.h"
#include "study/run_search.h"

namespace scalemark::app {

/// "searching from 100 connections on http://10.0.0.1/: usually 9 trials of 32 s and one of 1 min 26 s, ..."
[[nodiscard]] std::string search_opening_text(const study::Workload& workload,
                                              const study::RunSearchPlan& search);

/// What does the measuring: Workload::run(), or a stand-in.
using WorkloadRunner = std::function<RunRecord(const study::Workload&, const RunHooks&)>;

/// Searches, each trial run by `runner`; ends early, with what is known, at a stop signal. Throws what the
/// first trial throws.
[[nodiscard]] RunRecord run_search(const study::Workload& workload, const study::RunSearchPlan& search,
                                   const WorkloadRunner& runner, LiveLine& line);

}  // namespace scalemark::app
