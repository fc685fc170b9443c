#include "testbed/needs.h"

#include <fmt/format.h>

#include "core/error.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

bool has(const char* program) {
  return !find_program(program).empty();
}

}  // namespace

MachineFacts look_at_machine(const ClusterPlan& plan) {
  MachineFacts machine;
  machine.privilege = privilege();
  machine.ip = has("ip");
  machine.tc = has("tc");
  machine.nft = has("nft");
  machine.haproxy = has("haproxy");
  machine.cgroups = cpu_cgroups();
  try {
    static_cast<void>(server_program(plan.server));
  } catch (const RunError& error) {
    machine.server_trouble = error.what();
  }
  return machine;
}

std::vector<std::string> missing(const ClusterPlan& plan, Forwarding forwarding,
                                 const MachineFacts& machine) {
  std::vector<std::string> sentences;
  if (machine.privilege == Privilege::none) {
    sentences.emplace_back(
        "network namespaces cannot be made: run as root, or let users make user namespaces (on Debian: "
        "sysctl "
        "kernel.unprivileged_userns_clone=1)");
  }
  if (!machine.ip || (!machine.tc && (plan.node_link || plan.router_link))) {
    sentences.push_back(
        fmt::format("there is no program '{}'; install the package iproute2", machine.ip ? "tc" : "ip"));
  }
  const bool by_kernel = plan.router == RouterKind::dsr || plan.router == RouterKind::nat;
  if (by_kernel && forwarding == Forwarding::nftables && !machine.nft) {
    sentences.emplace_back(
        "there is no program 'nft', which sets up the router; install the package nftables");
  }
  if (plan.router == RouterKind::haproxy && !machine.haproxy) {
    sentences.emplace_back("there is no program 'haproxy'; install the package haproxy");
  }
  if (!machine.server_trouble.empty()) {
    sentences.push_back(machine.server_trouble);
  }
  if (plan.node_cpu && machine.cgroups.version == CgroupVersion::none) {
    sentences.push_back(
        fmt::format("--node-cpu cannot be had here: {}; leave it out, or limit nodes by --node-link",
                    machine.cgroups.why_not));
  }
  return sentences;
}

}  // namespace scalemark::testbed
