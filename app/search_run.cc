#include "app/search_run.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "app/run_measurement.h"
#include "app/stop_signals.h"
#include "core/text.h"

namespace scalemark::app {
namespace {

std::string begin_text(std::uint32_t number, const study::Try& trial, const std::string& user) {
  return fmt::format("trial {}: {} with {} ({})", number, trial.confirming ? "confirming" : "probing",
                     counted(trial.load, user), trial.why);
}

std::string end_text(std::uint32_t number, const RunRecord& record) {
  const std::string score = std::isfinite(record.score.value)
                                ? fmt::format(", {:.0f} {}", record.score.value, record.score.unit)
                                : "";
  return fmt::format("trial {}: {}{}", number, name_of(record.verdict.status), score);
}

}  // namespace

std::string search_opening_text(const study::Workload& workload, const study::RunSearchPlan& search) {
  const study::SearchTime time = study::planned_time(workload, search);
  return fmt::format(
      "searching from {} on {}: usually {} of {} and a confirming one of {}, about {} in all and {} at most",
      counted(study::search_plan(workload, search).start, workload.words().user), workload.aim(),
      counted(time.trials.usual_probes, "probing trial"), human_duration(time.probe),
      human_duration(time.confirmation), human_duration(time.usual), human_duration(time.most));
}

RunRecord run_search(const study::Workload& workload, const study::RunSearchPlan& search,
                     const WorkloadRunner& runner, LiveLine& line) {
  line.notice(search_opening_text(workload, search));
  std::uint32_t trial = 0;
  std::set<std::string> said;  // every trial's preflight has the same to say
  const RunHooks hooks{
      .progress =
          [&](const Snapshot& now) { line.show(fmt::format("trial {} {}", trial, progress_text(now))); },
      .notice =
          [&](const std::string& sentence) {
            if (said.insert(sentence).second) {
              line.notice(sentence);
            }
          },
      .stop = &StopSignals::stopped()};
  return study::search_run(workload, search,
                           {.run = [&](const study::Workload& one) { return runner(one, hooks); },
                            .begin =
                                [&](std::uint32_t number, const study::Try& step) {
                                  trial = number;
                                  line.notice(begin_text(number, step, workload.words().user));
                                },
                            .end = [&](const RunRecord& record) { line.notice(end_text(trial, record)); },
                            .stop = &StopSignals::stopped()});
}

}  // namespace scalemark::app
