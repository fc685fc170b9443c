#include "testbed/cluster_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/error.h"
#include "testbed/cluster_router.h"
#include "testbed/cpu_cap.h"
#include "testbed/health.h"
#include "testbed/holder.h"
#include "testbed/netns.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kAskAgain = std::chrono::milliseconds(5);
constexpr Duration kOneRequest = std::chrono::seconds(5);
constexpr Duration kGoodEnding = std::chrono::seconds(2);

std::filesystem::path cgroup_of(const CpuCgroups& groups, const NodePlace& node) {
  return groups.root / node.netns;
}

bool is_claimed(const ClusterState& state, const std::string& netns) {
  return std::any_of(state.namespaces.begin(), state.namespaces.end(),
                     [&netns](const ClaimedNamespace& claimed) { return claimed.name == netns; });
}

void refuse_foreign(const ClusterState& state, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (netns_exists(name) && !is_claimed(state, name)) {
      throw RunError(fmt::format(
          "there is a network namespace '{}' already, which scalemark did not make; choose another "
          "--name, or remove it with 'ip netns del {}'",
          name, name));
    }
  }
}

struct ServiceStart {
  ServiceRecord record;
  ServiceSetup setup;
};

ServiceSetup node_setup(const ClusterPlan& plan, const NodePlace& node) {
  return setup_node(plan.server, node, cluster_folder(plan.name) / node.name, plan.files,
                    server_program(plan.server));
}

std::vector<ServiceStart> services_to_start(const ClusterState& state, const Topology& topology,
                                            NodeRange nodes, bool with_router) {
  std::vector<ServiceStart> starts;
  const CpuCgroups groups = state.plan.node_cpu ? cpu_cgroups() : CpuCgroups{};
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    const NodePlace node = topology.node(i);
    const auto cgroup = state.plan.node_cpu ? cgroup_of(groups, node) : std::filesystem::path();
    starts.push_back({{node.name, node.netns, {}, cgroup}, node_setup(state.plan, node)});
  }
  if (const auto proxy = with_router ? router_service(state.plan, topology) : std::nullopt) {
    starts.push_back({{"router", topology.router_ns, {}, {}}, *proxy});
  }
  return starts;
}

/// Asks until there is a good answer. `ended` says why there will never be one, "" while there may be.
void await_answer(const std::string& who, const std::string& from, const std::string& address,
                  const std::string& path, Duration patience, const std::function<std::string()>& ended) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const HealthReport report = get(from, address, kServicePort, path, std::min(kOneRequest, patience));
    if (report.healthy()) {
      return;
    }
    if (const std::string why = ended(); !why.empty()) {
      throw RunError(fmt::format("{} has ended: {}", who, why));
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      throw RunError(fmt::format("{} ({}) does not serve: {}", who, address, report.complaint()));
    }
    std::this_thread::sleep_for(kAskAgain);
  }
}

std::string why_ended(const ClusterState& state, const std::string& name, const ServiceSetup& setup) {
  const ServiceRecord* service = state.service(name);
  if (service == nullptr || alive(service->process)) {
    return {};
  }
  const std::string complaint = complaint_of(setup);
  return complaint.empty() ? "it left no word" : complaint;
}

std::vector<Daemon> daemons_of(const std::vector<ServiceRecord>& services) {
  std::vector<Daemon> daemons;
  daemons.reserve(services.size());
  for (const ServiceRecord& service : services) {
    daemons.push_back({service.process, service.netns});
  }
  return daemons;
}

void remove_claimed(const std::vector<ClaimedNamespace>& namespaces, const Notice& notice) {
  std::vector<std::string> names;
  for (const ClaimedNamespace& claimed : namespaces) {
    if (!netns_exists(claimed.name)) {
      continue;
    }
    if (claimed.identity != 0 && netns_identity(claimed.name) != claimed.identity) {
      say(notice,
          fmt::format("the namespace '{}' is not the one that was made; it is left alone", claimed.name));
      continue;
    }
    names.push_back(claimed.name);
  }
  remove_namespaces(names);
}

void remove_cgroups(const std::vector<std::filesystem::path>& groups) {
  for (const auto& group : groups) {
    if (!remove_cgroup(group)) {
      throw RunError(
          fmt::format("the control group '{}' cannot be removed: something runs in it", group.string()));
    }
  }
}

}  // namespace

void say(const Notice& notice, const std::string& text) {
  if (notice) {
    notice(text);
  }
}

void make_namespaces(ClusterState& state, const std::vector<std::string>& names) {
  refuse_foreign(state, names);
  for (const std::string& name : names) {
    state.namespaces.push_back({name, 0});
  }
  write_state(state);
  add_namespaces(names);
  for (ClaimedNamespace& claimed : state.namespaces) {
    claimed.identity = netns_identity(claimed.name);
  }
  write_state(state);
}

void make_cgroups(ClusterState& state, const Topology& topology, NodeRange nodes) {
  if (!state.plan.node_cpu) {
    return;
  }
  const CpuCgroups groups = cpu_cgroups();
  std::vector<std::filesystem::path> made;
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    made.push_back(cgroup_of(groups, topology.node(i)));
    if (std::filesystem::exists(made.back())) {
      throw RunError(
          fmt::format("there is a control group '{}' already, which scalemark did not make; choose "
                      "another --name",
                      made.back().string()));
    }
  }
  state.cgroups.insert(state.cgroups.end(), made.begin(), made.end());
  write_state(state);
  for (const auto& path : made) {
    make_cgroup(groups, path);
  }
}

void cap_nodes(const ClusterState& state, const Topology& topology, NodeRange nodes) {
  if (!state.plan.node_cpu) {
    return;
  }
  const CpuCgroups groups = cpu_cgroups();
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    cap_cgroup(groups, cgroup_of(groups, topology.node(i)), *state.plan.node_cpu);
  }
}

void start_services(ClusterState& state, const Topology& topology, NodeRange nodes, bool with_router) {
  std::vector<Launch> launches;
  for (ServiceStart& start : services_to_start(state, topology, nodes, with_router)) {
    prepare(start.setup);
    launches.emplace_back(DaemonSpec{.argv = start.setup.argv,
                                     .netns = start.record.netns,
                                     .log = start.setup.log,
                                     .cgroup = start.record.cgroup});
    start.record.process = launches.back().id();
    state.services.push_back(std::move(start.record));
  }
  write_state(state);
  for (Launch& launch : launches) {
    launch.go();
  }
}

void await_nodes(const ClusterState& state, const Topology& topology, NodeRange nodes, Duration patience) {
  const std::string from = state.plan.router == RouterKind::none ? topology.client_ns : topology.router_ns;
  const std::string path = health_path(state.plan.files);
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    const NodePlace node = topology.node(i);
    await_answer(fmt::format("the server of node {}", i), from, node.address, path, patience,
                 [&] { return why_ended(state, node.name, node_setup(state.plan, node)); });
  }
}

void await_router(const ClusterState& state, const Topology& topology, Duration patience) {
  if (state.plan.router == RouterKind::none) {
    return;
  }
  const std::string path = health_path(state.plan.files);
  const auto proxy = router_service(state.plan, topology);
  for (std::uint32_t i = 0; i < state.plan.nodes; ++i) {
    await_answer("the service behind the router", topology.client_ns, topology.vip, path, patience,
                 [&] { return proxy ? why_ended(state, "router", *proxy) : std::string(); });
  }
}

std::string damage(const ClusterState& state) {
  for (const ClaimedNamespace& claimed : state.namespaces) {
    if (claimed.identity == 0 || netns_identity(claimed.name) != claimed.identity) {
      return fmt::format("the namespace '{}' is gone", claimed.name);
    }
  }
  for (const ServiceRecord& service : state.services) {
    if (!alive(service.process)) {
      return fmt::format("the server of {} has ended", service.name);
    }
  }
  return {};
}

void remove_nodes(ClusterState& state, const Topology& topology, NodeRange nodes, const Notice& notice) {
  const auto names = node_namespaces(topology, nodes);
  const auto goes = [&names](const std::string& netns) {
    return std::find(names.begin(), names.end(), netns) != names.end();
  };
  // What goes stands behind what stays.
  const auto services = std::stable_partition(state.services.begin(), state.services.end(),
                                              [&](const ServiceRecord& s) { return !goes(s.netns); });
  const auto namespaces = std::stable_partition(state.namespaces.begin(), state.namespaces.end(),
                                                [&](const ClaimedNamespace& c) { return !goes(c.name); });
  const auto cgroups = std::stable_partition(
      state.cgroups.begin(), state.cgroups.end(),
      [&](const std::filesystem::path& group) { return !goes(group.filename().string()); });
  // nginx ends its open connections in good order on this signal only.
  stop(daemons_of({services, state.services.end()}),
       state.plan.server == ServerKind::nginx ? SIGQUIT : SIGTERM, kGoodEnding);
  remove_claimed({namespaces, state.namespaces.end()}, notice);
  remove_cgroups({cgroups, state.cgroups.end()});
  state.services.erase(services, state.services.end());
  state.namespaces.erase(namespaces, state.namespaces.end());
  state.cgroups.erase(cgroups, state.cgroups.end());
  std::error_code ignored;
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    std::filesystem::remove_all(cluster_folder(state.plan.name) / topology.node(i).name, ignored);
  }
}

void take_down(ClusterState state, const Notice& notice) {
  const std::string name = state.plan.name;
  if (state.boot != boot_identity()) {
    forget_state(name);  // the machine was started again: nothing of it is left
    return;
  }
  state.stage = ClusterStage::going;
  write_state(state);
  if (state.holder && alive(*state.holder)) {
    join_holder(*state.holder);
  }
  stop(daemons_of(state.services), SIGTERM, kGoodEnding);
  remove_claimed(state.namespaces, notice);
  remove_cgroups(state.cgroups);
  if (state.holder) {
    stop({{*state.holder, ""}}, SIGTERM, kGoodEnding);
  }
  forget_state(name);
}

}  // namespace scalemark::testbed
