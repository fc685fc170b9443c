#include "study/own_service_provider.h"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "study/measured_trial.h"
#include "study/point_plan.h"
#include "testbed/process.h"

namespace scalemark::study {
namespace {

constexpr Duration kBetweenHealthChecks = std::chrono::seconds(1);

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// The last line of what a command said, of its complaints first.
std::string last_words(const testbed::RunResult& result) {
  const std::string words = last_line(result.err.empty() ? result.out : result.err);
  return words.empty() ? "it said nothing" : words;
}

class OwnServiceProvider final : public ClusterProvider {
 public:
  OwnServiceProvider(StudyPlan plan, std::filesystem::path folder)
      : plan_(std::move(plan)), folder_(std::move(folder)) {}

  Fronts prepare(const PointSetup& point, const std::atomic<bool>& stop) override {
    point_ = point;
    if (plan_.provider == Provider::command) {
      const std::string command = command_for(plan_.scale_command, point);
      const auto result = testbed::run({"/bin/sh", "-c", command});
      if (result.code != 0) {
        throw RunError(
            fmt::format("scale-command ended with {}: {} ({})", result.code, last_words(result), command));
      }
    }
    wait_until_healthy(stop);
    return {};
  }

  RunRecord run(const Workload& trial, const std::atomic<bool>& stop) override {
    Json description;
    description["provider"] = plan_.provider == Provider::command ? "command" : "fixed";
    description["nodes"] = point_.nodes;
    description["router"] = point_.router;
    for (const char* unknown :
         {"server", "node_link_bits_per_second", "router_link_bits_per_second", "node_cpu_share"}) {
      description[unknown] = nullptr;
    }
    return run_measured({.workload = trial,
                         .netns = "",
                         .folder = folder_,
                         .meter = testbed::ClusterMeter(testbed::MeterPlan{}),
                         .description = description},
                        stop);
  }

 private:
  /// Throws RunError with what was wrong last when it takes too long.
  void wait_until_healthy(const std::atomic<bool>& stop) const {
    const SteadyClock clock;
    const TimePoint deadline = clock.now() + plan_.health_timeout;
    for (std::string fault = complaint(); !fault.empty(); fault = complaint()) {
      if (stop) {
        throw RunError("interrupted while the service was waited for");
      }
      if (clock.now() + kBetweenHealthChecks > deadline) {
        throw RunError(
            fmt::format("the service was not ready within {}: {}; give it more time with health-timeout",
                        human_duration(plan_.health_timeout), fault));
      }
      std::this_thread::sleep_for(kBetweenHealthChecks);
    }
  }

  /// What keeps the service from being measured; "" when nothing does.
  [[nodiscard]] std::string complaint() const {
    if (!plan_.health_command.empty()) {
      const auto result = testbed::run({"/bin/sh", "-c", command_for(plan_.health_command, point_)});
      if (result.code != 0) {
        return fmt::format("health-command ended with {}: {}", result.code, last_words(result));
      }
    }
    try {
      AnyWorkload one = workload_of(plan_, point_);
      one->set_load(one->least_load());
      for (const PreflightFinding& finding : one->preflight()) {
        if (finding.level == PreflightFinding::Level::refuse) {
          return finding.sentence;
        }
      }
    } catch (const RunError& fault) {
      return fault.what();
    }
    return "";
  }

  StudyPlan plan_;
  std::filesystem::path folder_;
  PointSetup point_;
};

}  // namespace

std::string command_for(std::string command, const PointSetup& point) {
  replace_all(command, "{nodes}", fmt::format("{}", point.nodes));
  replace_all(command, "{router}", point.router);  // last: nothing in it is replaced
  return command;
}

std::unique_ptr<ClusterProvider> make_own_service_provider(const StudyPlan& plan,
                                                           const std::filesystem::path& folder) {
  return std::make_unique<OwnServiceProvider>(plan, folder);
}

}  // namespace scalemark::study
