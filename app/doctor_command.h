// `scalemark doctor`: what a run needs, checked without running it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/command.h"
#include "web_bench/run.h"

namespace scalemark::app {

/// What does the checking: web::preflight, or a stand-in.
using Preflight = std::function<std::vector<PreflightFinding>(const web::WebPlan&)>;

[[nodiscard]] std::unique_ptr<Command> make_doctor_command(Preflight preflight = web::preflight);

}  // namespace scalemark::app
