// What all commands do that measure: from a measurement to its exit code, and what is shown meanwhile.
#pragma once

#include <functional>
#include <string>

#include "app/command.h"
#include "app/run_output.h"
#include "app/terminal.h"
#include "core/run_hooks.h"
#include "core/run_record.h"

namespace scalemark::app {

/// The live line's text: "iteration 1/3 window  0:25 of 1:21  100 users  328 op/s  38.2 Mb/s  0 failed".
[[nodiscard]] std::string progress_text(const Snapshot& snapshot);

/// Progress and notices to the line, the user's stop to the run.
[[nodiscard]] RunHooks hooks_to(LiveLine& line);

/// Measures and writes the results; returns the verdict's exit code. Ctrl-C and its like reach the
/// measurement as `StopSignals`; when it ends without a record then, nothing is written and the exit code
/// says so. Throws UsageError, before anything is measured, when a result could not be written.
[[nodiscard]] int measure_and_write(const RunOutputs& outputs, Console& console,
                                    const std::function<RunRecord(LiveLine&)>& measure);

}  // namespace scalemark::app
