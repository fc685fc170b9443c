#include "app/workload_command.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "app/run_measurement.h"
#include "app/run_output.h"
#include "app/workload_options.h"
#include "core/error.h"
#include "core/setting_types.h"
#include "core/text.h"
#include "core/units.h"
#include "study/emulated_run.h"
#include "study/run_search.h"
#include "testbed/cluster.h"

namespace scalemark::app {
namespace {

/// The text of a setting that has one value; "" when it has none.
std::string text_of(Settings settings, const std::string& name) {
  const auto texts = find_setting(settings, name).get();
  return texts.empty() ? "" : texts.back();
}

class WorkloadCommand final : public Command {
 public:
  WorkloadCommand(CommandInfo info, study::AnyWorkload workload, WorkloadRunner runner)
      : info_(std::move(info)), workload_(std::move(workload)), runner_(std::move(runner)) {}

  [[nodiscard]] CommandInfo info() const override { return info_; }

  [[nodiscard]] Settings settings() override {
    Settings settings = with_search_settings(workload_->settings(), of_search());
    settings.insert(settings.begin(), of_testbed());
    return settings;
  }

  void apply(const std::vector<Given>& given) override {
    Settings own = of_search();
    own.push_back(of_testbed());
    apply_to_workload(*workload_, take_given(own, given));
    workload_->take_fronts_from_files();
    if (!testbed_.empty()) {
      join_testbed();
    }
  }

  void check() const override {
    study::check(search_);
    if (search_.search) {
      first_trial()->check();
    } else {
      workload_->check();
    }
  }

  int run(Console& console) override {
    const auto outputs = choose_outputs(workload_->words().command, text_of(workload_->settings(), "json"),
                                        text_of(workload_->settings(), "csv"), utc_now());
    return measure_and_write(outputs, console, [this](LiveLine& line) { return measure(line); });
  }

 private:
  [[nodiscard]] Settings of_search() { return study::search_settings(search_, workload_->words()); }
  [[nodiscard]] Setting of_testbed() {
    return text_setting("testbed",
                        "measure this cluster of 'scalemark testbed', from within its client's network",
                        "Target", testbed_, "NAME");
  }

  /// From here on runs are made in the cluster's client, and aim at the cluster unless told otherwise.
  void join_testbed() {
    const auto cluster = testbed::Cluster::find(testbed_);
    const std::string& kind = workload_->words().command;
    if (!cluster) {
      throw UsageError(
          fmt::format("--testbed: there is no cluster '{}'; 'scalemark testbed status' shows those there "
                      "are, 'scalemark testbed up {}' makes one",
                      testbed_, kind));
    }
    const std::string served = testbed::name_of(cluster->plan().service);
    if (served != kind) {
      throw UsageError(
          fmt::format("--testbed: the cluster '{0}' serves {1}; measure it with 'scalemark {1} "
                      "--testbed {0}'",
                      testbed_, served));
    }
    workload_->complete_aim(study::fronts_of(*cluster));
    runner_ = [cluster](const study::Workload& workload, const RunHooks& hooks) {
      return study::run_within(*cluster, workload, hooks);
    };
  }

  /// At what can be checked without looking into files.
  [[nodiscard]] study::AnyWorkload first_trial() const {
    study::AnyWorkload trial = study::trial_of(*workload_, {workload_->load(), false, ""});
    const std::uint32_t from = search_.from != 0 ? search_.from : workload_->load();
    trial->set_load(std::max(from, workload_->least_load()));
    return trial;
  }

  [[nodiscard]] std::string opening_text() const {
    return fmt::format("{} on {}, {} x {} measured, about {} in all",
                       counted(workload_->load(), workload_->words().user), workload_->aim(),
                       workload_->iterations(), format_duration(workload_->phases().window),
                       human_duration(workload_->planned_time()));
  }

  RunRecord measure(LiveLine& line) const {
    if (search_.search) {
      return run_search(*workload_, search_, runner_, line);
    }
    line.notice(opening_text());
    return runner_(*workload_, hooks_to(line));
  }

  CommandInfo info_;
  std::string testbed_;
  study::AnyWorkload workload_;
  study::RunSearchPlan search_;
  WorkloadRunner runner_;
};

}  // namespace

std::unique_ptr<Command> make_workload_command(CommandInfo info, study::AnyWorkload workload,
                                               WorkloadRunner runner) {
  return std::make_unique<WorkloadCommand>(std::move(info), std::move(workload), std::move(runner));
}

RunRecord run_workload(const study::Workload& workload, const RunHooks& hooks) {
  return workload.run(hooks);
}

}  // namespace scalemark::app
