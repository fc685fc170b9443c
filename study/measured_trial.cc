#include "study/measured_trial.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/file_text.h"
#include "core/text.h"
#include "study/generator_process.h"

namespace scalemark::study {
namespace {

constexpr Duration kBetweenSnapshots = std::chrono::milliseconds(500);
constexpr std::size_t kMostComplaint = 500;  // characters of a generator's last words

std::string last_words(const std::filesystem::path& log) {
  const std::string text = last_line(file_text(log));
  return text.size() > kMostComplaint ? text.substr(text.size() - kMostComplaint) : text;
}

TimePoint instant(const Json& seconds) {
  return TimePoint(
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds.get<double>())));
}

}  // namespace

Json cluster_json(Json description, const Json& iterations,
                  const std::vector<testbed::ClusterSnapshot>& snapshots) {
  Json cluster = std::move(description);
  cluster["iterations"] = Json::array();
  for (const Json& iteration : iterations) {
    const Json& opened = iteration.at("opened_monotonic_seconds");
    const Json& closed = iteration.at("closed_monotonic_seconds");
    if (opened.is_number() && closed.is_number()) {
      Json figures;
      figures["number"] = iteration.at("number");
      figures.update(testbed::difference_json(testbed::at(snapshots, instant(opened)),
                                              testbed::at(snapshots, instant(closed))));
      cluster["iterations"].push_back(std::move(figures));
    }
  }
  cluster["run"] = testbed::difference_json(snapshots.front(), snapshots.back());
  return cluster;
}

RunRecord printed_record(const std::string& output, int exit_code, const std::filesystem::path& log) {
  if (output.empty()) {
    const std::string words = last_words(log);
    throw RunError(fmt::format("the generator ended with {} and left no record: {}", exit_code,
                               words.empty() ? "it said nothing" : words));
  }
  try {
    return record_from_json(Json::parse(output));
  } catch (const Json::parse_error&) {
    throw RunError(fmt::format("the generator ended with {} and left half a record", exit_code));
  } catch (const UsageError& fault) {
    throw RunError(fmt::format("the generator's record cannot be understood: {}", fault.what()));
  }
}

RunRecord run_measured(TrialSetup setup, const std::atomic<bool>& stop) {
  const std::filesystem::path log = setup.folder / "trial.log";
  std::vector<testbed::ClusterSnapshot> snapshots = {setup.meter.snapshot()};
  GeneratorProcess generator(arguments_of(*setup.workload), setup.netns, log);
  bool told = false;
  while (!generator.wait(kBetweenSnapshots)) {
    snapshots.push_back(setup.meter.snapshot());
    if (stop && !told) {
      generator.interrupt();
      told = true;
    }
  }
  snapshots.push_back(setup.meter.settled_snapshot());
  RunRecord record = printed_record(generator.output(), generator.exit_code(), log);
  record.cluster = cluster_json(std::move(setup.description), record.iterations, snapshots);
  return record;
}

}  // namespace scalemark::study
