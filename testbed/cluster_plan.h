// What an emulated cluster should look like.
//
// A plain struct with the effective value of every setting, and the table that names them. Copied freely; not
// synchronised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/setting.h"
#include "core/units.h"

namespace scalemark::testbed {

/// How requests find a node.
enum class RouterKind : std::uint8_t {
  none,     ///< no router: clients know the nodes and spread themselves
  dsr,      ///< direct server return: requests pass the router, replies go straight to the client
  nat,      ///< address translation: both directions pass the router
  haproxy,  ///< HAProxy in TCP mode: both directions pass a proxy's sockets
};

/// How a direct-return router spreads connections.
enum class Spread : std::uint8_t {
  round_robin,  ///< in turns, remembered in a connection table
  hash,         ///< by client address and port; uneven, keeps no state
};

/// What does the router's work in the kernel.
enum class Forwarding : std::uint8_t {
  automatic,  ///< IPVS where the kernel has it, nftables otherwise
  nftables,
  ipvs,
};

/// What the nodes serve. Each has settings of its own beside those of every cluster.
enum class ServiceKind : std::uint8_t {
  web,   ///< files over HTTP
  mail,  ///< Postfix and Dovecot on each node, a mail proxy before them
};

enum class ServerKind : std::uint8_t { nginx, apache, builtin };

/// What stands before mail nodes and knows whose mailbox is where.
enum class ProxyKind : std::uint8_t {
  none,     ///< clients know the nodes
  nginx,    ///< nginx's mail proxy for SMTP and POP3; it asks our map service, which asks PostgreSQL
  dovecot,  ///< Dovecot's proxy for POP3 and a Postfix gateway for SMTP, which stores and forwards
};

/// Who puts a message into its mailbox.
enum class Delivery : std::uint8_t {
  postfix,  ///< Postfix's own virtual(8)
  lmtp,     ///< Dovecot, over LMTP
};

/// What only a cluster of mail nodes has.
struct MailPart {
  ProxyKind proxy = ProxyKind::nginx;
  std::uint32_t proxies = 1;        ///< more than one need a router before them
  std::optional<double> proxy_cpu;  ///< share of one processor; none: no cap
  std::uint32_t accounts = 96;      ///< mailboxes in all
  double skew = 0;                  ///< node k holds a share as 1/k^skew of the accounts; 0: evenly
  std::string domain = "bench.test";
  Delivery delivery = Delivery::postfix;
  std::string data;  ///< folder for queues and mailboxes; "": the cluster's own
};

/// The most nodes an emulated cluster may have: their addresses come from one /24.
inline constexpr std::uint32_t kMostNodes = 64;
inline constexpr std::uint32_t kMostProxies = 8;

struct ClusterPlan {
  ServiceKind service = ServiceKind::web;
  std::string name = "web";  ///< [a-z0-9], at most 8 characters: part of every namespace's name
  std::uint32_t nodes = 1;
  RouterKind router = RouterKind::dsr;
  Spread spread = Spread::round_robin;
  Forwarding forwarding = Forwarding::automatic;
  ServerKind server = ServerKind::nginx;
  std::optional<BitsPerSecond> node_link = BitsPerSecond{100'000'000};    ///< each way; none: no cap
  std::optional<BitsPerSecond> router_link = BitsPerSecond{100'000'000};  ///< each way; none: no cap
  std::optional<double> node_cpu;  ///< share of one processor; none: no cap
  std::string files;               ///< web: the folder that every node serves
  MailPart mail;                   ///< mail only

  /// Whether there is a router: a mail cluster has one only before several proxies.
  [[nodiscard]] bool has_router() const;
  /// `router` where there is one, else none.
  [[nodiscard]] RouterKind effective_router() const;
  /// Proxies of its own, at places of their own: none in a web cluster.
  [[nodiscard]] std::uint32_t proxies() const;
};

/// What a cluster of that service is unless it is asked to be something else.
[[nodiscard]] ClusterPlan default_cluster(ServiceKind service);

/// The settings of a cluster of `plan.service`, bound to `plan`, which must outlive them.
[[nodiscard]] Settings cluster_settings(ClusterPlan& plan);

/// "web", "mail".
[[nodiscard]] std::string name_of(ServiceKind service);
/// Throws UsageError when there is no such service.
[[nodiscard]] ServiceKind service_kind_of(const std::string& name);

/// Throws UsageError for what no single setting can see. Pure.
void check(const ClusterPlan& plan);
/// check(), and looks for the folders that the plan names: gives them as absolute paths without symbolic
/// links. Throws UsageError for one that is not there or cannot be used.
[[nodiscard]] ClusterPlan settled(ClusterPlan plan);

}  // namespace scalemark::testbed
