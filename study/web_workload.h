// Web runs, as studies and searches see them. See study/workload.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/workload.h"
#include "web_bench/web_plan.h"

namespace scalemark::study {

class WebWorkload final : public Workload {
 public:
  WebWorkload() = default;
  explicit WebWorkload(web::WebPlan from) : plan(std::move(from)) {}

  [[nodiscard]] std::unique_ptr<Workload> clone() const override {
    return std::make_unique<WebWorkload>(*this);
  }
  [[nodiscard]] const WorkloadWords& words() const override;
  [[nodiscard]] Settings settings() override { return web::web_settings(plan); }
  void check() const override { web::check(plan); }
  void take_profile(Profile profile) override;
  void find_files(const std::filesystem::path& folder) override;
  void take_fronts_from_files() override;

  [[nodiscard]] std::uint32_t load() const override { return plan.connections; }
  void set_load(std::uint32_t load) override { plan.connections = load; }
  [[nodiscard]] std::uint32_t least_load() const override;
  [[nodiscard]] std::uint32_t most_load() const override;
  [[nodiscard]] std::uint32_t usual_load(const std::optional<BitsPerSecond>& node_link) const override;

  void aim_at(const Fronts& fronts) override;
  void complete_aim(const Fronts& fronts) override;
  void aim_at_nowhere() override { plan.urls = {"http://127.0.0.1/"}; }
  [[nodiscard]] std::string aim() const override;
  [[nodiscard]] std::string aim_example() const override { return R"(url = "http://...")"; }

  void measure_once() override { plan.iterations = 1; }
  void set_phases(const PhaseLengths& phases) override { plan.phases = phases; }
  [[nodiscard]] const PhaseLengths& phases() const override { return plan.phases; }
  [[nodiscard]] std::uint32_t iterations() const override { return plan.iterations; }
  [[nodiscard]] Duration planned_time() const override;

  [[nodiscard]] std::vector<PreflightFinding> preflight() const override;
  [[nodiscard]] RunRecord run(const RunHooks& hooks) const override;

  web::WebPlan plan;
};

/// The plan within a workload that is one of web runs.
[[nodiscard]] web::WebPlan& web_plan(Workload& workload);
[[nodiscard]] const web::WebPlan& web_plan(const Workload& workload);

}  // namespace scalemark::study
