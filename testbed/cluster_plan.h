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

enum class ServerKind : std::uint8_t { nginx, apache, builtin };

/// The most nodes an emulated cluster may have: their addresses come from one /24.
inline constexpr std::uint32_t kMostNodes = 64;

struct ClusterPlan {
  std::string name = "web";  ///< [a-z0-9], at most 8 characters: part of every namespace's name
  std::uint32_t nodes = 1;
  RouterKind router = RouterKind::dsr;
  Spread spread = Spread::round_robin;
  Forwarding forwarding = Forwarding::automatic;
  ServerKind server = ServerKind::nginx;
  std::optional<BitsPerSecond> node_link = BitsPerSecond{100'000'000};    ///< each way; none: no cap
  std::optional<BitsPerSecond> router_link = BitsPerSecond{100'000'000};  ///< each way; none: no cap
  std::optional<double> node_cpu;  ///< share of one processor; none: no cap
  std::string files;               ///< the folder that every node serves
};

/// The settings of a cluster, bound to `plan`, which must outlive them.
[[nodiscard]] Settings cluster_settings(ClusterPlan& plan);

/// Throws UsageError for what no single setting can see.
void check(const ClusterPlan& plan);

}  // namespace scalemark::testbed
