#include "testbed/dispatcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using Word = std::function<std::string(const NodePlace&)>;

std::string mark_of(const NodePlace& node) {
  return std::to_string(node.number);
}
std::string mac_of(const NodePlace& node) {
  return node.mac;
}
std::string address_of(const NodePlace& node) {
  return node.address;
}

/// "{ 0 : a, 1 : b }": the nodes in turns, as numgen and jhash choose them.
std::string by_turn(const std::vector<NodePlace>& nodes, const Word& word) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    entries.push_back(fmt::format("{} : {}", i, word(nodes[i])));
  }
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

std::vector<NodePlace> known(const Dispatch& dispatch) {
  std::vector<NodePlace> nodes = dispatch.active;
  nodes.insert(nodes.end(), dispatch.draining.begin(), dispatch.draining.end());
  return nodes;
}

/// "{ 1 : MAC, 3 : MAC }": every node that has connections, by its mark.
std::string macs_by_mark(const Dispatch& dispatch) {
  std::vector<std::string> entries;
  for (const NodePlace& node : known(dispatch)) {
    entries.push_back(fmt::format("{} : {}", mark_of(node), node.mac));
  }
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

/// "80", "{ 25, 110 }"
std::string port_set(const std::vector<std::uint16_t>& ports) {
  return ports.size() == 1 ? std::to_string(ports.front()) : fmt::format("{{ {} }}", fmt::join(ports, ", "));
}

/// What the rules that take turns begin with, one rule for each port. A user who goes to one port and then to
/// the other, again and again, would find the same node at each of them if both shared their turns.
std::vector<std::string> port_matches(const Dispatch& dispatch) {
  if (dispatch.ports.size() == 1) {
    return {""};
  }
  std::vector<std::string> matches;
  for (const std::uint16_t port : dispatch.ports) {
    matches.push_back(fmt::format("tcp dport {} ", port));
  }
  return matches;
}

/// What tells one connection to the service's address from another.
std::string connection_key(const Dispatch& dispatch) {
  return dispatch.ports.size() == 1 ? "ip saddr . tcp sport" : "ip saddr . tcp sport . tcp dport";
}

/// The rules of the chain `balance`: which node, then off to it. The sender's address becomes the router's
/// own, or else the switch would learn that the client is behind the router, and replies would go there.
std::vector<std::string> dsr_balance(Spread spread, const Dispatch& dispatch) {
  const std::string from_router = fmt::format("ether saddr set {} ", dispatch.router_mac);
  const std::string away = fmt::format(" fwd to \"{}\"", dispatch.device);
  if (spread == Spread::hash) {
    return {fmt::format("{}ether daddr set jhash ip saddr . tcp sport mod {} map {}{}", from_router,
                        dispatch.active.size(), by_turn(dispatch.active, mac_of), away)};
  }
  // `update`, not `add`: a client's port that is used again must not inherit the few seconds that the end of
  // its last connection has left; and a SYN that is sent again stays with its node.
  const std::string key = connection_key(dispatch);
  const std::string remember = fmt::format("update @conns {{ {} timeout 300s : meta mark }}", key);
  std::vector<std::string> rules;
  for (const std::string& port : port_matches(dispatch)) {
    rules.push_back(fmt::format("{}tcp flags & (syn|ack) == syn meta mark set numgen inc mod {} map {} {}",
                                port, dispatch.active.size(), by_turn(dispatch.active, mark_of), remember));
  }
  rules.push_back(fmt::format("meta mark set {} map @conns {}", key, remember));
  rules.push_back(
      fmt::format("tcp flags & (fin|rst) != 0 update @conns {{ {} timeout 3s : meta mark }}", key));
  rules.push_back(
      fmt::format("{}ether daddr set meta mark map {}{}", from_router, macs_by_mark(dispatch), away));
  return rules;
}

std::vector<std::string> nat_balance(const Dispatch& dispatch) {
  std::vector<std::string> rules;
  for (const std::string& port : port_matches(dispatch)) {
    rules.push_back(fmt::format("{}dnat to numgen inc mod {} map {}", port, dispatch.active.size(),
                                by_turn(dispatch.active, address_of)));
  }
  return rules;
}

/// One line each, indented.
std::string lines(const std::vector<std::string>& rules) {
  return fmt::format("    {}\n", fmt::join(rules, "\n    "));
}

/// One `nft -f` input is one transaction: no packet sees the chain empty.
std::string change(const char* family, const std::vector<std::string>& rules) {
  std::string text = fmt::format("flush chain {} {} balance\n", family, kDispatchTable);
  for (const std::string& rule : rules) {
    text += fmt::format("add rule {} {} balance {}\n", family, kDispatchTable, rule);
  }
  return text;
}

/// "add" before "delete": deleting what is not there is an error.
std::string drop_table(const char* family) {
  return fmt::format("add table {0} {1}\ndelete table {0} {1}\n", family, kDispatchTable);
}

/// A map for the connections even where hashing needs none would do no harm, but a reader would wonder.
std::string dsr_map(Spread spread, const Dispatch& dispatch) {
  return spread == Spread::hash ? std::string()
                                : fmt::format(
                                      "  map conns {{\n"
                                      "    type ipv4_addr . inet_service{} : mark; size 262144;\n"
                                      "    flags dynamic,timeout; timeout 300s;\n"
                                      "  }}\n",
                                      dispatch.ports.size() == 1 ? "" : " . inet_service");
}

std::vector<std::string> ipvs_service(const Dispatch& dispatch, std::uint16_t port) {
  return {"-t", fmt::format("{}:{}", dispatch.vip, port)};
}

std::vector<std::string> ipvs_server(const char* verb, RouterKind router, const Dispatch& dispatch,
                                     std::uint16_t port, const NodePlace& node, unsigned weight) {
  std::vector<std::string> words{"ipvsadm", verb};
  for (const std::string& word : ipvs_service(dispatch, port)) {
    words.push_back(word);
  }
  words.insert(words.end(), {"-r", fmt::format("{}:{}", node.address, port)});
  if (std::string_view(verb) != "-d") {
    words.insert(words.end(), {router == RouterKind::nat ? "-m" : "-g", "-w", std::to_string(weight)});
  }
  return words;
}

bool holds(const std::vector<NodePlace>& nodes, const NodePlace& node) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const NodePlace& other) { return other.number == node.number; });
}

}  // namespace

std::string dsr_rules(Spread spread, const Dispatch& dispatch) {
  return drop_table("netdev") +
         fmt::format(
             "table netdev {table} {{\n"
             "  counter {counter} {{ }}\n"
             "{map}"
             "  chain balance {{\n"
             "{rules}"
             "  }}\n"
             "  chain ingress {{\n"
             "    type filter hook ingress device \"{device}\" priority 0; policy accept;\n"
             "    ip daddr {vip} tcp dport {port} counter name \"{counter}\" jump balance\n"
             "  }}\n"
             "}}\n",
             fmt::arg("table", kDispatchTable), fmt::arg("counter", kDispatchCounter),
             fmt::arg("map", dsr_map(spread, dispatch)),
             fmt::arg("rules", lines(dsr_balance(spread, dispatch))), fmt::arg("device", dispatch.device),
             fmt::arg("vip", dispatch.vip), fmt::arg("port", port_set(dispatch.ports)));
}

std::string dsr_change(Spread spread, const Dispatch& dispatch) {
  return change("netdev", dsr_balance(spread, dispatch));
}

// The chain of kind nat sees only the first packet of each connection, so packets are counted in another.
std::string nat_rules(const Dispatch& dispatch) {
  return drop_table("ip") + fmt::format(
                                "table ip {table} {{\n"
                                "  counter {counter} {{ }}\n"
                                "  chain balance {{\n"
                                "{rules}"
                                "  }}\n"
                                "  chain prerouting {{\n"
                                "    type nat hook prerouting priority dstnat; policy accept;\n"
                                "    ip daddr {vip} tcp dport {port} jump balance\n"
                                "  }}\n"
                                "  chain forward {{\n"
                                "    type filter hook forward priority filter; policy accept;\n"
                                "    counter name \"{counter}\"\n"
                                "  }}\n"
                                "}}\n",
                                fmt::arg("table", kDispatchTable), fmt::arg("counter", kDispatchCounter),
                                fmt::arg("rules", lines(nat_balance(dispatch))),
                                fmt::arg("vip", dispatch.vip), fmt::arg("port", port_set(dispatch.ports)));
}

std::string nat_change(const Dispatch& dispatch) {
  return change("ip", nat_balance(dispatch));
}

std::vector<KernelSetting> router_settings(RouterKind router) {
  if (router != RouterKind::nat) {
    return {};
  }
  // Redirects would tell the client's and the nodes' machines the way around the router. The table of
  // connections must not fill up with ended ones when connections are short.
  return {{"net/ipv4/ip_forward", "1"},
          {"net/ipv4/conf/all/send_redirects", "0"},
          {"net/ipv4/conf/eth0/send_redirects", "0"},
          {"net/netfilter/nf_conntrack_tcp_timeout_time_wait", "5"}};
}

std::vector<std::vector<std::string>> ipvs_rules(RouterKind router, Spread spread, const Dispatch& dispatch) {
  std::vector<std::vector<std::string>> commands{{"ipvsadm", "-C"}};
  for (const std::uint16_t port : dispatch.ports) {
    commands.push_back({"ipvsadm", "-A"});
    for (const std::string& word : ipvs_service(dispatch, port)) {
      commands.back().push_back(word);
    }
    commands.back().insert(commands.back().end(), {"-s", spread == Spread::hash ? "sh" : "rr"});
    if (spread == Spread::hash) {
      commands.back().insert(commands.back().end(), {"-b", "sh-port"});
    }
    for (const NodePlace& node : dispatch.active) {
      commands.push_back(ipvs_server("-a", router, dispatch, port, node, 1));
    }
    for (const NodePlace& node : dispatch.draining) {
      commands.push_back(ipvs_server("-a", router, dispatch, port, node, 0));
    }
  }
  return commands;
}

std::vector<std::vector<std::string>> ipvs_change(RouterKind router, const Dispatch& before,
                                                  const Dispatch& after) {
  std::vector<std::vector<std::string>> commands;
  const auto say = [&](const char* verb, const NodePlace& node, unsigned weight) {
    for (const std::uint16_t port : after.ports) {
      commands.push_back(ipvs_server(verb, router, after, port, node, weight));
    }
  };
  const std::vector<NodePlace> had = known(before);
  for (const NodePlace& node : known(after)) {
    const unsigned weight = holds(after.active, node) ? 1 : 0;
    const unsigned old_weight = holds(before.active, node) ? 1 : 0;
    if (!holds(had, node)) {
      say("-a", node, weight);
    } else if (weight != old_weight) {
      say("-e", node, weight);
    }
  }
  for (const NodePlace& node : had) {
    if (!holds(known(after), node)) {
      say("-d", node, 0);
    }
  }
  return commands;
}

bool ipvs_available() {
  std::error_code ignored;
  return std::filesystem::exists("/proc/net/ip_vs", ignored) && !find_program("ipvsadm").empty();
}

Forwarding effective_forwarding(Forwarding wanted, bool ipvs_is_available) {
  if (wanted == Forwarding::ipvs && !ipvs_is_available) {
    throw UsageError(
        "there is no IPVS here: the kernel must have it (modprobe ip_vs) and the program ipvsadm be "
        "installed; "
        "or use nftables");
  }
  if (wanted != Forwarding::automatic) {
    return wanted;
  }
  return ipvs_is_available ? Forwarding::ipvs : Forwarding::nftables;
}

}  // namespace scalemark::testbed
