#include "study/point_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/units.h"

namespace scalemark::study {
namespace {

/// The variant of that point, null when the study has none.
const Variant* variant_of(const StudyPlan& plan, const PointSetup& point) {
  if (point.variant.empty()) {
    return nullptr;
  }
  const auto found = std::find_if(plan.variants.begin(), plan.variants.end(),
                                  [&point](const Variant& variant) { return variant.name == point.variant; });
  if (found == plan.variants.end()) {
    throw UsageError(fmt::format("the study has no variant '{}'", point.variant));
  }
  return &*found;
}

/// Takes "none", "nginx", "dovecot", and "nginx-2" for two of them.
void take_proxy(const std::string& word, testbed::MailPart& mail) {
  const auto dash = word.find('-');
  const std::string kind = word.substr(0, dash);
  if (kind == "nginx") {
    mail.proxy = testbed::ProxyKind::nginx;
  } else if (kind == "dovecot") {
    mail.proxy = testbed::ProxyKind::dovecot;
  } else if (word == "none") {
    mail.proxy = testbed::ProxyKind::none;
  } else {
    throw UsageError(fmt::format(
        "routers: '{}' stands before no mail nodes; it is nginx, dovecot or none, or nginx-2 for two proxies",
        word));
  }
  mail.proxies = dash == std::string::npos
                     ? 1
                     : static_cast<std::uint32_t>(
                           parse_count(word.substr(dash + 1), "routers: proxies", 2, testbed::kMostProxies));
}

}  // namespace

AnyWorkload workload_of(const StudyPlan& plan, const PointSetup& point) {
  AnyWorkload workload = plan.workload;
  if (const Variant* variant = variant_of(plan, point); variant != nullptr) {
    apply_overrides(workload->settings(), variant->workload);
  }
  return workload;
}

AnyWorkload trial_of(const StudyPlan& plan, const PointSetup& point, std::uint32_t load, bool probing,
                     const Fronts& fronts) {
  AnyWorkload trial = workload_of(plan, point);
  trial->set_load(load);
  trial->aim_at(fronts);
  if (probing) {
    trial->set_phases(plan.probe);
    trial->measure_once();
  }
  return trial;
}

testbed::ClusterPlan cluster_of(const StudyPlan& plan, const PointSetup& point) {
  testbed::ClusterPlan cluster = plan.cluster;
  if (const Variant* variant = variant_of(plan, point); variant != nullptr) {
    apply_overrides(testbed::cluster_settings(cluster), variant->cluster);
  }
  cluster.nodes = point.nodes;
  if (plan.service == testbed::ServiceKind::mail) {
    take_proxy(point.router, cluster.mail);
    if (point.nodes == 1) {
      cluster.mail.skew = 0;  // one node has all mailboxes
    }
  } else {
    Settings settings = testbed::cluster_settings(cluster);
    find_setting(settings, "router").set({point.router});
  }
  return cluster;
}

std::vector<std::string> point_settings(testbed::ServiceKind service) {
  return service == testbed::ServiceKind::mail ? std::vector<std::string>{"nodes", "proxy", "proxies"}
                                               : std::vector<std::string>{"nodes", "router"};
}

}  // namespace scalemark::study
