#include "study/measured_trial.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "study/generator_process.h"

namespace scalemark::study {
namespace {

constexpr Duration kBetweenSnapshots = std::chrono::milliseconds(500);
constexpr std::size_t kMostComplaint = 500;  // characters of a generator's last words

std::string last_words(const std::filesystem::path& log) {
  std::ifstream file(log);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text = last_line(std::move(text));
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

RunRecord run_measured(TrialSetup setup, const std::atomic<bool>& stop) {
  const std::filesystem::path record_file = setup.folder / "trial.json";
  const std::filesystem::path log = setup.folder / "trial.log";
  std::error_code ignored;
  std::filesystem::remove(record_file, ignored);  // an earlier trial's must not be taken for this one's
  std::vector<testbed::ClusterSnapshot> snapshots = {setup.meter.snapshot()};
  GeneratorProcess generator(web_arguments(setup.plan, record_file), setup.netns, log);
  bool told = false;
  while (!generator.wait(kBetweenSnapshots)) {
    snapshots.push_back(setup.meter.snapshot());
    if (stop && !told) {
      generator.interrupt();
      told = true;
    }
  }
  snapshots.push_back(setup.meter.settled_snapshot());
  if (!std::filesystem::exists(record_file)) {
    throw RunError(fmt::format("the generator ended with {} and left no record: {}", generator.exit_code(),
                               last_words(log)));
  }
  RunRecord record = read_record(record_file);
  record.cluster = cluster_json(std::move(setup.description), record.iterations, snapshots);
  std::filesystem::remove(record_file, ignored);
  return record;
}

}  // namespace scalemark::study
