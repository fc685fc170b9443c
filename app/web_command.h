// `scalemark web`: one web run, from its options to its exit code.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/command.h"
#include "core/run_record.h"
#include "web_bench/run.h"

namespace scalemark::app {

/// What does the measuring: web::run, or a stand-in.
using WebRunner = std::function<RunRecord(const web::WebPlan&, const RunHooks&)>;

[[nodiscard]] std::unique_ptr<Command> make_web_command();
[[nodiscard]] std::unique_ptr<Command> make_web_command(WebRunner runner);

/// The live line's text: "iteration 1/3 window  0:25 of 1:21  100 users  328 op/s  38.2 Mb/s  0 failed".
[[nodiscard]] std::string progress_text(const Snapshot& snapshot);

}  // namespace scalemark::app
