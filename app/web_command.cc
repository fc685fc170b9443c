#include "app/web_command.h"

#include <utility>

#include "app/workload_command.h"
#include "study/web_workload.h"

namespace scalemark::app {
namespace {

constexpr const char* kWebExamples =
    "  scalemark web --url http://10.0.0.1/ --connections 200\n"
    "  scalemark web --url http://10.0.0.1/ --url http://10.0.0.2/ --profile full --json full.json\n"
    "  scalemark web --url https://10.0.0.1/ --engine curl --http 2 --insecure\n"
    "  scalemark web --url http://10.0.0.1/ --require 'conforming>=95%' --require 'ttfb_p99<50ms'\n"
    "  scalemark web --url http://10.0.0.1/ --search --search-from 200\n"
    "  scalemark web --testbed web --connections 400\n"
    "  scalemark web --config web.toml --print-plan\n";

CommandInfo web_info() {
  return {.words = "web",
          .table = "web",
          .summary = "measure how many paced web connections a service carries",
          .about =
              "Simulates users on slow lines who fetch files without pause, and counts the connections that "
              "hold the conforming rate over the measured window. Times are written as 20s, 250ms or 5m, "
              "rates as 400kbit or 100mbit (k = 1000), shares as 95% or 0.95; [ ] holds the default.",
          .examples = kWebExamples,
          .by_place = {}};
}

}  // namespace

std::unique_ptr<Command> make_web_command() {
  return make_workload_command(web_info(), study::make_workload(testbed::ServiceKind::web), run_workload);
}

std::unique_ptr<Command> make_web_command(WebRunner runner) {
  return make_workload_command(
      web_info(), study::make_workload(testbed::ServiceKind::web),
      [runner = std::move(runner)](const study::Workload& workload, const RunHooks& hooks) {
        return runner(study::web_plan(workload), hooks);
      });
}

}  // namespace scalemark::app
