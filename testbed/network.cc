#include "testbed/network.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "core/error.h"
#include "core/file_text.h"
#include "testbed/netns.h"
#include "testbed/process.h"

namespace scalemark::testbed {
namespace {

constexpr double kLeastBurst = 16 * 1024;  // bytes
constexpr double kBurstSeconds = 0.001;    // fast links are served in larger portions

// States of /proc/net/tcp in which a connection has no business with the server any more.
constexpr unsigned kTimeWait = 0x06;
constexpr unsigned kClosed = 0x07;
constexpr unsigned kListening = 0x0A;

std::string port_lines(const std::string& port, const std::string& peer) {
  return fmt::format("link add {0} type veth peer name eth0 {1}\nlink set {0} master br0 up\n", port, peer);
}

void batch(const std::string& program, const std::string& netns, const std::string& text) {
  run_or_throw({program, "-n", netns, "-batch", "-"}, "", text);
}

double burst_bytes(BitsPerSecond rate) {
  return std::max(kLeastBurst, std::ceil(rate.value / 8 * kBurstSeconds));
}

/// Limits a card and the port that it is plugged into: a network card's two directions.
void shape(const std::string& switch_ns, const std::string& port, const std::string& netns,
           BitsPerSecond rate) {
  batch("ip", netns, offload_line("eth0", rate));
  batch("tc", netns, shaping_line("eth0", rate));
  batch("tc", switch_ns, shaping_line(port, rate));
}

/// Nothing but the cluster's own traffic is to be counted: no IPv6 neighbours looking for each other.
std::vector<KernelSetting> quiet_settings() {
  return {{"net/ipv6/conf/all/disable_ipv6", "1"}, {"net/ipv6/conf/default/disable_ipv6", "1"}};
}

std::vector<KernelSetting> with_quiet(std::vector<KernelSetting> settings) {
  const auto quiet = quiet_settings();
  settings.insert(settings.end(), quiet.begin(), quiet.end());
  return settings;
}

}  // namespace

std::vector<std::string> common_namespaces(const Topology& topology, RouterKind router) {
  std::vector<std::string> names = {topology.switch_ns, topology.client_ns};
  if (router != RouterKind::none) {
    names.push_back(topology.router_ns);
  }
  return names;
}

std::string switch_batch(const Topology& topology, RouterKind router) {
  std::string text =
      fmt::format("link add {0} type bridge stp_state 0 forward_delay 0\nlink set {0} up\nlink set lo up\n",
                  topology.bridge);
  text += port_lines(topology.client_port, fmt::format("netns {}", topology.client_ns));
  if (router != RouterKind::none) {
    text += port_lines(topology.router_port,
                       fmt::format("address {} netns {}", topology.router_mac, topology.router_ns));
  }
  return text;
}

std::string ports_batch(const Places& places) {
  std::string text;
  for (const Place& place : places) {
    text += port_lines(place.at.port, fmt::format("address {} netns {}", place.at.mac, place.at.netns));
  }
  return text;
}

std::string client_batch(const Topology& topology) {
  return fmt::format("link set lo up\naddr add {}/24 dev eth0\nlink set eth0 up\nroute add {} dev eth0\n",
                     topology.client_address, topology.node_net);
}

std::string router_batch(const Topology& topology) {
  return fmt::format(
      "link set lo up\naddr add {}/24 dev eth0\naddr add {}/24 dev eth0\naddr add {}/32 dev eth0\n"
      "link set eth0 up\n",
      topology.router_client_address, topology.router_node_address, topology.vip);
}

std::string place_batch(const Topology& topology, const Place& place) {
  std::string text = "link set lo up\n";
  if (place.router == RouterKind::dsr) {
    text += fmt::format("addr add {}/32 dev lo\n", topology.vip);
  }
  text += fmt::format("addr add {}/24 dev eth0\nlink set eth0 up\n", place.at.address);
  // Translated replies must pass the router again; all others go straight to the client.
  text += place.router == RouterKind::nat ? fmt::format("route add {} via {} dev eth0\n", topology.client_net,
                                                        topology.router_node_address)
                                          : fmt::format("route add {} dev eth0\n", topology.client_net);
  return text;
}

std::string offload_line(const std::string& device, BitsPerSecond rate) {
  constexpr double kHeads = 1384;  // of all the segments that one large packet stands for
  constexpr double kLargestPacket = 65'536;
  return fmt::format("link set dev {} gso_max_size {:.0f}\n", device,
                     std::min(kLargestPacket, burst_bytes(rate) - kHeads));
}

std::string shaping_line(const std::string& device, BitsPerSecond rate) {
  const double burst = burst_bytes(rate);
  return fmt::format("qdisc add dev {} root tbf rate {:.0f}bit burst {:.0f}b latency 400ms\n", device,
                     rate.value, burst);
}

std::vector<KernelSetting> switch_settings() {
  // Else bridged packets would pass the packet filter of the switch.
  return with_quiet({{"net/bridge/bridge-nf-call-iptables", "0"},
                     {"net/bridge/bridge-nf-call-ip6tables", "0"},
                     {"net/bridge/bridge-nf-call-arptables", "0"}});
}

std::vector<KernelSetting> client_settings() {
  return with_quiet({{"net/ipv4/tcp_tw_reuse", "1"}, {"net/ipv4/ip_local_port_range", "1024 65535"}});
}

std::vector<KernelSetting> place_settings() {
  return with_quiet({{"net/ipv4/conf/all/arp_ignore", "1"}, {"net/ipv4/conf/all/arp_announce", "2"}});
}

void apply_settings(const std::string& netns, const std::vector<KernelSetting>& settings) {
  const NetnsVisit visit(netns);
  for (const KernelSetting& setting : settings) {
    const std::string path = "/proc/sys/" + setting.path;
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) {
      continue;
    }
    const bool written = file >= 0 && ::write(file, setting.value.data(), setting.value.size()) >= 0;
    const int error = errno;
    if (file >= 0) {
      ::close(file);
    }
    if (!written) {
      throw RunError(fmt::format("'{}' in {} does not take '{}': {}", path, netns, setting.value,
                                 std::generic_category().message(error)));
    }
  }
}

void add_namespaces(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("netns add {}\n", name);
  }
  run_or_throw({"ip", "-batch", "-"}, "", text);
}

void remove_namespaces(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("netns del {}\n", name);
  }
  if (!names.empty()) {
    run_or_throw({"ip", "-force", "-batch", "-"}, "", text);
  }
}

void make_common_network(const ClusterPlan& plan, const Topology& topology) {
  const RouterKind router = plan.effective_router();
  apply_settings(topology.switch_ns, switch_settings());
  apply_settings(topology.client_ns, client_settings());
  batch("ip", topology.switch_ns, switch_batch(topology, router));
  batch("ip", topology.client_ns, client_batch(topology));
  if (router == RouterKind::none) {
    return;
  }
  apply_settings(topology.router_ns, quiet_settings());
  apply_settings(topology.router_ns, router_settings(router));
  batch("ip", topology.router_ns, router_batch(topology));
  if (plan.router_link) {
    shape(topology.switch_ns, topology.router_port, topology.router_ns, *plan.router_link);
  }
}

void make_place_network(const Topology& topology, const Places& places) {
  batch("ip", topology.switch_ns, ports_batch(places));
  for (const Place& place : places) {
    apply_settings(place.at.netns, place_settings());
    batch("ip", place.at.netns, place_batch(topology, place));
    if (place.link) {
      shape(topology.switch_ns, place.at.port, place.at.netns, *place.link);
    }
  }
}

unsigned open_connections_in(const std::string& table, const std::vector<std::uint16_t>& ports) {
  std::vector<std::string> suffixes;
  suffixes.reserve(ports.size());
  for (const std::uint16_t port : ports) {
    suffixes.push_back(fmt::format(":{:04X}", port));
  }
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);  // the heads of the columns
  unsigned count = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string number;
    std::string local;
    std::string remote;
    unsigned state = kClosed;
    fields >> number >> local >> remote >> std::hex >> state;
    const bool served = std::any_of(suffixes.begin(), suffixes.end(),
                                    [&local](const std::string& suffix) { return local.ends_with(suffix); });
    if (served && state != kTimeWait && state != kClosed && state != kListening) {
      ++count;
    }
  }
  return count;
}

unsigned open_connections(const std::string& netns, const std::vector<std::uint16_t>& ports) {
  const NetnsVisit visit(netns);
  // /proc/self is the network of the process's first thread, which need not be where this thread is.
  return open_connections_in(file_text("/proc/thread-self/net/tcp"), ports);
}

}  // namespace scalemark::testbed
