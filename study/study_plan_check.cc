// What a study's plan must not say, as far as no single setting can see it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/error.h"
#include "core/text.h"
#include "study/point.h"
#include "study/point_plan.h"
#include "study/study_plan.h"

namespace scalemark::study {
namespace {

constexpr std::size_t kLongestVariant = 80;
constexpr std::uint32_t kMostLoad = 1'000'000;

void refuse_if(bool fault, const std::string& sentence) {
  if (fault) {
    throw UsageError(sentence);
  }
}

void check_lists(const StudyPlan& plan) {
  refuse_if(plan.node_counts().empty(), "no number of nodes is named; write nodes = [1, 2, 4]");
  refuse_if(plan.routers.empty(), "no router is named; write routers = [\"dsr\"], or [\"none\"] for none");
  refuse_if(plan.loads.empty(), "no load is named; write load = \"search\" or load = [230, 240]");
  refuse_if(!plan.searches() && std::find(plan.loads.begin(), plan.loads.end(), "search") != plan.loads.end(),
            "load: 'search' stands alone; numbers cannot be mixed with it");
  if (!plan.searches()) {
    (void)plan.listed_loads();
  }
  for (const std::string& text : plan.nodes_of) {
    const std::string router = text.substr(0, text.rfind(':'));
    refuse_if(std::find(plan.routers.begin(), plan.routers.end(), router) == plan.routers.end(),
              fmt::format("nodes-of: '{}' is none of the routers ({}); name it there, too", router,
                          fmt::join(plan.routers, ", ")));
  }
}

/// Trials of two points must not be kept in one place.
void check_folders(const std::vector<PointSetup>& points) {
  std::map<std::string, std::string> known;
  for (const PointSetup& setup : points) {
    PointResult point;
    point.setup = setup;
    const auto [found, is_new] = known.emplace(point.folder(), point.name());
    refuse_if(!is_new && found->second == point.name(),
              fmt::format("the point '{}' is asked for twice; name each router once", point.name()));
    refuse_if(!is_new, fmt::format("the results of '{}' and '{}' would lie in one folder, '{}'; give a "
                                   "variant another name",
                                   found->second, point.name(), point.folder()));
  }
}

void check_emulated(const StudyPlan& plan, const std::vector<PointSetup>& points) {
  for (const PointSetup& point : points) {
    refuse_if(
        point.nodes > testbed::kMostNodes,
        fmt::format("nodes: {} is more than the {} that can be emulated", point.nodes, testbed::kMostNodes));
    testbed::ClusterPlan cluster = cluster_of(plan, point);
    if (cluster.service == testbed::ServiceKind::web && cluster.files.empty()) {
      cluster.files = "/";  // none named: the study makes a set
    }
    testbed::check(cluster);
  }
}

void check_own_service(const StudyPlan& plan) {
  const std::string table = plan.workload->words().command;
  refuse_if(plan.workload->aim().empty(),
            fmt::format("there is no service to measure; name it in the study file: [{}] {}", table,
                        plan.workload->aim_example()));
  refuse_if(plan.provider == Provider::command && plan.scale_command.empty(),
            "provider 'command' needs scale-command, as in scale-command = \"kubectl scale deploy/web "
            "--replicas={nodes}\"");
  refuse_if(plan.provider == Provider::fixed && plan.node_counts().size() > 1,
            "provider 'fixed' cannot change the number of nodes; name one, as in nodes = [4]");
  for (const Variant& variant : plan.variants) {
    refuse_if(!variant.cluster.empty(),
              fmt::format("variant '{}': only an emulated cluster has settings that can vary", variant.name));
  }
}

/// How many users the service knows: of a mail cluster, that of its accounts.
std::uint32_t most_load_of(const StudyPlan& plan, const PointSetup& point) {
  if (plan.provider != Provider::emulated || plan.service != testbed::ServiceKind::mail) {
    return kMostLoad;
  }
  return cluster_of(plan, point).mail.accounts;
}

void check_trial(const Workload& trial, const PointSetup& point) {
  try {
    trial.check();
  } catch (const UsageError& fault) {
    throw UsageError(point.variant.empty() ? fault.what()
                                           : fmt::format("variant '{}': {}", point.variant, fault.what()));
  }
}

/// A search fits its loads to the threads and servers that there are; those of a list stand as they are.
void check_loads(const StudyPlan& plan, const PointSetup& point) {
  const WorkloadWords& words = plan.workload->words();
  const std::uint32_t most = most_load_of(plan, point);
  const auto loads = plan.searches() ? std::vector<std::uint32_t>{plan.first_load()} : plan.listed_loads();
  for (const std::uint32_t per_node : loads) {
    const auto load = std::uint64_t{per_node} * point.nodes;
    refuse_if(!plan.searches() && load > most,
              most == kMostLoad
                  ? fmt::format("load: {} on {} are more than the {} that a trial can have; name lower loads "
                                "or fewer nodes",
                                counted(load, words.user), counted(point.nodes, "node"), most)
                  : fmt::format("load: {} on {} are more than the cluster's {} accounts; raise accounts in "
                                "[cluster], or name lower loads or fewer nodes",
                                counted(load, words.user), counted(point.nodes, "node"), most));
    AnyWorkload trial =
        trial_of(plan, point, static_cast<std::uint32_t>(std::min<std::uint64_t>(load, most)), false, {});
    if (plan.provider == Provider::emulated) {
      trial->aim_at_nowhere();
    }
    if (plan.searches()) {
      trial->set_load(std::max(trial->load(), trial->least_load()));
    }
    check_trial(*trial, point);
  }
}

void check_variants(const StudyPlan& plan) {
  for (const Variant& variant : plan.variants) {
    refuse_if(variant.name.empty(), "a variant has no name; write [variants.NAME]");
    refuse_if(
        variant.name.size() > kLongestVariant,
        fmt::format(
            "the variant '{}...' has a name of {} bytes, which is too long for its folder; {} are the most",
            variant.name.substr(0, 20), variant.name.size(), kLongestVariant));
  }
}

}  // namespace

void check(const StudyPlan& plan) {
  check_lists(plan);
  refuse_if(plan.precision < 0.001 || plan.precision > 0.5,
            "precision: a search can end at widths from 0.1% to 50%; try 1%");
  check_variants(plan);
  const auto points = plan.points();
  check_folders(points);
  if (plan.provider == Provider::emulated) {
    check_emulated(plan, points);
  } else {
    check_own_service(plan);
  }
  for (const PointSetup& point : points) {
    check_loads(plan, point);
  }
}

}  // namespace scalemark::study
