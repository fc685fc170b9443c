#include "testbed/needs.h"

#include <fmt/format.h>

#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

bool has(const char* program) {
  return !find_program(program).empty();
}

}  // namespace

MachineFacts look_at_machine(const Service& service) {
  MachineFacts machine;
  machine.privilege = privilege();
  machine.ip = has("ip");
  machine.tc = has("tc");
  machine.nft = has("nft");
  machine.haproxy = has("haproxy");
  machine.cgroups = cpu_cgroups();
  machine.service_lacks = service.missing();
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
  const RouterKind router = plan.effective_router();
  const bool by_kernel = router == RouterKind::dsr || router == RouterKind::nat;
  if (by_kernel && forwarding == Forwarding::nftables && !machine.nft) {
    sentences.emplace_back(
        "there is no program 'nft', which sets up the router; install the package nftables");
  }
  if (router == RouterKind::haproxy && !machine.haproxy) {
    sentences.emplace_back("there is no program 'haproxy'; install the package haproxy");
  }
  sentences.insert(sentences.end(), machine.service_lacks.begin(), machine.service_lacks.end());
  const bool proxy_cap = plan.proxies() > 0 && plan.mail.proxy_cpu.has_value();
  if ((plan.node_cpu || proxy_cap) && machine.cgroups.version == CgroupVersion::none) {
    sentences.push_back(
        fmt::format("{} cannot be had here: {}; say none for it, or limit nodes by --node-link",
                    plan.node_cpu ? (proxy_cap ? "--node-cpu and --proxy-cpu" : "--node-cpu") : "--proxy-cpu",
                    machine.cgroups.why_not));
  }
  return sentences;
}

}  // namespace scalemark::testbed
