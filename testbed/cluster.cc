#include "testbed/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "testbed/cluster_health.h"
#include "testbed/cluster_meter.h"
#include "testbed/cluster_parts.h"
#include "testbed/cluster_places.h"
#include "testbed/cluster_router.h"
#include "testbed/holder.h"
#include "testbed/needs.h"
#include "testbed/netns.h"
#include "testbed/network.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kHealthPatience = std::chrono::seconds(5);
// A router that remembers connections knows a port for so long after its connection has ended.
constexpr Duration kRouterForgets = std::chrono::seconds(4);
constexpr Duration kLookAgain = std::chrono::milliseconds(200);

/// Whether the plans differ in nothing but the number of nodes.
bool same_shape(ClusterPlan a, ClusterPlan b) {
  a.nodes = b.nodes;
  return a.service == b.service && settings_json(cluster_settings(a)) == settings_json(cluster_settings(b));
}

Forwarding forwarding_of(const ClusterPlan& plan, Privilege privilege) {
  const RouterKind router = plan.effective_router();
  if (router != RouterKind::dsr && router != RouterKind::nat) {
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

void build(ClusterState& state, const Topology& topology, Service& service, const Notice& notice) {
  const ClusterPlan& plan = state.plan;
  const Places places = all_places(plan, topology);
  auto names = common_namespaces(topology, plan.effective_router());
  const auto of_places = namespaces_of(places);
  names.insert(names.end(), of_places.begin(), of_places.end());
  say(notice, fmt::format("making {} network namespaces", names.size()));
  make_namespaces(state, names);
  make_folders(state, service);
  make_cgroups(state, places);
  make_common_network(plan, topology);
  make_place_network(topology, places);
  say(notice, fmt::format("starting the servers of {}", counted(places.size(), "place")));
  start_shared(state, service);
  start_places(state, service, places);
  start_router(state, topology, service);
  set_up_router(state, topology, service);
  say(notice, "asking every node");
  await_nodes(state, topology, service, {1, plan.nodes}, kFirstAnswerWithin);
  await_fronts(state, topology, service, kFirstAnswerWithin);
  say(notice, "letting the servers settle");
  service.settle(topology.client_ns, fronts_of(plan, topology));
  cap_places(places);
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

Prospect look_ahead(const ClusterPlan& plan, const Service& service) {
  const MachineFacts machine = look_at_machine(service);
  const Prospect prospect{machine.privilege, forwarding_of(plan, machine.privilege)};
  require(plan, prospect.forwarding, machine);
  return prospect;
}

ClusterState build_new(const ClusterPlan& plan, const Prospect& prospect, Service& service,
                       const Notice& notice) {
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
    build(state, topology, service, notice);
  } catch (...) {
    undo([&] { take_down(state, {}); }, plan.name, notice);
    throw;
  }
  return state;
}

void grow(ClusterState& state, const Topology& topology, Service& service, std::uint32_t nodes,
          const Notice& notice) {
  const std::uint32_t before = state.plan.nodes;
  const NodeRange added{before + 1, nodes};
  const Places places = node_places(state.plan, topology, added);
  say(notice, fmt::format("nodes: {} to {}", before, nodes));
  state.stage = ClusterStage::changing;
  try {
    make_namespaces(state, namespaces_of(places));
    make_cgroups(state, places);
    make_place_network(topology, places);
    start_places(state, service, places);
    await_nodes(state, topology, service, added, kFirstAnswerWithin);
    cap_places(places);
    change_router(state, topology, service, {before, before}, {nodes, nodes});
    state.plan.nodes = nodes;
    await_fronts(state, topology, service, kFirstAnswerWithin);
  } catch (...) {
    undo(
        [&] {
          if (state.plan.nodes != before) {
            state.plan.nodes = before;
            change_router(state, topology, service, {nodes, nodes}, {before, before});
          }
          remove_nodes(state, topology, added, service.good_ending(), {});
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
  return plan.effective_router() == RouterKind::dsr && plan.spread == Spread::round_robin;
}

/// Waits until no connection is left on the nodes, for kDrainTime at most.
void drain(const ClusterState& state, const std::vector<std::string>& names, const Service& service) {
  const auto begin = std::chrono::steady_clock::now();
  const auto until = begin + Cluster::kDrainTime;
  const auto not_before = remembers_connections(state.plan) ? begin + kRouterForgets : begin;
  const auto ports = service.ports();
  for (auto now = begin; now < until; now = std::chrono::steady_clock::now()) {
    const bool busy = std::any_of(names.begin(), names.end(), [&ports](const std::string& netns) {
      return open_connections(netns, ports) > 0;
    });
    if (!busy && now >= not_before) {
      return;
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

void shrink(ClusterState& state, const Topology& topology, const Service& service, std::uint32_t nodes,
            const Notice& notice) {
  const std::uint32_t before = state.plan.nodes;
  const NodeRange going{nodes + 1, before};
  say(notice,
      fmt::format("nodes: {} to {}, when the connections of those that go have ended", before, nodes));
  state.stage = ClusterStage::changing;
  write_state(state);
  change_router(state, topology, service, {before, before}, {nodes, before});
  drain(state, namespaces_of(node_places(state.plan, topology, going)), service);
  change_router(state, topology, service, {nodes, before}, {nodes, nodes});
  state.plan.nodes = nodes;
  remove_nodes(state, topology, going, service.good_ending(), notice);
  await_fronts(state, topology, service, kFirstAnswerWithin);
  state.stage = ClusterStage::up;
  write_state(state);
}

void change_nodes(ClusterState& state, const Topology& topology, Service& service, std::uint32_t nodes,
                  const Notice& notice) {
  if (nodes == state.plan.nodes) {
    say(notice, fmt::format("the cluster '{}' stands already", state.plan.name));
  } else if (nodes > state.plan.nodes) {
    grow(state, topology, service, nodes, notice);
  } else {
    shrink(state, topology, service, nodes, notice);
  }
}

std::vector<pid_t> sessions_in(const ClusterState& state, const std::string& netns) {
  std::vector<pid_t> sessions;
  for (const ServiceRecord& record : state.services) {
    if (record.netns == netns) {
      sessions.push_back(record.process.pid);
    }
  }
  return sessions;
}

std::filesystem::path cgroup_in(const ClusterState& state, const std::string& netns) {
  const auto found = std::find_if(state.services.begin(), state.services.end(),
                                  [&netns](const ServiceRecord& record) { return record.netns == netns; });
  return found == state.services.end() ? std::filesystem::path() : found->cgroup;
}

MeterPlan meter_plan(const ClusterState& state, const Topology& topology, const Service& service) {
  MeterPlan meter;
  meter.switch_netns = topology.switch_ns;
  meter.client_port = topology.client_port;
  meter.shared = sessions_in(state, "");
  for (const Place& place : all_places(state.plan, topology)) {
    const bool node = place.role == PlaceRole::node;
    (node ? meter.nodes : meter.proxies)
        .push_back({.name = place.at.name,
                    .port = place.at.port,
                    .logs = node ? service.work_logs(place.at) : std::vector<WorkLog>(),
                    .sessions = sessions_in(state, place.at.netns),
                    .cgroup = cgroup_in(state, place.at.netns)});
  }
  if (state.plan.has_router()) {
    const auto sessions = sessions_in(state, topology.router_ns);
    const bool by_nft = sessions.empty() && state.forwarding == Forwarding::nftables;
    meter.router = {.port = topology.router_port,
                    .session = sessions.empty() ? 0 : sessions.front(),
                    .cgroup = {},
                    .counter_netns = by_nft ? topology.router_ns : ""};
  }
  return meter;
}

}  // namespace

Cluster::Cluster(ClusterState state, std::shared_ptr<Service> service)
    : state_(std::move(state)), topology_(topology_of(state_.plan.name)), service_(std::move(service)) {}

Cluster Cluster::up(const ClusterPlan& wanted, const Notice& notice, const ServiceMaker& maker) {
  const ClusterPlan plan = settled(wanted);
  const std::shared_ptr<Service> service = maker(plan);
  const ClusterLock lock(plan.name);
  auto known = read_state(plan.name);
  std::string trouble = known ? join_and_inspect(*known) : "";
  if (known && trouble.empty() && same_shape(known->plan, plan)) {
    Cluster cluster(*known, service);
    try {
      cluster.check_health();
    } catch (const RunError& error) {
      trouble = error.what();
    }
    if (trouble.empty() && (plan.nodes == known->plan.nodes || service->can_grow())) {
      change_nodes(cluster.state_, cluster.topology_, *service, plan.nodes, notice);
      return cluster;
    }
    if (trouble.empty()) {
      trouble = fmt::format("{} servers cannot change their number while they serve", name_of(plan.service));
    }
  }
  const Prospect prospect = look_ahead(plan, *service);
  if (known) {
    say(notice, fmt::format("the cluster '{}' is made anew: {}", plan.name,
                            trouble.empty() ? "the one that stands is of another kind" : trouble));
    take_down(*known, notice);
  }
  return Cluster(build_new(plan, prospect, *service, notice), service);
}

void Cluster::require_machine(const ClusterPlan& plan) {
  const auto service = make_service(plan);
  static_cast<void>(look_ahead(plan, *service));
}

std::optional<Cluster> Cluster::find(const std::string& name, const ServiceMaker& maker) {
  auto known = read_state(name);
  if (!known) {
    return std::nullopt;
  }
  if (const std::string trouble = join_and_inspect(*known); !trouble.empty()) {
    throw RunError(fmt::format(
        "the cluster '{0}' cannot be used: {1}; 'scalemark testbed down --name {0}' clears it away", name,
        trouble));
  }
  std::shared_ptr<Service> service = maker(known->plan);
  return Cluster(std::move(*known), std::move(service));
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

std::vector<std::string> Cluster::fronts() const {
  return fronts_of(state_.plan, topology_);
}

std::vector<std::string> Cluster::urls() const {
  std::vector<std::string> urls;
  if (state_.plan.service == ServiceKind::web) {
    for (const std::string& address : fronts()) {
      urls.push_back(fmt::format("http://{}/", address));
    }
  }
  return urls;
}

std::string Cluster::damage() const {
  return testbed::damage(state_);
}

void Cluster::check_health() const {
  await_nodes(state_, topology_, *service_, {1, state_.plan.nodes}, kHealthPatience);
  await_fronts(state_, topology_, *service_, kHealthPatience);
}

std::string Cluster::ask_node(std::uint32_t number, Duration timeout) const {
  const Place node = node_places(state_.plan, topology_, {number, number}).front();
  return service_->ask_node(asker_of(node, topology_), node.at, timeout);
}

ClusterMeter Cluster::meter() const {
  return ClusterMeter(meter_plan(state_, topology_, *service_));
}

void Cluster::enter_client() const {
  enter(topology_.client_ns);
}

}  // namespace scalemark::testbed
