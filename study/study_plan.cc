#include "study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/setting_types.h"
#include "core/units.h"
#include "study/web_search.h"
#include "web_bench/run.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kMostCount = 100'000;
constexpr std::uint32_t kMostTrials = 1000;
constexpr std::uint32_t kMostConnections = 1'000'000;
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
                             "what stands before the nodes: dsr, nat, haproxy or none; each is measured",
                             kGroup, plan.routers, "KIND"));
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
  to.push_back(texts_setting("load",
                             "'search' for the highest that passes, or connections per node, one or several",
                             kGroup, plan.loads, "LOAD"));
  to.push_back(share_setting("precision", "relative width at which a search ends", kGroup, plan.precision));
  to.push_back(count_setting("trials", "most trials of a search, the first confirmation included", kGroup,
                             plan.trials, 2, kMostTrials));
  to.push_back(count_setting("confirmations", "most confirming trials of a search", kGroup,
                             plan.confirmations, 1, kMostTrials));
  to.push_back(count_setting(
      "start", "connections per node that a search begins with; 0 takes what the node's link carries", kGroup,
      plan.start, 0, kMostCount));
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

void refuse_if(bool fault, const std::string& sentence) {
  if (fault) {
    throw UsageError(sentence);
  }
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
  refuse_if(first > last, fmt::format("nodes: '{}' counts backwards; write {}-{}", text, last, first));
  for (std::uint32_t count = first; count <= last; ++count) {
    counts.insert(count);
  }
}

void check_provider(const StudyPlan& plan) {
  if (plan.provider == Provider::emulated) {
    for (const PointSetup& point : plan.points()) {
      testbed::ClusterPlan cluster = plan.cluster;
      cluster.files = cluster.files.empty() ? "/" : cluster.files;  // none named: the study makes a set
      Settings settings = testbed::cluster_settings(cluster);
      find_setting(settings, "router").set({point.router});
      cluster.nodes = point.nodes;
      refuse_if(point.nodes > testbed::kMostNodes,
                fmt::format("nodes: {} is more than the {} that can be emulated", point.nodes,
                            testbed::kMostNodes));
      testbed::check(cluster);
    }
    return;
  }
  refuse_if(plan.web.urls.empty(),
            "there is no service to measure; name it in the study file: [web] url = \"http://...\"");
  refuse_if(plan.provider == Provider::command && plan.scale_command.empty(),
            "provider 'command' needs scale-command, as in scale-command = \"kubectl scale deploy/web "
            "--replicas={nodes}\"");
  refuse_if(plan.provider == Provider::fixed && plan.node_counts().size() > 1,
            "provider 'fixed' cannot change the number of nodes; name one, as in nodes = [4]");
}

/// A search fits its loads to the threads and servers that there are; those of a list stand as they are.
void check_trials(const StudyPlan& plan) {
  const auto points = plan.points();
  const auto fewer_nodes = [](const PointSetup& a, const PointSetup& b) { return a.nodes < b.nodes; };
  const auto [least, most] = std::minmax_element(points.begin(), points.end(), fewer_nodes);
  std::vector<std::uint32_t> loads = {plan.first_load()};
  if (!plan.searches()) {
    loads = plan.listed_loads();
    const auto highest = std::uint64_t{*std::max_element(loads.begin(), loads.end())} * most->nodes;
    refuse_if(highest > kMostConnections,
              fmt::format("load: {} connections on {} nodes are more than the {} that a trial can have; name "
                          "lower loads or fewer nodes",
                          highest, most->nodes, kMostConnections));
  }
  for (const std::uint32_t load : loads) {
    web::WebPlan trial = trial_plan(plan, load * least->nodes, false, {"http://127.0.0.1/"});
    if (plan.provider != Provider::emulated) {
      trial.urls = plan.web.urls;
    }
    if (plan.searches()) {
      trial.connections = std::max(trial.connections, least_load(trial));
    }
    web::check(trial);
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

std::vector<PointSetup> StudyPlan::points() const {
  std::vector<PointSetup> all;
  if (base && provider == Provider::emulated) {
    all.push_back({"none", 1, true});
  }
  for (const std::string& router : routers) {
    for (const std::uint32_t count : node_counts()) {
      // Without a router one node is the base already.
      if (!(router == "none" && count == 1 && !all.empty() && all.front().base)) {
        all.push_back({router, count, false});
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
  if (start != 0) {
    return start;
  }
  constexpr std::uint32_t kUnknown = 100;
  if (provider != Provider::emulated || !cluster.node_link) {
    return kUnknown;
  }
  // Some 5 % of a link is not payload.
  return std::max(1U, static_cast<std::uint32_t>(0.95 * cluster.node_link->value / web.line_speed.value));
}

Settings study_settings(StudyPlan& plan) {
  Settings settings;
  settings.push_back(choice_setting<web::Profile>(
      "profile",
      "which lengths count: those of [study.quick] and [web.quick], or of [study.full] and [web.full]",
      "Study", plan.profile, {{"quick", web::Profile::quick}, {"full", web::Profile::full}}));
  settings.push_back(
      count_setting("directories",
                    "directories of the file set that is made when [cluster] names no folder; 0: as "
                    "many as [web] draws from",
                    "Study", plan.directories, 0, kMostCount));
  settings.push_back(
      text_setting("out",
                   "folder of the results; what a study there has measured already is kept. Without "
                   "it the study file's name with -quick or -full",
                   "Study", plan.out, "DIR"));
  add_points(settings, plan);
  add_load(settings, plan);
  add_disturbance(settings, plan);
  return settings;
}

void check(const StudyPlan& plan) {
  refuse_if(plan.node_counts().empty(), "no number of nodes is named; write nodes = [1, 2, 4]");
  refuse_if(plan.routers.empty(), "no router is named; write routers = [\"dsr\"], or [\"none\"] for none");
  refuse_if(plan.loads.empty(), "no load is named; write load = \"search\" or load = [230, 240]");
  refuse_if(!plan.searches() && std::find(plan.loads.begin(), plan.loads.end(), "search") != plan.loads.end(),
            "load: 'search' stands alone; numbers cannot be mixed with it");
  if (!plan.searches()) {
    (void)plan.listed_loads();
  }
  refuse_if(plan.precision < 0.001 || plan.precision > 0.5,
            "precision: a search can end at widths from 0.1% to 50%; try 1%");
  check_provider(plan);
  check_trials(plan);
}

web::WebPlan trial_plan(const StudyPlan& plan, std::uint32_t connections, bool probing,
                        const std::vector<std::string>& urls) {
  web::WebPlan trial = plan.web;
  trial.connections = connections;
  trial.urls = urls;
  if (probing) {
    trial.phases = plan.probe;
    trial.iterations = 1;
  }
  return trial;
}

Duration planned_time(const StudyPlan& plan) {
  const Duration full = web::planned_time(trial_plan(plan, 1, false, {})) + kPerTrial;
  const Duration probe = web::planned_time(trial_plan(plan, 1, true, {})) + kPerTrial;
  const auto points = static_cast<std::int64_t>(plan.points().size());
  const auto listed = static_cast<std::int64_t>(plan.loads.size());
  return points * (kPerPoint + (plan.searches() ? kUsualProbes * probe + full : listed * full));
}

}  // namespace scalemark::study
