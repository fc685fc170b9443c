#include "study/emulated_run.h"

#include <optional>
#include <string>
#include <vector>

#include "core/record_json.h"
#include "study/measured_trial.h"

namespace scalemark::study {
namespace {

/// The text of one of the cluster's settings, as records have it.
Json setting_text(testbed::ClusterPlan plan, const std::string& name) {
  return settings_json(testbed::cluster_settings(plan)).at(name);
}

Json rate_json(const std::optional<BitsPerSecond>& rate) {
  return rate ? json_number(rate->value) : Json(nullptr);
}

}  // namespace

Fronts fronts_of(const testbed::Cluster& cluster) {
  Fronts fronts;
  if (cluster.plan().router != testbed::RouterKind::none) {
    fronts.hosts = {cluster.topology().vip};
    return fronts;
  }
  for (std::uint32_t number = 1; number <= cluster.plan().nodes; ++number) {
    fronts.hosts.push_back(cluster.topology().node(number).address);
  }
  return fronts;
}

Json description_of(const testbed::ClusterPlan& plan) {
  Json json;
  json["provider"] = "emulated";
  json["nodes"] = plan.nodes;
  json["router"] = setting_text(plan, "router");
  json["server"] = setting_text(plan, "server");
  json["spread"] = setting_text(plan, "spread");
  json["node_link_bits_per_second"] = rate_json(plan.node_link);
  json["router_link_bits_per_second"] =
      plan.router == testbed::RouterKind::none ? Json(nullptr) : rate_json(plan.router_link);
  json["node_cpu_share"] = plan.node_cpu ? json_number(*plan.node_cpu) : Json(nullptr);
  return json;
}

RunRecord run_within(const testbed::Cluster& cluster, const Workload& workload, const RunHooks& hooks) {
  testbed::ClusterMeter meter = cluster.meter();
  cluster.enter_client();
  std::vector<testbed::ClusterSnapshot> snapshots = {meter.snapshot()};
  RunHooks metered = hooks;
  metered.progress = [&](const Snapshot& now) {
    snapshots.push_back(meter.snapshot());
    if (hooks.progress) {
      hooks.progress(now);
    }
  };
  RunRecord record = workload.run(metered);
  snapshots.push_back(meter.settled_snapshot());
  record.cluster = cluster_json(description_of(cluster.plan()), record.iterations, snapshots);
  return record;
}

}  // namespace scalemark::study
