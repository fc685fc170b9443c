// `scalemark web`: one web run, from its options to its exit code.
#pragma once

#include <functional>
#include <memory>

#include "app/command.h"
#include "app/run_measurement.h"
#include "core/run_record.h"
#include "web_bench/run.h"

namespace scalemark::app {

/// What does the measuring: web::run, or a stand-in.
using WebRunner = std::function<RunRecord(const web::WebPlan&, const RunHooks&)>;

[[nodiscard]] std::unique_ptr<Command> make_web_command();
[[nodiscard]] std::unique_ptr<Command> make_web_command(WebRunner runner);

}  // namespace scalemark::app
