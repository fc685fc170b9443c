// What a cluster's parts have done: one snapshot of all their counters, and the difference of two.
//
// Counters only grow. A snapshot has no meaning by itself, since they began at different times; the
// difference of two says what was done between them. Snapshots are taken every so often, never exactly when a
// window opens, so what stood at an instant is found by interpolation. Pure and thread-safe; a part that
// could not be read is nothing, never 0. Taking snapshots is in testbed/cluster_meter.h.
//
// What the counters leave out: bytes of network cards are counted as Linux hands them over, up to 16 KB with
// one head, so they are some per cent below what a wire would carry. The kernel's network work is charged to
// whichever process runs at the moment, so a node pays for some of the router's and the client's work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"

namespace scalemark::testbed {

/// A network card, seen from its owner.
struct NicCount {
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
};

/// What a server wrote to its access log.
struct RequestCount {
  std::uint64_t requests = 0;  ///< answered, whatever the status; of mail servers: deliveries
  std::uint64_t bytes = 0;     ///< sent, heads included; 0 where the log does not tell
};

/// The periods of a control group with a quota of processor time.
struct QuotaCount {
  std::uint64_t periods = 0;    ///< in which it wanted to run
  std::uint64_t throttled = 0;  ///< in which it was stopped
};

/// Of a node, or of a proxy before the nodes.
struct NodeSample {
  std::string name;  ///< "n1", "x1"
  std::optional<RequestCount> requests;
  std::optional<NicCount> nic;
  std::optional<Duration> cpu;      ///< of all processes of its servers, ended ones included
  std::optional<QuotaCount> quota;  ///< nothing without a cap
};

struct RouterSample {
  std::optional<NicCount> nic;
  std::optional<Duration> cpu;  ///< of the proxy; nothing where the kernel routes
  std::optional<QuotaCount> quota;
  std::optional<std::uint64_t> forwarded_packets;  ///< by the kernel's rules, large packets as one
};

struct MachineSample {
  unsigned processors = 0;
  Duration busy{};     ///< all processors together, the time stolen from them not included
  Duration stolen{};   ///< taken by the host that this machine is a guest of
  Duration foreign{};  ///< used by processes that belong neither to the cluster nor to the study
};

/// All counters at one instant.
struct ClusterSnapshot {
  TimePoint at;
  std::vector<NodeSample> nodes;
  std::vector<NodeSample> proxies;
  std::optional<RouterSample> router;
  std::optional<NicCount> client;
  std::optional<MachineSample> machine;
};

/// What the counters said at `time`, by linear interpolation between the snapshots beside it; before the
/// first and after the last it is that snapshot (and `at` says so). `snapshots` are in the order of time and
/// of the same cluster. Throws RunError when there is none.
[[nodiscard]] ClusterSnapshot at(const std::vector<ClusterSnapshot>& snapshots, TimePoint time);

/// What was done between two snapshots of the same cluster, as a run record has it (docs/result-format.md):
/// "seconds", "nodes", "proxies" (only when there are any), "router", "client", "machine". A counter that
/// went back (a server that was started again) gives null.
[[nodiscard]] nlohmann::ordered_json difference_json(const ClusterSnapshot& from, const ClusterSnapshot& to);

}  // namespace scalemark::testbed
