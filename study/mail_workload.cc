#include "study/mail_workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "mail_bench/preflight.h"
#include "mail_bench/run.h"

namespace scalemark::study {
namespace {

constexpr std::uint32_t kUsualUsers = 12;  // per node: more find the mail servers of a node busy already
constexpr std::uint16_t kSmtpPort = 25;
constexpr std::uint16_t kPop3Port = 110;
constexpr std::size_t kMostUsers = 1'000'000;

}  // namespace

const WorkloadWords& MailWorkload::words() const {
  static const WorkloadWords words = {.command = "mail",
                                      .control = "users",
                                      .user = "user",
                                      .score_unit = "operations per hour",
                                      .score_is_part = false};
  return words;
}

void MailWorkload::take_profile(Profile profile) {
  plan.profile = profile == Profile::quick ? mail::Profile::quick : mail::Profile::full;
  mail::apply_profile(plan, plan.profile);
}

void MailWorkload::find_files(const std::filesystem::path& folder) {
  for (std::string* name : {&plan.accounts_file, &plan.corpus, &plan.ca_file}) {
    if (!name->empty() && std::filesystem::exists(folder / *name)) {
      *name = (folder / *name).string();
    }
  }
}

std::uint32_t MailWorkload::least_load() const {
  return static_cast<std::uint32_t>(
      std::max({std::size_t{1}, std::size_t{plan.threads}, plan.smtp.size(), plan.pop3.size()}));
}

std::uint32_t MailWorkload::most_load() const {
  return static_cast<std::uint32_t>(std::min(kMostUsers, mail::all_accounts(plan).size()));
}

std::uint32_t MailWorkload::usual_load(const std::optional<BitsPerSecond>& /*node_link*/) const {
  return kUsualUsers;
}

void MailWorkload::aim_at(const Fronts& fronts) {
  if (!fronts.hosts.empty()) {
    plan.smtp.clear();
    plan.pop3.clear();
  }
  if (!fronts.accounts.empty()) {
    plan.accounts_file.clear();
    plan.addresses.clear();
    plan.passwords.clear();
  }
  complete_aim(fronts);
}

void MailWorkload::complete_aim(const Fronts& fronts) {
  const auto complete = [&fronts](std::vector<std::string>& servers, std::uint16_t port) {
    if (servers.empty()) {
      for (const std::string& host : fronts.hosts) {
        servers.push_back(fmt::format("{}:{}", host, port));
      }
    }
  };
  complete(plan.smtp, kSmtpPort);
  complete(plan.pop3, kPop3Port);
  if (plan.accounts_file.empty() && plan.addresses.empty()) {
    plan.accounts_file = fronts.accounts;
  }
}

std::string MailWorkload::aim() const {
  if (plan.smtp.empty() || plan.pop3.empty()) {
    return "";
  }
  return fmt::format("SMTP {} and POP3 {}", fmt::join(plan.smtp, ", "), fmt::join(plan.pop3, ", "));
}

std::string MailWorkload::aim_example() const {
  return R"(smtp = "10.0.0.1:25", pop3 = "10.0.0.1:110" and accounts = "accounts.txt")";
}

Duration MailWorkload::planned_time() const {
  return mail::planned_time(plan);
}

std::vector<PreflightFinding> MailWorkload::preflight() const {
  return mail::prepare(plan).findings;
}

RunRecord MailWorkload::run(const RunHooks& hooks) const {
  return mail::run(plan, hooks);
}

mail::MailPlan& mail_plan(Workload& workload) {
  return dynamic_cast<MailWorkload&>(workload).plan;
}

const mail::MailPlan& mail_plan(const Workload& workload) {
  return dynamic_cast<const MailWorkload&>(workload).plan;
}

}  // namespace scalemark::study
