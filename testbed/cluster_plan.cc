#include "testbed/cluster_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kLongestName = 8;  // an interface or namespace name must stay short
constexpr double kLeastShare = 0.01;     // the kernel gives no less than 1 ms in 100 ms
constexpr double kProcessorShare = 0.1;  // of a mail node: eight fit on one processor

constexpr std::pair<ServiceKind, const char*> kServices[] = {{ServiceKind::web, "web"},
                                                             {ServiceKind::mail, "mail"}};

bool is_small_letter(char letter) {
  return letter >= 'a' && letter <= 'z';
}
bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_name_letter(char letter) {
  return is_small_letter(letter) || is_digit(letter);
}

void check_rate(const char* name, const std::optional<BitsPerSecond>& rate) {
  constexpr double kLeastRate = 10e3;
  constexpr double kMostRate = 100e9;
  if (rate && (rate->value < kLeastRate || rate->value > kMostRate)) {
    throw UsageError(fmt::format("{}: a link can have 10kbit to 100gbit, not {}", name, format_rate(*rate)));
  }
}

void check_share(const char* name, const char* who, const std::optional<double>& share) {
  if (share && (*share < kLeastShare || *share > 1)) {
    throw UsageError(fmt::format("{}: a {} can have {:.0f} % to 100 % of a processor, not {:g} %", name, who,
                                 kLeastShare * 100, *share * 100));
  }
}

bool is_domain_label(std::string_view label) {
  constexpr std::size_t kLongestLabel = 63;
  return !label.empty() && label.size() <= kLongestLabel && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), [](char c) { return is_name_letter(c) || c == '-'; });
}

void check_domain(const std::string& domain) {
  constexpr std::size_t kLongestDomain = 200;  // nodes put their names before it
  std::string_view rest = domain;
  unsigned labels = 0;
  bool good = domain.size() <= kLongestDomain;
  while (good) {
    const std::size_t dot = rest.find('.');
    good = is_domain_label(rest.substr(0, dot));
    ++labels;
    if (dot == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(dot + 1);
  }
  if (!good || labels < 2) {
    throw UsageError(fmt::format(
        "--domain: '{}' is no mail domain; write small letters, digits and hyphens with dots between, as in "
        "bench.test",
        domain));
  }
}

/// Mail servers have their own ideas about most other characters in their configurations.
void check_data(const std::string& data) {
  if (data.empty()) {
    return;
  }
  const bool plain = std::all_of(data.begin(), data.end(), [](char c) {
    return is_name_letter(c) || (c >= 'A' && c <= 'Z') ||
           std::string_view("/._-+").find(c) != std::string_view::npos;
  });
  if (data.front() != '/' || !plain) {
    throw UsageError(fmt::format(
        "--data: the folder '{}' cannot stand in a mail server's configuration; name it from the root, with "
        "letters, digits and ._-+ only",
        data));
  }
}

void check_mail(const ClusterPlan& plan) {
  const MailPart& mail = plan.mail;
  if (plan.router == RouterKind::none) {
    throw UsageError(
        "--router: before the proxies of a mail cluster there is dsr, nat or haproxy; with one "
        "proxy there is no router anyhow");
  }
  if (mail.proxies < 1 || mail.proxies > kMostProxies) {
    throw UsageError(fmt::format("--proxies: a cluster has 1 to {} proxies, not {}; for none: --proxy none",
                                 kMostProxies, mail.proxies));
  }
  if (mail.proxy == ProxyKind::none && mail.proxies > 1) {
    throw UsageError("--proxies: without a proxy there cannot be several; choose --proxy nginx or dovecot");
  }
  if (mail.proxy == ProxyKind::none && mail.skew != 0) {
    throw UsageError(
        "--skew: only a proxy knows which node has more mailboxes than others; choose --proxy nginx or "
        "dovecot, or --skew 0");
  }
  if (mail.accounts < plan.nodes) {
    throw UsageError(fmt::format("--accounts: {} mailboxes are too few for {} nodes; each has one at least",
                                 mail.accounts, plan.nodes));
  }
  check_share("--proxy-cpu", "proxy", mail.proxy_cpu);
  check_domain(mail.domain);
  check_data(mail.data);
}

void settle_files(std::string& named) {
  std::error_code error;
  const auto files = std::filesystem::canonical(named, error);
  if (error || !std::filesystem::is_directory(files)) {
    throw UsageError(
        fmt::format("--files: '{0}' is no folder; 'scalemark files web --out {0}' makes one", named));
  }
  named = files.string();
}

void settle_data(std::string& named) {
  if (named.empty()) {
    return;
  }
  std::error_code error;
  const auto data = std::filesystem::canonical(named, error);
  if (error || !std::filesystem::is_directory(data) || ::access(data.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(
        fmt::format("--data: '{}' is no folder that can be written to; make it, or name another", named));
  }
  named = data.string();
  check_data(named);
}

}  // namespace

std::string name_of(ServiceKind service) {
  const auto* found = std::find_if(std::begin(kServices), std::end(kServices),
                                   [&](const auto& known) { return known.first == service; });
  return found->second;
}

ServiceKind service_kind_of(const std::string& name) {
  const auto* found = std::find_if(std::begin(kServices), std::end(kServices),
                                   [&](const auto& known) { return known.second == name; });
  if (found == std::end(kServices)) {
    throw UsageError(fmt::format("'{}' is no service that a cluster can have", name));
  }
  return found->first;
}

std::uint32_t ClusterPlan::proxies() const {
  return service == ServiceKind::mail && mail.proxy != ProxyKind::none ? mail.proxies : 0;
}

bool ClusterPlan::has_router() const {
  return router != RouterKind::none && (service == ServiceKind::web || proxies() > 1);
}

RouterKind ClusterPlan::effective_router() const {
  return has_router() ? router : RouterKind::none;
}

ClusterPlan default_cluster(ServiceKind service) {
  ClusterPlan plan;
  plan.service = service;
  plan.name = name_of(service);
  if (service == ServiceKind::mail) {
    plan.node_cpu = kProcessorShare;
    plan.mail.proxy_cpu = kProcessorShare;
  }
  return plan;
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
  if (plan.service == ServiceKind::web && plan.files.empty()) {
    throw UsageError("no folder is named; say what the nodes serve, as in --files /srv/www");
  }
  check_rate("--node-link", plan.node_link);
  check_rate("--router-link", plan.router_link);
  check_share("--node-cpu", "node", plan.node_cpu);
  if (plan.forwarding == Forwarding::ipvs && plan.router != RouterKind::dsr &&
      plan.router != RouterKind::nat) {
    throw UsageError("--forwarding ipvs goes with --router dsr or nat only");
  }
  if (plan.service == ServiceKind::mail) {
    check_mail(plan);
  }
}

ClusterPlan settled(ClusterPlan plan) {
  check(plan);
  if (plan.service == ServiceKind::web) {
    settle_files(plan.files);
  } else {
    settle_data(plan.mail.data);
  }
  return plan;
}

}  // namespace scalemark::testbed
