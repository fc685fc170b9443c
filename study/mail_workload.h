// Mail runs, as studies and searches see them. See study/workload.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mail_bench/mail_plan.h"
#include "study/workload.h"

namespace scalemark::study {

class MailWorkload final : public Workload {
 public:
  MailWorkload() = default;
  explicit MailWorkload(mail::MailPlan from) : plan(std::move(from)) {}

  [[nodiscard]] std::unique_ptr<Workload> clone() const override {
    return std::make_unique<MailWorkload>(*this);
  }
  [[nodiscard]] const WorkloadWords& words() const override;
  [[nodiscard]] Settings settings() override { return mail::mail_settings(plan); }
  void check() const override { mail::check(plan); }
  void take_profile(Profile profile) override;
  void find_files(const std::filesystem::path& folder) override;

  [[nodiscard]] std::uint32_t load() const override { return plan.users; }
  void set_load(std::uint32_t load) override { plan.users = load; }
  [[nodiscard]] std::uint32_t least_load() const override;
  /// Every user needs an account.
  [[nodiscard]] std::uint32_t most_load() const override;
  [[nodiscard]] std::uint32_t usual_load(const std::optional<BitsPerSecond>& node_link) const override;

  void aim_at(const Fronts& fronts) override;
  void complete_aim(const Fronts& fronts) override;
  void aim_at_nowhere() override { aim_at({{"127.0.0.1"}, "accounts"}); }
  [[nodiscard]] std::string aim() const override;
  [[nodiscard]] std::string aim_example() const override;

  void measure_once() override { plan.iterations = 1; }
  void set_phases(const PhaseLengths& phases) override { plan.phases = phases; }
  [[nodiscard]] const PhaseLengths& phases() const override { return plan.phases; }
  [[nodiscard]] std::uint32_t iterations() const override { return plan.iterations; }
  [[nodiscard]] Duration planned_time() const override;

  [[nodiscard]] std::vector<PreflightFinding> preflight() const override;
  [[nodiscard]] RunRecord run(const RunHooks& hooks) const override;

  mail::MailPlan plan;
};

/// The plan within a workload that is one of mail runs.
[[nodiscard]] mail::MailPlan& mail_plan(Workload& workload);
[[nodiscard]] const mail::MailPlan& mail_plan(const Workload& workload);

}  // namespace scalemark::study
