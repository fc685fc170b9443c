#include "study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/setting_types.h"
#include "core/units.h"
#include "study/point_plan.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kMostCount = 100'000;
constexpr std::uint32_t kMostTrials = 1000;
constexpr Duration kLongest = 168h;
/// What a search takes as a rule: probes for a good first guess, and a confirmation that holds.
constexpr int kUsualProbes = 6;
/// Setting nodes up, the machine's own start of a generator, and what a drain takes.
constexpr Duration kPerPoint = 3s;
constexpr Duration kPerTrial = 2s;

std::uint32_t small(std::string_view text, std::string_view what) {
  return static_cast<std::uint32_t>(parse_count(text, what, 1, kMostCount));
}

void add_points(Settings& to, StudyPlan& plan) {
  constexpr const char* kGroup = "Points";
  to.push_back(choice_setting<Provider>(
      "provider",
      "where nodes come from: emulated on this machine, set by a command of yours, or fixed as they are",
      kGroup, plan.provider,
      {{"emulated", Provider::emulated}, {"command", Provider::command}, {"fixed", Provider::fixed}}));
  to.push_back(
      texts_setting("nodes", "numbers of nodes to measure, or ranges such as 1-8", kGroup, plan.nodes, "N"));
  to.push_back(texts_setting("routers",
                             "what stands before the nodes, each is measured: dsr, nat, haproxy or none; "
                             "before mail nodes the proxy: nginx, dovecot or none, nginx-2 for two of them",
                             kGroup, plan.routers, "KIND"));
  to.push_back(texts_setting("nodes-of",
                             "numbers of nodes of one of the routers instead of those in nodes, as in "
                             "nginx-2:8",
                             kGroup, plan.nodes_of, "KIND:N"));
  to.push_back(flag_setting("base", "also measure one node without a router, which theory starts from",
                            kGroup, plan.base));
  to.push_back(text_setting("scale-command",
                            "provider command: sets the number of nodes, {nodes} and {router} replaced",
                            kGroup, plan.scale_command, "COMMAND"));
  to.push_back(text_setting("health-command", "ends with 0 when the service is ready; tried until it does",
                            kGroup, plan.health_command, "COMMAND"));
  to.push_back(duration_setting("health-timeout", "how long the service may take to become ready", kGroup,
                                plan.health_timeout, 1s, kLongest));
}

void add_load(Settings& to, StudyPlan& plan) {
  constexpr const char* kGroup = "Load";
  to.push_back(
      texts_setting("load",
                    "'search' for the highest that passes, or connections (mail: users) per node, one or "
                    "several",
                    kGroup, plan.loads, "LOAD"));
  to.push_back(share_setting("precision", "relative width at which a search ends", kGroup, plan.precision));
  to.push_back(count_setting("trials", "most trials of a search, the first confirmation included", kGroup,
                             plan.trials, 2, kMostTrials));
  to.push_back(count_setting("confirmations", "most confirming trials of a search", kGroup,
                             plan.confirmations, 1, kMostTrials));
  to.push_back(count_setting(
      "start",
      "connections (mail: users) per node that a search begins with; 0 takes what the node's link carries "
      "(mail: 12)",
      kGroup, plan.start, 0, kMostCount));
  to.push_back(duration_setting("probe-ramp-up", "ramp-up of a probing trial", kGroup, plan.probe.ramp_up, 0s,
                                kLongest));
  to.push_back(duration_setting("probe-warm-up", "warm-up of a probing trial", kGroup, plan.probe.warm_up, 0s,
                                kLongest));
  to.push_back(duration_setting("probe-window", "measured time of a probing trial", kGroup, plan.probe.window,
                                1ms, kLongest));
}

void add_disturbance(Settings& to, StudyPlan& plan) {
  constexpr const char* kGroup = "Disturbance";
  to.push_back(share_setting("most-stolen",
                             "share of the processors' time that the host may take away in a trial", kGroup,
                             plan.most_stolen));
  to.push_back(share_setting("most-foreign",
                             "share of the processors' time that other programs may take in a trial", kGroup,
                             plan.most_foreign));
  to.push_back(
      count_setting("repeats", "how often a disturbed trial is repeated", kGroup, plan.repeats, 0, 100));
}

/// Takes "3" or "1-8".
void take_counts(const std::string& text, std::set<std::uint32_t>& counts) {
  const auto dash = text.find('-');
  if (dash == std::string::npos) {
    counts.insert(small(text, "nodes"));
    return;
  }
  const std::uint32_t first = small(text.substr(0, dash), "nodes");
  const std::uint32_t last = small(text.substr(dash + 1), "nodes");
  if (first > last) {
    throw UsageError(fmt::format("nodes: '{}' counts backwards; write {}-{}", text, last, first));
  }
  for (std::uint32_t count = first; count <= last; ++count) {
    counts.insert(count);
  }
}

/// Where "nginx-2:8" parts.
std::size_t colon_in(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    throw UsageError(
        fmt::format("nodes-of: '{}' has not the form ROUTER:NODES, as in nginx-2:8 or nat:1-4", text));
  }
  return colon;
}

/// Each point once for every variant, or once when there are none.
void add_variants(const StudyPlan& plan, PointSetup point, std::vector<PointSetup>& to) {
  if (plan.variants.empty()) {
    to.push_back(std::move(point));
    return;
  }
  for (const Variant& variant : plan.variants) {
    point.variant = variant.name;
    to.push_back(point);
  }
}

}  // namespace

std::vector<std::uint32_t> StudyPlan::node_counts() const {
  std::set<std::uint32_t> counts;
  for (const std::string& text : nodes) {
    take_counts(text, counts);
  }
  return {counts.begin(), counts.end()};
}

std::vector<std::uint32_t> StudyPlan::node_counts(const std::string& router) const {
  std::set<std::uint32_t> counts;
  for (const std::string& text : nodes_of) {
    const auto colon = colon_in(text);
    if (text.substr(0, colon) == router) {
      take_counts(text.substr(colon + 1), counts);
    }
  }
  return counts.empty() ? node_counts() : std::vector<std::uint32_t>(counts.begin(), counts.end());
}

std::vector<PointSetup> StudyPlan::points() const {
  std::vector<PointSetup> all;
  const bool with_base = base && provider == Provider::emulated;
  if (with_base) {
    add_variants(*this, {"none", 1, true}, all);
  }
  for (const std::string& router : routers) {
    for (const std::uint32_t count : node_counts(router)) {
      // Without a router one node is the base already.
      if (!(router == "none" && count == 1 && with_base)) {
        add_variants(*this, {router, count, false}, all);
      }
    }
  }
  return all;
}

std::vector<std::uint32_t> StudyPlan::listed_loads() const {
  std::vector<std::uint32_t> numbers;
  for (const std::string& text : loads) {
    numbers.push_back(small(text, "load"));
  }
  return numbers;
}

std::uint32_t StudyPlan::first_load() const {
  return start != 0 ? start
                    : workload->usual_load(provider == Provider::emulated ? cluster.node_link : std::nullopt);
}

void take_service(StudyPlan& plan, testbed::ServiceKind service) {
  const bool mail = service == testbed::ServiceKind::mail;
  plan.service = service;
  plan.workload = make_workload(service);
  plan.routers = {mail ? "nginx" : "dsr"};
  plan.cluster = testbed::default_cluster(service);
}

Settings study_settings(StudyPlan& plan) {
  constexpr const char* kGroup = "Study";
  Settings settings;
  settings.push_back(choice_setting<testbed::ServiceKind>(
      "service", "what is measured; a file with the table [mail] means mail unless it says so here", kGroup,
      plan.service, {{"web", testbed::ServiceKind::web}, {"mail", testbed::ServiceKind::mail}}));
  settings.push_back(choice_setting<Profile>(
      "profile",
      "which lengths count: those of [study.quick] and [web.quick], or of [study.full] and [web.full]",
      kGroup, plan.profile, {{"quick", Profile::quick}, {"full", Profile::full}}));
  settings.push_back(
      count_setting("directories",
                    "web: directories of the file set that is made when [cluster] names no folder; 0: as "
                    "many as [web] draws from",
                    kGroup, plan.directories, 0, kMostCount));
  settings.push_back(
      text_setting("out",
                   "folder of the results; what a study there has measured already is kept. Without "
                   "it the study file's name with -quick or -full",
                   kGroup, plan.out, "DIR"));
  add_points(settings, plan);
  add_load(settings, plan);
  add_disturbance(settings, plan);
  return settings;
}

Duration planned_time(const StudyPlan& plan) {
  Duration all{};
  for (const PointSetup& point : plan.points()) {
    const Duration full = trial_of(plan, point, 1, false, {})->planned_time() + kPerTrial;
    const Duration probe = trial_of(plan, point, 1, true, {})->planned_time() + kPerTrial;
    const auto listed = static_cast<std::int64_t>(plan.loads.size());
    all += kPerPoint + (plan.searches() ? kUsualProbes * probe + full : listed * full);
  }
  return all;
}

}  // namespace scalemark::study
