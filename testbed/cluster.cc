#include "testbed/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "testbed/cluster_meter.h"
#include "testbed/cluster_parts.h"
#include "testbed/cluster_router.h"
#include "testbed/holder.h"
#include "testbed/needs.h"
#include "testbed/netns.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kHealthPatience = std::chrono::seconds(5);
// A router that remembers connections knows a port for so long after its connection has ended.
constexpr Duration kRouterForgets = std::chrono::seconds(4);
constexpr Duration kLookAgain = std::chrono::milliseconds(200);

ClusterPlan settled(ClusterPlan plan) {
  check(plan);
  std::error_code error;
  const auto files = std::filesystem::canonical(plan.files, error);
  if (error || !std::filesystem::is_directory(files)) {
    throw UsageError(fmt::format("--files: '{}' is no folder; 'scalemark files web --out {}' makes one",
                                 plan.files, plan.files));
  }
  plan.files = files.string();
  return plan;
}

/// Whether the plans differ in nothing but the number of nodes.
bool same_shape(ClusterPlan a, ClusterPlan b) {
  a.nodes = b.nodes;
  return settings_json(cluster_settings(a)) == settings_json(cluster_settings(b));
}

Forwarding forwarding_of(const ClusterPlan& plan, Privilege privilege) {
  const bool by_kernel = plan.router == RouterKind::dsr || plan.router == RouterKind::nat;
  if (!by_kernel) {
    return Forwarding::nftables;
  }
  // Not tried without root: the module may have to be loaded.
  return effective_forwarding(plan.forwarding, privilege == Privilege::root && ipvs_available());
}

void require(const ClusterPlan& plan, Forwarding forwarding, const MachineFacts& machine) {
  const auto sentences = missing(plan, forwarding, machine);
  if (!sentences.empty()) {
    throw RunError(fmt::format("{}", fmt::join(sentences, "; ")));
  }
}

/// Moves into the cluster's namespaces and says what is wrong with it; "" nothing.
std::string join_and_inspect(const ClusterState& state) {
  if (state.boot != boot_identity()) {
    return "the machine was started again";
  }
  if (state.stage != ClusterStage::up) {
    return "another command is at work on it, or was killed";
  }
  if (state.holder) {
    if (!alive(*state.holder)) {
      return "the process that held its namespaces has gone";
    }
    join_holder(*state.holder);
  }
  return damage(state);
}

void build(ClusterState& state, const Topology& topology, const Notice& notice) {
  const ClusterPlan& plan = state.plan;
  const NodeRange nodes{1, plan.nodes};
  auto names = common_namespaces(topology, plan.router);
  const auto of_nodes = node_namespaces(topology, nodes);
  names.insert(names.end(), of_nodes.begin(), of_nodes.end());
  say(notice, fmt::format("making {} network namespaces", names.size()));
  make_namespaces(state, names);
  make_cgroups(state, topology, nodes);
  make_common_network(plan, topology);
  make_node_network(plan, topology, nodes);
  say(notice, fmt::format("starting {} servers", plan.nodes));
  start_services(state, topology, nodes, true);
  set_up_router(state, topology, plan.nodes);
  say(notice, "asking every node for a file");
  await_nodes(state, topology, nodes, kFirstAnswerWithin);
  cap_nodes(state, topology, nodes);
  await_router(state, topology, kFirstAnswerWithin);
  state.stage = ClusterStage::up;
  write_state(state);
}

/// Undoes an attempt. The attempt's own failure is what the caller goes on to report, so a second one is only
/// mentioned: the state file stays then, and `down` can try again.
void undo(const std::function<void()>& how, const std::string& name, const Notice& notice) {
  try {
    how();
  } catch (const RunError& error) {
    try {
      say(notice,
          fmt::format("what was made is still there ({}); 'scalemark testbed down --name {}' removes it",
                      error.what(), name));
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody to tell
    }
  }
}

/// Looks at what the plan needs, so that nothing is made - or taken down for it - where it cannot be had.
struct Prospect {
  Privilege privilege = Privilege::none;
  Forwarding forwarding = Forwarding::nftables;
};

Prospect look_ahead(const ClusterPlan& plan) {
  const MachineFacts machine = look_at_machine(plan);
  const Prospect prospect{machine.privilege, forwarding_of(plan, machine.privilege)};
  require(plan, prospect.forwarding, machine);
  return prospect;
}

ClusterState build_new(const ClusterPlan& plan, const Prospect& prospect, const Notice& notice) {
  ClusterState state;
  state.plan = plan;
  state.boot = boot_identity();
  state.forwarding = prospect.forwarding;
  const Topology topology = topology_of(plan.name);
  try {
    if (prospect.privilege == Privilege::user_namespace) {
      start_holder([&state](const ProcessId& holder) {
        state.holder = holder;
        write_state(state);
      });
    }
    build(state, topology, notice);
  } catch (...) {
    undo([&] { take_down(state, {}); }, plan.name, notice);
    throw;
  }
  return state;
}

void grow(ClusterState& state, const Topology& topology, std::uint32_t nodes, const Notice& notice) {
  const std::uint32_t before = state.plan.nodes;
  const NodeRange added{before + 1, nodes};
  say(notice, fmt::format("nodes: {} to {}", before, nodes));
  state.stage = ClusterStage::changing;
  try {
    make_namespaces(state, node_namespaces(topology, added));
    make_cgroups(state, topology, added);
    make_node_network(state.plan, topology, added);
    start_services(state, topology, added, false);
    await_nodes(state, topology, added, kFirstAnswerWithin);
    cap_nodes(state, topology, added);
    change_router(state, topology, {before, before}, {nodes, nodes});
    state.plan.nodes = nodes;
    await_router(state, topology, kFirstAnswerWithin);
  } catch (...) {
    undo(
        [&] {
          if (state.plan.nodes != before) {
            state.plan.nodes = before;
            change_router(state, topology, {nodes, nodes}, {before, before});
          }
          remove_nodes(state, topology, added, {});
          state.stage = ClusterStage::up;
          write_state(state);
        },
        state.plan.name, notice);
    throw;
  }
  state.stage = ClusterStage::up;
  write_state(state);
}

bool remembers_connections(const ClusterPlan& plan) {
  return plan.router == RouterKind::dsr && plan.spread == Spread::round_robin;
}

/// Waits until no connection is left on the nodes, for kDrainTime at most.
void drain(const ClusterState& state, const Topology& topology, NodeRange nodes) {
  const auto begin = std::chrono::steady_clock::now();
  const auto until = begin + Cluster::kDrainTime;
  const auto not_before = remembers_connections(state.plan) ? begin + kRouterForgets : begin;
  const auto names = node_namespaces(topology, nodes);
  for (auto now = begin; now < until; now = std::chrono::steady_clock::now()) {
    const bool busy = std::any_of(names.begin(), names.end(), [](const std::string& netns) {
      return open_connections(netns, kServicePort) > 0;
    });
    if (!busy && now >= not_before) {
      return;
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

void shrink(ClusterState& state, const Topology& topology, std::uint32_t nodes, const Notice& notice) {
  const std::uint32_t before = state.plan.nodes;
  const NodeRange going{nodes + 1, before};
  say(notice,
      fmt::format("nodes: {} to {}, when the connections of those that go have ended", before, nodes));
  state.stage = ClusterStage::changing;
  write_state(state);
  change_router(state, topology, {before, before}, {nodes, before});
  drain(state, topology, going);
  change_router(state, topology, {nodes, before}, {nodes, nodes});
  state.plan.nodes = nodes;
  remove_nodes(state, topology, going, notice);
  await_router(state, topology, kFirstAnswerWithin);
  state.stage = ClusterStage::up;
  write_state(state);
}

void change_nodes(ClusterState& state, const Topology& topology, std::uint32_t nodes, const Notice& notice) {
  if (nodes == state.plan.nodes) {
    say(notice, fmt::format("the cluster '{}' stands already", state.plan.name));
  } else if (nodes > state.plan.nodes) {
    grow(state, topology, nodes, notice);
  } else {
    shrink(state, topology, nodes, notice);
  }
}

}  // namespace

Cluster::Cluster(ClusterState state) : state_(std::move(state)), topology_(topology_of(state_.plan.name)) {}

Cluster Cluster::up(const ClusterPlan& wanted, const Notice& notice) {
  const ClusterPlan plan = settled(wanted);
  const ClusterLock lock(plan.name);
  auto known = read_state(plan.name);
  std::string trouble = known ? join_and_inspect(*known) : "";
  if (known && trouble.empty() && same_shape(known->plan, plan)) {
    Cluster cluster(*known);
    try {
      cluster.check_health();
    } catch (const RunError& error) {
      trouble = error.what();
    }
    if (trouble.empty()) {
      change_nodes(cluster.state_, cluster.topology_, plan.nodes, notice);
      return cluster;
    }
  }
  const Prospect prospect = look_ahead(plan);
  if (known) {
    say(notice, fmt::format("the cluster '{}' is made anew: {}", plan.name,
                            trouble.empty() ? "the one that stands is of another kind" : trouble));
    take_down(*known, notice);
  }
  return Cluster(build_new(plan, prospect, notice));
}

std::optional<Cluster> Cluster::find(const std::string& name) {
  auto known = read_state(name);
  if (!known) {
    return std::nullopt;
  }
  if (const std::string trouble = join_and_inspect(*known); !trouble.empty()) {
    throw RunError(fmt::format(
        "the cluster '{0}' cannot be used: {1}; 'scalemark testbed down --name {0}' clears it away", name,
        trouble));
  }
  return Cluster(std::move(*known));
}

std::vector<std::string> Cluster::names() {
  return known_clusters();
}

bool Cluster::down(const std::string& name, const Notice& notice) {
  if (!leaves_traces(name)) {
    return false;
  }
  const ClusterLock lock(name);
  const auto known = read_state(name);
  if (!known) {  // killed before anything was claimed
    forget_state(name);
    return false;
  }
  take_down(*known, notice);
  return true;
}

std::vector<std::string> Cluster::urls() const {
  if (state_.plan.router != RouterKind::none) {
    return {fmt::format("http://{}/", topology_.vip)};
  }
  std::vector<std::string> urls;
  for (std::uint32_t i = 1; i <= state_.plan.nodes; ++i) {
    urls.push_back(fmt::format("http://{}/", topology_.node(i).address));
  }
  return urls;
}

void Cluster::check_health() const {
  await_nodes(state_, topology_, {1, state_.plan.nodes}, kHealthPatience);
  await_router(state_, topology_, kHealthPatience);
}

ClusterMeter Cluster::meter() const {
  MeterPlan meter;
  meter.switch_netns = topology_.switch_ns;
  meter.client_port = topology_.client_port;
  for (std::uint32_t i = 1; i <= state_.plan.nodes; ++i) {
    const NodePlace node = topology_.node(i);
    const ServiceSetup setup = setup_node(
        state_.plan.server, node, cluster_folder(state_.plan.name) / node.name, state_.plan.files, "");
    const ServiceRecord* service = state_.service(node.name);
    meter.nodes.push_back({.name = node.name,
                           .port = node.port,
                           .access_log = setup.access_log,
                           .log_format = setup.log_format,
                           .session = service == nullptr ? 0 : service->process.pid,
                           .cgroup = service == nullptr ? "" : service->cgroup});
  }
  if (state_.plan.router != RouterKind::none) {
    const ServiceRecord* proxy = state_.service("router");
    const bool by_nft = proxy == nullptr && state_.forwarding == Forwarding::nftables;
    meter.router = {.port = topology_.router_port,
                    .session = proxy == nullptr ? 0 : proxy->process.pid,
                    .cgroup = {},
                    .counter_netns = by_nft ? topology_.router_ns : ""};
  }
  return ClusterMeter(meter);
}

void Cluster::enter_client() const {
  enter(topology_.client_ns);
}

}  // namespace scalemark::testbed
