// What `scalemark web` and `scalemark mail` have in common: one run, or a search, on servers that are named
// or on a cluster of the test-bed.
#pragma once

#include <memory>

#include "app/command.h"
#include "app/search_run.h"
#include "study/workload.h"

namespace scalemark::app {

/// A command that runs `workload` as its options change it, by means of `runner`.
[[nodiscard]] std::unique_ptr<Command> make_workload_command(CommandInfo info, study::AnyWorkload workload,
                                                             WorkloadRunner runner);

/// Measures by Workload::run().
[[nodiscard]] RunRecord run_workload(const study::Workload& workload, const RunHooks& hooks);

}  // namespace scalemark::app
