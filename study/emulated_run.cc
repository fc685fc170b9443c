#include "study/emulated_run.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "core/record_json.h"
#include "study/measured_trial.h"
#include "testbed/mail_accounts.h"

namespace scalemark::study {
namespace {

/// The text of one of the cluster's settings, as records have it.
Json setting_text(testbed::ClusterPlan plan, const std::string& name) {
  return settings_json(testbed::cluster_settings(plan)).at(name);
}

Json rate_json(const std::optional<BitsPerSecond>& rate) {
  return rate ? json_number(rate->value) : Json(nullptr);
}

Json share_json(const std::optional<double>& share) {
  return share ? json_number(*share) : Json(nullptr);
}

}  // namespace

Fronts fronts_of(const testbed::Cluster& cluster) {
  const bool mail = cluster.plan().service == testbed::ServiceKind::mail;
  return {cluster.fronts(), mail ? testbed::accounts_file(cluster.plan().name).string() : ""};
}

Json description_of(const testbed::ClusterPlan& plan) {
  Json json;
  json["provider"] = "emulated";
  json["service"] = testbed::name_of(plan.service);
  json["nodes"] = plan.nodes;
  json["router"] = plan.has_router() ? setting_text(plan, "router") : Json("none");
  if (plan.service == testbed::ServiceKind::web) {
    json["server"] = setting_text(plan, "server");
  }
  json["spread"] = setting_text(plan, "spread");
  json["node_link_bits_per_second"] = rate_json(plan.node_link);
  // The proxies' links are the router's.
  json["router_link_bits_per_second"] =
      plan.has_router() || plan.proxies() > 0 ? rate_json(plan.router_link) : Json(nullptr);
  json["node_cpu_share"] = share_json(plan.node_cpu);
  if (plan.service == testbed::ServiceKind::mail) {
    json["proxy"] = setting_text(plan, "proxy");
    json["proxies"] = plan.proxies();
    json["proxy_cpu_share"] = plan.proxies() > 0 ? share_json(plan.mail.proxy_cpu) : Json(nullptr);
    json["accounts"] = plan.mail.accounts;
    json["delivery"] = setting_text(plan, "delivery");
  }
  return json;
}

void void_if_damaged(const std::string& damage, const std::string& advice, RunRecord& record) {
  if (damage.empty()) {
    return;
  }
  auto& reasons = record.verdict.reasons;
  reasons.insert(reasons.begin(), damage + advice);
  if (record.verdict.status != Status::interrupted) {
    record.verdict.status = Status::void_run;
  }
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
  void_if_damaged(cluster.damage(),
                  fmt::format("; 'scalemark testbed up {} --name {}' makes the cluster anew",
                              testbed::name_of(cluster.plan().service), cluster.plan().name),
                  record);
  return record;
}

}  // namespace scalemark::study
