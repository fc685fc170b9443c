#include "testbed/cluster_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/setting_types.h"

namespace scalemark::testbed {
namespace {

constexpr const char* kNodes = "Nodes";
constexpr const char* kRouter = "Router";
constexpr const char* kCluster = "Cluster";
constexpr std::size_t kLongestName = 8;  // an interface or namespace name must stay short
constexpr double kLeastShare = 0.01;     // the kernel gives no less than 1 ms in 100 ms

/// A setting whose text may also be "none".
template <typename Value>
Setting optional_setting(const std::function<Setting(Value&)>& make, std::optional<Value>& field) {
  Value shape{};
  Setting setting =
      make(shape);  // for its name and words; what it is bound to does not outlive this function
  setting.set = [make, &field](const std::vector<std::string>& texts) {
    if (!texts.empty() && texts.back() == "none") {
      field.reset();
      return;
    }
    Value value{};
    make(value).set(texts);
    field = value;
  };
  setting.get = [make, &field] {
    if (!field) {
      return std::vector<std::string>{"none"};
    }
    Value value = *field;
    return make(value).get();
  };
  return setting;
}

Setting link_setting(const std::string& name, const std::string& help, const std::string& group,
                     std::optional<BitsPerSecond>& field) {
  return optional_setting<BitsPerSecond>(
      [=](BitsPerSecond& rate) { return rate_setting(name, help, group, rate); }, field);
}

bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
}

void check_rate(const char* name, const std::optional<BitsPerSecond>& rate) {
  constexpr double kLeastRate = 10e3;
  constexpr double kMostRate = 100e9;
  if (rate && (rate->value < kLeastRate || rate->value > kMostRate)) {
    throw UsageError(fmt::format("{}: a link can have 10kbit to 100gbit, not {}", name, format_rate(*rate)));
  }
}

}  // namespace

Settings cluster_settings(ClusterPlan& plan) {
  return {
      text_setting("name", "name of the cluster: up to 8 small letters and digits", kCluster, plan.name,
                   "NAME"),
      text_setting("files", "folder that every node serves; it holds file_set/", kCluster, plan.files, "DIR"),
      count_setting("nodes", "how many servers", kNodes, plan.nodes, 1, kMostNodes),
      choice_setting<ServerKind>(
          "server", "what serves on each node", kNodes, plan.server,
          {{"nginx", ServerKind::nginx}, {"apache", ServerKind::apache}, {"builtin", ServerKind::builtin}}),
      link_setting("node-link", "speed of each node's network card, each way; none: no limit", kNodes,
                   plan.node_link),
      optional_setting<double>(
          [](double& share) {
            return share_setting("node-cpu", "share of one processor that each node may use; none: no limit",
                                 kNodes, share);
          },
          plan.node_cpu),
      choice_setting<RouterKind>("router",
                                 "how requests find a node: direct server return, address translation, "
                                 "HAProxy, or not at all (clients know the nodes)",
                                 kRouter, plan.router,
                                 {{"dsr", RouterKind::dsr},
                                  {"nat", RouterKind::nat},
                                  {"haproxy", RouterKind::haproxy},
                                  {"none", RouterKind::none}}),
      choice_setting<Spread>("spread", "how a direct-return router spreads connections", kRouter, plan.spread,
                             {{"round-robin", Spread::round_robin}, {"hash", Spread::hash}}),
      choice_setting<Forwarding>(
          "forwarding", "what routes in the kernel; auto takes IPVS where there is one", kRouter,
          plan.forwarding,
          {{"auto", Forwarding::automatic}, {"nftables", Forwarding::nftables}, {"ipvs", Forwarding::ipvs}}),
      link_setting("router-link", "speed of the router's network card, each way; none: no limit", kRouter,
                   plan.router_link),
  };
}

void check(const ClusterPlan& plan) {
  if (plan.name.empty() || plan.name.size() > kLongestName ||
      !std::all_of(plan.name.begin(), plan.name.end(), is_name_letter)) {
    throw UsageError(
        fmt::format("--name: '{}' is no name for a cluster; take 1 to {} small letters and digits", plan.name,
                    kLongestName));
  }
  if (plan.nodes < 1 || plan.nodes > kMostNodes) {
    throw UsageError(fmt::format("--nodes: a cluster has 1 to {} nodes, not {}", kMostNodes, plan.nodes));
  }
  if (plan.files.empty()) {
    throw UsageError("no folder is named; say what the nodes serve, as in --files /srv/www");
  }
  check_rate("--node-link", plan.node_link);
  check_rate("--router-link", plan.router_link);
  if (plan.node_cpu && (*plan.node_cpu < kLeastShare || *plan.node_cpu > 1)) {
    throw UsageError(fmt::format("--node-cpu: a node can have {:.0f} % to 100 % of a processor, not {:g} %",
                                 kLeastShare * 100, *plan.node_cpu * 100));
  }
  if (plan.forwarding == Forwarding::ipvs && plan.router != RouterKind::dsr &&
      plan.router != RouterKind::nat) {
    throw UsageError("--forwarding ipvs goes with --router dsr or nat only");
  }
}

}  // namespace scalemark::testbed
