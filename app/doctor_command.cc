#include "app/doctor_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/text.h"
#include "app/web_plan_options.h"
#include "app/workload_options.h"
#include "study/run_search.h"
#include "study/web_workload.h"

namespace scalemark::app {
namespace {

using Level = PreflightFinding::Level;

constexpr const char* kDoctorExamples =
    "  scalemark doctor\n"
    "  scalemark doctor --url http://10.0.0.1/ --connections 5000\n";

const char* text_of(Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::warning:
      return "warning";
    case Level::refuse:
      return "refuse";
  }
  return "";
}

class DoctorCommand final : public Command {
 public:
  explicit DoctorCommand(Preflight preflight) : plan_(default_web_plan()), preflight_(std::move(preflight)) {}

  [[nodiscard]] CommandInfo info() const override {
    return {.words = "doctor",
            .table = "web",
            .summary = "check what a web run needs, without running it",
            .about =
                "Takes the options of 'scalemark web' and checks what that run would need: one request per "
                "class and server, descriptors, ports, clock. Without --url only this machine is checked. "
                "Ends with 0 when the run could begin, 1 when not.",
            .examples = kDoctorExamples,
            .by_place = {}};
  }
  [[nodiscard]] Settings settings() override {
    return with_search_settings(web::web_settings(plan_), of_search());
  }
  void apply(const std::vector<Given>& given) override {
    Settings search = of_search();
    apply_to_web_plan(plan_, take_given(search, given));
  }
  void check() const override {
    if (!plan_.urls.empty()) {
      web::check(plan_);
    }
  }

  int run(Console& console) override {
    const auto findings = preflight_(plan_);
    std::size_t widest = 0;
    for (const auto& finding : findings) {
      widest = std::max(widest, analysis::width_of(finding.name));
    }
    constexpr int kWidth = 100;
    for (const auto& finding : findings) {
      const std::string lead = fmt::format("{:<9}{:<{}}", text_of(finding.level), finding.name, widest + 2);
      console.out << analysis::wrapped(lead, finding.sentence, kWidth);
    }
    const bool refused = std::any_of(findings.begin(), findings.end(),
                                     [](const auto& finding) { return finding.level == Level::refuse; });
    return refused ? kExitCouldNotRun : kExitOk;
  }

 private:
  [[nodiscard]] Settings of_search() { return study::search_settings(search_, study::WebWorkload().words()); }

  web::WebPlan plan_;
  study::RunSearchPlan search_;  // a file for `web` may hold it; one run is checked
  Preflight preflight_;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command(Preflight preflight) {
  return std::make_unique<DoctorCommand>(std::move(preflight));
}

}  // namespace scalemark::app
