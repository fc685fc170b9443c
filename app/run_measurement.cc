#include "app/run_measurement.h"

#include <fmt/format.h>

#include "app/stop_signals.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/units.h"

namespace scalemark::app {
namespace {

/// "1:05" or "1:02:05".
std::string clock_text(Duration duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration).count();
  return seconds < 3600 ? fmt::format("{}:{:02}", seconds / 60, seconds % 60)
                        : fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

std::string progress_text(const Snapshot& now) {
  return fmt::format("iteration {}/{} {}  {} of {}  {} users  {:.0f} op/s  {}  {} failed", now.iteration,
                     now.iterations, now.phase, clock_text(now.elapsed), clock_text(now.planned), now.active,
                     now.operations_per_second, human_rate({now.bits_per_second}), now.failed);
}

RunHooks hooks_to(LiveLine& line) {
  return {.progress = [&line](const Snapshot& now) { line.show(progress_text(now)); },
          .notice = [&line](const std::string& sentence) { line.notice(sentence); },
          .stop = &StopSignals::stopped()};
}

int measure_and_write(const RunOutputs& outputs, Console& console,
                      const std::function<RunRecord(LiveLine&)>& measure) {
  check_outputs(outputs);
  const StopSignals signals;
  const SteadyClock clock;
  try {
    const RunRecord record = [&] {
      LiveLine line(console, clock);
      return measure(line);
    }();
    return write_outputs(record, outputs, console) ? exit_code_of(record.verdict.status) : kExitCouldNotRun;
  } catch (const RunError& error) {
    if (!StopSignals::stopped()) {
      throw;
    }
    console.err << "scalemark: interrupted: " << error.what() << "\n";
    return kExitInterrupted;  // before there was anything to record
  }
}

}  // namespace scalemark::app
