#include "app/web_command.h"

#include <fmt/format.h>

#include <utility>

#include "app/stop_signals.h"
#include "app/terminal.h"
#include "app/web_output.h"
#include "app/web_plan_options.h"
#include "core/error.h"
#include "core/run_record.h"

namespace scalemark::app {
namespace {

constexpr const char* kExamples =
    "  scalemark web --url http://10.0.0.1/ --connections 200\n"
    "  scalemark web --url http://10.0.0.1/ --url http://10.0.0.2/ --profile full --json full.json\n"
    "  scalemark web --url https://10.0.0.1/ --engine curl --http 2 --insecure\n"
    "  scalemark web --url http://10.0.0.1/ --require 'conforming>=95%' --require 'ttfb_p99<50ms'\n"
    "  scalemark web --config web.toml --print-plan\n";

/// "1:05" or "1:02:05".
std::string clock_text(Duration duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration).count();
  return seconds < 3600 ? fmt::format("{}:{:02}", seconds / 60, seconds % 60)
                        : fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string opening_text(const web::WebPlan& plan) {
  return fmt::format("{} connections on {}, {} x {} measured, about {} in all", plan.connections,
                     fmt::join(plan.urls, ", "), plan.iterations, format_duration(plan.phases.window),
                     human_duration(web::planned_time(plan)));
}

class WebCommand final : public Command {
 public:
  explicit WebCommand(WebRunner runner) : plan_(default_web_plan()), runner_(std::move(runner)) {}

  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "web",
        .table = "web",
        .summary = "measure how many paced web connections a service carries",
        .about =
            "Simulates users on slow lines who fetch files without pause, and counts the connections that "
            "hold the conforming rate over the measured window. Times are written as 20s, 250ms or 5m, "
            "rates as 400kbit or 100mbit (k = 1000), shares as 95% or 0.95; [ ] holds the default.",
        .examples = kExamples,
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override { return web::web_settings(plan_); }
  void apply(const std::vector<Given>& given) override { apply_to_web_plan(plan_, given); }
  void check() const override { web::check(plan_); }

  int run(Console& console) override {
    const WebOutputs outputs = choose_outputs(plan_, utc_now());
    check_outputs(outputs);
    const StopSignals signals;
    try {
      const RunRecord record = measure(console);
      return write_outputs(record, outputs, console) ? exit_code_of(record.verdict.status) : kExitCouldNotRun;
    } catch (const RunError& error) {
      if (!StopSignals::stopped()) {
        throw;
      }
      console.err << "scalemark: interrupted: " << error.what() << "\n";
      return kExitInterrupted;  // before there was anything to record
    }
  }

 private:
  RunRecord measure(Console& console) const {
    const SteadyClock clock;
    LiveLine line(console, clock);
    line.notice(opening_text(plan_));
    return runner_(plan_, {.progress = [&line](const Snapshot& now) { line.show(progress_text(now)); },
                           .notice = [&line](const std::string& sentence) { line.notice(sentence); },
                           .stop = &StopSignals::stopped()});
  }

  web::WebPlan plan_;
  WebRunner runner_;
};

}  // namespace

std::unique_ptr<Command> make_web_command() {
  return make_web_command(web::run);
}

std::unique_ptr<Command> make_web_command(WebRunner runner) {
  return std::make_unique<WebCommand>(std::move(runner));
}

std::string progress_text(const Snapshot& now) {
  return fmt::format("iteration {}/{} {}  {} of {}  {} users  {:.0f} op/s  {}  {} failed", now.iteration,
                     now.iterations, now.phase, clock_text(now.elapsed), clock_text(now.planned), now.active,
                     now.operations_per_second, human_rate({now.bits_per_second}), now.failed);
}

}  // namespace scalemark::app
