#include "testbed/cluster_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "core/error.h"
#include "testbed/cluster_parts.h"
#include "testbed/cluster_router.h"
#include "testbed/netns.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kAskAgain = std::chrono::milliseconds(5);
constexpr Duration kOneRequest = std::chrono::seconds(5);

/// Asks until there is a good answer. `ask` says what is wrong, `ended` why there will never be an answer; ""
/// nothing, both of them.
void await_answer(const std::string& who, const std::function<std::string(Duration)>& ask, Duration patience,
                  const std::function<std::string()>& ended) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const std::string complaint = ask(std::min(kOneRequest, patience));
    if (complaint.empty()) {
      return;
    }
    if (const std::string why = ended(); !why.empty()) {
      throw RunError(why);
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      throw RunError(fmt::format("{} does not serve: {}", who, complaint));
    }
    std::this_thread::sleep_for(kAskAgain);
  }
}

/// "the server of n1", "postfix of n1", "the cluster's db"
std::string words_for(const ServiceRecord& record) {
  const std::size_t dot = record.name.find('.');
  if (dot != std::string::npos) {
    return fmt::format("{} of {}", record.name.substr(dot + 1), record.name.substr(0, dot));
  }
  return fmt::format("{} {}", record.netns.empty() ? "the cluster's" : "the server of", record.name);
}

std::string complaint_in(const std::vector<ServiceProcess>& processes, const std::string& name) {
  const auto found = std::find_if(processes.begin(), processes.end(),
                                  [&name](const ServiceProcess& process) { return process.name == name; });
  const std::string complaint = found == processes.end() ? "" : complaint_of(found->setup);
  return complaint.empty() ? "it left no word" : complaint;
}

bool any_ended(const ClusterState& state, const std::string& netns) {
  return std::any_of(state.services.begin(), state.services.end(), [&netns](const ServiceRecord& record) {
    return record.netns == netns && !alive(record.process);
  });
}

/// Of what stands before the nodes. What the processes are is asked only when one of them has ended.
std::string ended_front(const ClusterState& state, const Topology& topology, const Service& service) {
  for (const Place& proxy : proxy_places(state.plan, topology)) {
    if (any_ended(state, proxy.at.netns)) {
      return first_ended(state, proxy.at.netns, processes_at(service, proxy));
    }
  }
  if (any_ended(state, topology.router_ns)) {
    const auto router = router_service(state.plan, topology, service);
    return first_ended(state, topology.router_ns,
                       router ? std::vector<ServiceProcess>{*router} : std::vector<ServiceProcess>{});
  }
  return any_ended(state, "") ? first_ended(state, "", service.shared()) : "";
}

}  // namespace

std::string first_ended(const ClusterState& state, const std::string& netns,
                        const std::vector<ServiceProcess>& processes) {
  for (const ServiceRecord& record : state.services) {
    if (record.netns == netns && !alive(record.process)) {
      return fmt::format("{} has ended: {}", words_for(record), complaint_in(processes, record.name));
    }
  }
  return {};
}

void await_nodes(const ClusterState& state, const Topology& topology, const Service& service, NodeRange nodes,
                 Duration patience) {
  for (const Place& node : node_places(state.plan, topology, nodes)) {
    await_answer(
        fmt::format("the server of {} ({})", name_of(node), node.at.address),
        [&](Duration timeout) { return service.ask_node(asker_of(node, topology), node.at, timeout); },
        patience,
        [&] {
          return any_ended(state, node.at.netns)
                     ? first_ended(state, node.at.netns, processes_at(service, node))
                     : "";
        });
  }
}

void await_fronts(const ClusterState& state, const Topology& topology, const Service& service,
                  Duration patience) {
  const auto ended = [&] { return ended_front(state, topology, service); };
  const auto await = [&](const std::string& who, const std::string& from, const std::string& address,
                         unsigned turns) {
    for (unsigned turn = 0; turn < turns; ++turn) {
      await_answer(
          fmt::format("{} ({})", who, address),
          [&](Duration timeout) { return service.ask_front(from, address, turn, timeout); }, patience, ended);
    }
  };
  for (const Place& proxy : proxy_places(state.plan, topology)) {
    await(name_of(proxy), asker_of(proxy, topology), proxy.at.address, state.plan.nodes);
  }
  if (state.plan.has_router()) {
    await("the service behind the router", topology.client_ns, topology.vip,
          std::max(state.plan.nodes, state.plan.proxies()));
  }
}

std::string damage(const ClusterState& state) {
  for (const ClaimedNamespace& claimed : state.namespaces) {
    if (claimed.identity == 0 || netns_identity(claimed.name) != claimed.identity) {
      return fmt::format("the namespace '{}' is gone", claimed.name);
    }
  }
  for (const ServiceRecord& record : state.services) {
    if (!alive(record.process)) {
      return fmt::format("{} has ended", words_for(record));
    }
  }
  return {};
}

}  // namespace scalemark::testbed
