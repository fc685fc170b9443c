#include "study/web_workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "web_bench/request_source.h"
#include "web_bench/run.h"

namespace scalemark::study {
namespace {

constexpr std::uint32_t kMostConnections = 1'000'000;
constexpr std::uint32_t kUnknownCapacity = 100;
constexpr double kPayloadShare = 0.95;  // of a link; the rest is the network's own heads

}  // namespace

const WorkloadWords& WebWorkload::words() const {
  static const WorkloadWords words = {.command = "web",
                                      .control = "connections",
                                      .user = "connection",
                                      .score_unit = "conforming connections",
                                      .score_is_part = true};
  return words;
}

void WebWorkload::take_profile(Profile profile) {
  plan.profile = profile == Profile::quick ? web::Profile::quick : web::Profile::full;
  web::apply_profile(plan, plan.profile);
}

void WebWorkload::find_files(const std::filesystem::path& folder) {
  if (!plan.urls_file.empty() && std::filesystem::exists(folder / plan.urls_file)) {
    plan.urls_file = (folder / plan.urls_file).string();
  }
}

void WebWorkload::take_fronts_from_files() {
  web::take_server_from_list(plan);
}

std::uint32_t WebWorkload::least_load() const {
  return std::max({1U, plan.threads, static_cast<std::uint32_t>(plan.urls.size())});
}

std::uint32_t WebWorkload::most_load() const {
  return kMostConnections;
}

std::uint32_t WebWorkload::usual_load(const std::optional<BitsPerSecond>& node_link) const {
  if (!node_link) {
    return kUnknownCapacity;
  }
  return std::max(1U, static_cast<std::uint32_t>(kPayloadShare * node_link->value / plan.line_speed.value));
}

void WebWorkload::aim_at(const Fronts& fronts) {
  if (fronts.hosts.empty()) {
    return;
  }
  plan.urls.clear();
  for (const std::string& host : fronts.hosts) {
    plan.urls.push_back(fmt::format("http://{}/", host));
  }
}

void WebWorkload::complete_aim(const Fronts& fronts) {
  if (plan.urls.empty()) {
    aim_at(fronts);
  }
}

std::string WebWorkload::aim() const {
  return fmt::format("{}", fmt::join(plan.urls, ", "));
}

Duration WebWorkload::planned_time() const {
  return web::planned_time(plan);
}

std::vector<PreflightFinding> WebWorkload::preflight() const {
  return web::preflight(plan);
}

RunRecord WebWorkload::run(const RunHooks& hooks) const {
  return web::run(plan, hooks);
}

web::WebPlan& web_plan(Workload& workload) {
  return dynamic_cast<WebWorkload&>(workload).plan;
}

const web::WebPlan& web_plan(const Workload& workload) {
  return dynamic_cast<const WebWorkload&>(workload).plan;
}

}  // namespace scalemark::study
