// The settings of clusters, declared in testbed/cluster_plan.h.
#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "core/setting_types.h"
#include "testbed/cluster_plan.h"

namespace scalemark::testbed {
namespace {

constexpr const char* kNodes = "Nodes";
constexpr const char* kRouter = "Router";
constexpr const char* kProxies = "Proxies";
constexpr const char* kMailboxes = "Mailboxes";
constexpr const char* kCluster = "Cluster";
constexpr std::uint32_t kMostAccounts = 100'000;
constexpr double kMostSkew = 4;

/// A setting whose text may also be "none".
template <typename Value>
Setting optional_setting(const std::function<Setting(Value&)>& make, std::optional<Value>& field) {
  Value shape{};
  Setting setting =
      make(shape);  // for its name and words; what it is bound to does not outlive this function
  setting.set = [make, &field](const std::vector<std::string>& texts) {
    if (!texts.empty() && texts.back() == "none") {
      field.reset();
      return;
    }
    Value value{};
    make(value).set(texts);
    field = value;
  };
  setting.get = [make, &field] {
    if (!field) {
      return std::vector<std::string>{"none"};
    }
    Value value = *field;
    return make(value).get();
  };
  return setting;
}

Setting link_setting(const std::string& name, const std::string& help, const std::string& group,
                     std::optional<BitsPerSecond>& field) {
  return optional_setting<BitsPerSecond>(
      [=](BitsPerSecond& rate) { return rate_setting(name, help, group, rate); }, field);
}

Setting cpu_setting(const std::string& name, const std::string& who, const std::string& group,
                    std::optional<double>& field) {
  return optional_setting<double>(
      [=](double& share) {
        return share_setting(name,
                             fmt::format("share of one processor that each {} may use; none: no limit", who),
                             group, share);
      },
      field);
}

Setting name_setting(ClusterPlan& plan) {
  return text_setting("name", "name of the cluster: up to 8 small letters and digits", kCluster, plan.name,
                      "NAME");
}

Setting nodes_setting(ClusterPlan& plan) {
  return count_setting("nodes", "how many servers", kNodes, plan.nodes, 1, kMostNodes);
}

std::vector<Setting> node_limits(ClusterPlan& plan) {
  return {link_setting("node-link", "speed of each node's network card, each way; none: no limit", kNodes,
                       plan.node_link),
          cpu_setting("node-cpu", "node", kNodes, plan.node_cpu)};
}

std::vector<Setting> router_details(ClusterPlan& plan, const std::string& link_of) {
  return {
      choice_setting<Spread>("spread", "how a direct-return router spreads connections", kRouter, plan.spread,
                             {{"round-robin", Spread::round_robin}, {"hash", Spread::hash}}),
      choice_setting<Forwarding>(
          "forwarding", "what routes in the kernel; auto takes IPVS where there is one", kRouter,
          plan.forwarding,
          {{"auto", Forwarding::automatic}, {"nftables", Forwarding::nftables}, {"ipvs", Forwarding::ipvs}}),
      link_setting("router-link", fmt::format("speed of {}, each way; none: no limit", link_of), kRouter,
                   plan.router_link)};
}

void append(Settings& settings, std::vector<Setting> more) {
  settings.insert(settings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Settings web_cluster_settings(ClusterPlan& plan) {
  Settings settings = {
      name_setting(plan),
      text_setting("files", "folder that every node serves; it holds file_set/", kCluster, plan.files, "DIR"),
      nodes_setting(plan),
      choice_setting<ServerKind>(
          "server", "what serves on each node", kNodes, plan.server,
          {{"nginx", ServerKind::nginx}, {"apache", ServerKind::apache}, {"builtin", ServerKind::builtin}})};
  append(settings, node_limits(plan));
  settings.push_back(choice_setting<RouterKind>(
      "router",
      "how requests find a node: direct server return, address translation, HAProxy, or not at all (clients "
      "know the nodes)",
      kRouter, plan.router,
      {{"dsr", RouterKind::dsr},
       {"nat", RouterKind::nat},
       {"haproxy", RouterKind::haproxy},
       {"none", RouterKind::none}}));
  append(settings, router_details(plan, "the router's network card"));
  return settings;
}

std::vector<Setting> proxy_settings(MailPart& mail) {
  return {choice_setting<ProxyKind>(
              "proxy",
              "what knows whose mailbox is where: nginx for SMTP and POP3, Dovecot for POP3 with a Postfix "
              "gateway for SMTP, or nothing (clients know the nodes)",
              kProxies, mail.proxy,
              {{"none", ProxyKind::none}, {"nginx", ProxyKind::nginx}, {"dovecot", ProxyKind::dovecot}}),
          count_setting("proxies", "how many of them; a router stands before several", kProxies, mail.proxies,
                        1, kMostProxies),
          cpu_setting("proxy-cpu", "proxy", kProxies, mail.proxy_cpu)};
}

std::vector<Setting> mailbox_settings(MailPart& mail) {
  return {count_setting("accounts", "mailboxes in all, dealt out over the nodes", kMailboxes, mail.accounts,
                        1, kMostAccounts),
          number_setting("skew", "how unevenly: node k has a share as 1/k to the power of this; 0: evenly",
                         kMailboxes, mail.skew, 0, kMostSkew),
          text_setting("domain", "what follows the @ in all addresses", kMailboxes, mail.domain, "DOMAIN"),
          choice_setting<Delivery>(
              "delivery", "who puts messages into mailboxes: Postfix itself, or Dovecot over LMTP",
              kMailboxes, mail.delivery, {{"postfix", Delivery::postfix}, {"lmtp", Delivery::lmtp}}),
          text_setting("data",
                       "folder for queues and mailboxes, as on a disk that is to be measured; without it the "
                       "cluster's own",
                       kMailboxes, mail.data, "DIR")};
}

Settings mail_cluster_settings(ClusterPlan& plan) {
  Settings settings = {name_setting(plan), nodes_setting(plan)};
  append(settings, node_limits(plan));
  append(settings, proxy_settings(plan.mail));
  settings.push_back(choice_setting<RouterKind>(
      "router", "what stands before several proxies: direct server return, address translation or HAProxy",
      kRouter, plan.router,
      {{"dsr", RouterKind::dsr}, {"nat", RouterKind::nat}, {"haproxy", RouterKind::haproxy}}));
  append(settings, router_details(plan, "the network cards of router and proxies"));
  append(settings, mailbox_settings(plan.mail));
  return settings;
}

}  // namespace

Settings cluster_settings(ClusterPlan& plan) {
  return plan.service == ServiceKind::mail ? mail_cluster_settings(plan) : web_cluster_settings(plan);
}

}  // namespace scalemark::testbed
