#include "app/web_command.h"

#include <fmt/format.h>

#include <utility>

#include "app/web_plan_options.h"
#include "app/web_search_run.h"
#include "core/error.h"
#include "core/run_record.h"
#include "core/setting_types.h"
#include "study/emulated_run.h"
#include "testbed/cluster.h"

namespace scalemark::app {
namespace {

constexpr const char* kTestbed = "testbed";

constexpr const char* kWebExamples =
    "  scalemark web --url http://10.0.0.1/ --connections 200\n"
    "  scalemark web --url http://10.0.0.1/ --url http://10.0.0.2/ --profile full --json full.json\n"
    "  scalemark web --url https://10.0.0.1/ --engine curl --http 2 --insecure\n"
    "  scalemark web --url http://10.0.0.1/ --require 'conforming>=95%' --require 'ttfb_p99<50ms'\n"
    "  scalemark web --url http://10.0.0.1/ --search --search-from 200\n"
    "  scalemark web --testbed web --connections 400\n"
    "  scalemark web --config web.toml --print-plan\n";

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
        .examples = kWebExamples,
        .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    Settings settings = web_and_search_settings(plan_, search_);
    settings.insert(settings.begin(), testbed_setting());
    return settings;
  }
  void apply(const std::vector<Given>& given) override {
    std::vector<Given> rest = given;
    if (const Given* named = find_given(given, kTestbed); named != nullptr) {
      testbed_setting().set(named->texts);
      std::erase_if(rest, [](const Given& entry) { return entry.name == kTestbed; });
    }
    apply_to_web_plan(plan_, search_, rest);
    if (!testbed_.empty()) {
      join_testbed();
    }
  }
  void check() const override {
    study::check(search_);
    web::check(search_.search ? web_plan_of_first_trial() : plan_);
  }

  int run(Console& console) override {
    return measure_and_write(choose_outputs("web", plan_.json, plan_.csv, utc_now()), console,
                             [this](LiveLine& line) { return measure(line); });
  }

 private:
  [[nodiscard]] Setting testbed_setting() {
    return text_setting(kTestbed,
                        "measure this cluster of 'scalemark testbed', from within its client's network",
                        "Target", testbed_, "NAME");
  }

  /// From here on runs are made in the cluster's client, and aim at the cluster unless URLs say otherwise.
  void join_testbed() {
    const auto cluster = testbed::Cluster::find(testbed_);
    if (!cluster) {
      throw UsageError(
          fmt::format("--testbed: there is no cluster '{}'; 'scalemark testbed status' shows those there "
                      "are, 'scalemark testbed up web' makes one",
                      testbed_));
    }
    if (cluster->plan().service != testbed::ServiceKind::web) {
      throw UsageError(fmt::format("--testbed: the cluster '{}' is one of {} servers", testbed_,
                                   testbed::name_of(cluster->plan().service)));
    }
    if (plan_.urls.empty()) {
      plan_.urls = cluster->urls();
    }
    runner_ = [cluster](const web::WebPlan& plan, const RunHooks& hooks) {
      return study::run_within(*cluster, plan, hooks);
    };
  }

  [[nodiscard]] web::WebPlan web_plan_of_first_trial() const {
    return study::trial_plan(plan_, {study::search_plan(plan_, search_).start, true, ""});
  }

  RunRecord measure(LiveLine& line) const {
    if (search_.search) {
      return run_search(plan_, search_, runner_, line);
    }
    line.notice(opening_text(plan_));
    return runner_(plan_, hooks_to(line));
  }

  std::string testbed_;
  web::WebPlan plan_;
  study::WebSearchPlan search_;
  WebRunner runner_;
};

}  // namespace

std::unique_ptr<Command> make_web_command() {
  return make_web_command(web::run);
}

std::unique_ptr<Command> make_web_command(WebRunner runner) {
  return std::make_unique<WebCommand>(std::move(runner));
}

}  // namespace scalemark::app
