#include "testbed/cluster_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/run_record.h"
#include "testbed/cluster_health.h"
#include "testbed/cluster_router.h"
#include "testbed/cpu_cap.h"
#include "testbed/holder.h"
#include "testbed/netns.h"
#include "testbed/network.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

constexpr Duration kGoodEnding = std::chrono::seconds(2);
constexpr const char* kOursMark = ".scalemark-testbed";  // in each folder outside of the cluster's own

void say(const Notice& notice, const std::string& text) {
  if (notice) {
    notice(text);
  }
}

fs::path cgroup_of(const CpuCgroups& groups, const Place& place) {
  return groups.root / place.at.netns;
}

Places capped(const Places& places) {
  Places some;
  std::copy_if(places.begin(), places.end(), std::back_inserter(some),
               [](const Place& place) { return place.cpu.has_value(); });
  return some;
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

/// Starts processes that have been prepared: all of them are known to the state file before the first begins.
void start(ClusterState& state, std::vector<ServiceStart> starts) {
  std::vector<Launch> launches;
  for (ServiceStart& one : starts) {
    launches.emplace_back(DaemonSpec{.argv = one.setup.argv,
                                     .netns = one.record.netns,
                                     .log = one.setup.log,
                                     .cgroup = one.record.cgroup});
    one.record.process = launches.back().id();
    state.services.push_back(std::move(one.record));
  }
  write_state(state);
  for (Launch& launch : launches) {
    launch.go();
  }
}

/// Writes what the processes need, and says how each is to be started.
std::vector<ServiceStart> prepared(std::vector<ServiceProcess> processes, const std::string& netns,
                                   const fs::path& cgroup) {
  std::vector<ServiceStart> starts;
  for (ServiceProcess& process : processes) {
    prepare(process.setup);
    starts.push_back({{process.name, netns, {}, cgroup}, std::move(process.setup)});
  }
  return starts;
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

void remove_cgroups(const std::vector<fs::path>& groups) {
  for (const auto& group : groups) {
    if (!remove_cgroup(group)) {
      throw RunError(
          fmt::format("the control group '{}' cannot be removed: something runs in it", group.string()));
    }
  }
}

/// A folder that is claimed but has not our mark may have been made by somebody else after we were killed.
void remove_folders(const std::vector<fs::path>& folders, const Notice& notice) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (!fs::exists(folder, error)) {
      continue;
    }
    if (!fs::exists(folder / kOursMark, error) && !fs::is_empty(folder, error)) {
      say(notice,
          fmt::format("the folder '{}' is not the one that was made; it is left alone", folder.string()));
      continue;
    }
    fs::remove_all(folder, error);
    if (error) {
      throw RunError(fmt::format("cannot remove the folder '{}': {}", folder.string(), error.message()));
    }
  }
}

/// Ends all processes: what serves clients first, then what it leans on.
void stop_all(const ClusterState& state) {
  std::vector<ServiceRecord> services = state.services;
  const auto shared = std::stable_partition(
      services.begin(), services.end(), [](const ServiceRecord& record) { return !record.netns.empty(); });
  stop(daemons_of({services.begin(), shared}), SIGTERM, kGoodEnding);
  stop(daemons_of({shared, services.end()}), SIGTERM, kGoodEnding);
}

}  // namespace

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

void make_folders(ClusterState& state, const Service& service) {
  const auto folders = service.folders();
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (fs::exists(folder, ignored)) {
      throw RunError(fmt::format(
          "there is a folder '{}' already, which scalemark did not make; choose another --data or "
          "--name, or remove it",
          folder.string()));
    }
  }
  if (folders.empty()) {
    return;
  }
  state.folders.insert(state.folders.end(), folders.begin(), folders.end());
  write_state(state);
  for (const fs::path& folder : folders) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) {
      throw RunError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    }
    write_file(folder / kOursMark, state.plan.name + "\n");
  }
}

void make_cgroups(ClusterState& state, const Places& places) {
  const Places some = capped(places);
  if (some.empty()) {
    return;
  }
  const CpuCgroups groups = cpu_cgroups();
  std::vector<fs::path> made;
  for (const Place& place : some) {
    made.push_back(cgroup_of(groups, place));
    if (fs::exists(made.back())) {
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

void cap_places(const Places& places) {
  const Places some = capped(places);
  if (some.empty()) {
    return;
  }
  const CpuCgroups groups = cpu_cgroups();
  for (const Place& place : some) {
    cap_cgroup(groups, cgroup_of(groups, place), *place.cpu);
  }
}

std::vector<ServiceProcess> processes_at(const Service& service, const Place& place) {
  return place.role == PlaceRole::proxy ? service.of_proxy(place.at) : service.of_node(place.at);
}

void start_shared(ClusterState& state, Service& service) {
  auto starts = prepared(service.shared(), "", {});
  service.before_shared();
  if (!starts.empty()) {
    start(state, std::move(starts));
  }
  try {
    service.after_shared();
  } catch (const RunError&) {
    // A process that has ended says more than whoever waits for it.
    if (const std::string why = first_ended(state, "", service.shared()); !why.empty()) {
      throw RunError(why);
    }
    throw;
  }
}

void start_places(ClusterState& state, Service& service, const Places& places) {
  const CpuCgroups groups = capped(places).empty() ? CpuCgroups{} : cpu_cgroups();
  std::vector<ServiceStart> starts;
  for (const Place& place : places) {
    auto some = prepared(processes_at(service, place), place.at.netns,
                         place.cpu ? cgroup_of(groups, place) : fs::path());
    service.before_place(place.at);
    std::move(some.begin(), some.end(), std::back_inserter(starts));
  }
  start(state, std::move(starts));
}

void start_router(ClusterState& state, const Topology& topology, const Service& service) {
  if (auto router = router_service(state.plan, topology, service)) {
    start(state, prepared({std::move(*router)}, topology.router_ns, {}));
  }
}

void remove_nodes(ClusterState& state, const Topology& topology, NodeRange nodes, int signal,
                  const Notice& notice) {
  const auto names = namespaces_of(node_places(state.plan, topology, nodes));
  const auto goes = [&names](const std::string& netns) {
    return std::find(names.begin(), names.end(), netns) != names.end();
  };
  // What goes stands behind what stays.
  const auto services = std::stable_partition(state.services.begin(), state.services.end(),
                                              [&](const ServiceRecord& s) { return !goes(s.netns); });
  const auto namespaces = std::stable_partition(state.namespaces.begin(), state.namespaces.end(),
                                                [&](const ClaimedNamespace& c) { return !goes(c.name); });
  const auto cgroups =
      std::stable_partition(state.cgroups.begin(), state.cgroups.end(),
                            [&](const fs::path& group) { return !goes(group.filename().string()); });
  stop(daemons_of({services, state.services.end()}), signal, kGoodEnding);
  remove_claimed({namespaces, state.namespaces.end()}, notice);
  remove_cgroups({cgroups, state.cgroups.end()});
  state.services.erase(services, state.services.end());
  state.namespaces.erase(namespaces, state.namespaces.end());
  state.cgroups.erase(cgroups, state.cgroups.end());
  std::error_code ignored;
  for (std::uint32_t i = nodes.first; i <= nodes.last; ++i) {
    fs::remove_all(cluster_folder(state.plan.name) / topology.node(i).name, ignored);
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
  stop_all(state);
  remove_claimed(state.namespaces, notice);
  remove_cgroups(state.cgroups);
  remove_folders(state.folders, notice);
  if (state.holder) {
    stop({{*state.holder, ""}}, SIGTERM, kGoodEnding);
  }
  forget_state(name);
}

}  // namespace scalemark::testbed
