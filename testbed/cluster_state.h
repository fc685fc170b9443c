// What is known of a cluster between commands: one JSON file per cluster, written before anything is made.
//
// The file lies in <state folder>/NAME/cluster.json; the folder also holds the nodes' configurations and
// logs. A name, a control group or a process that the file holds is ours, whether or not it exists by now;
// what the file does not hold is not ours. Plain data; not synchronised: writers hold the ClusterLock of that
// name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "testbed/cluster_plan.h"
#include "testbed/process.h"

namespace scalemark::testbed {

/// How far a cluster has come.
enum class ClusterStage : std::uint8_t {
  building,  ///< parts of it may be there
  up,
  changing,  ///< nodes are being added or removed
  going,     ///< being taken down
};

/// A network namespace that is ours.
struct ClaimedNamespace {
  std::string name;
  std::uint64_t identity = 0;  ///< the kernel's number of it; 0: not known to be made yet
  friend bool operator==(const ClaimedNamespace&, const ClaimedNamespace&) = default;
};

/// A process that was started for the cluster.
struct ServiceRecord {
  std::string name;              ///< "n1", "n1.postfix", "router", "db"
  std::string netns;             ///< where it runs; "": in none of the cluster's, it belongs to all places
  ProcessId process;             ///< the leader of its session
  std::filesystem::path cgroup;  ///< "": none
  friend bool operator==(const ServiceRecord&, const ServiceRecord&) = default;
};

struct ClusterState {
  ClusterPlan plan;
  ClusterStage stage = ClusterStage::building;
  std::string boot;  ///< of this run of the machine: processes of an earlier one are gone
  Forwarding forwarding = Forwarding::nftables;  ///< what `automatic` came to
  std::optional<ProcessId> holder;               ///< keeps the namespaces of a cluster made without root
  std::vector<ClaimedNamespace> namespaces;
  std::vector<std::filesystem::path> cgroups;
  std::vector<std::filesystem::path> folders;  ///< outside of the cluster's own
  std::vector<ServiceRecord> services;

  /// Null when there is no such service.
  [[nodiscard]] const ServiceRecord* service(const std::string& name) const;
};

[[nodiscard]] std::string state_text(const ClusterState& state);
/// Throws RunError when the text is no state of this version.
[[nodiscard]] ClusterState state_from_text(const std::string& text);

/// /run/scalemark as root; else $XDG_RUNTIME_DIR/scalemark or /tmp/scalemark-UID. Decided at the first call:
/// later ones give the same, although the process may have moved into a user namespace since.
[[nodiscard]] std::filesystem::path state_folder();
/// Where all files of that cluster lie.
[[nodiscard]] std::filesystem::path cluster_folder(const std::string& name);

/// None when there is no such file. Throws RunError when it cannot be read or understood.
[[nodiscard]] std::optional<ClusterState> read_state(const std::string& name);
/// Throws RunError.
void write_state(const ClusterState& state);
/// Whether there is anything of a cluster of that name: a state, or a folder or lock of a killed command.
[[nodiscard]] bool leaves_traces(const std::string& name);
/// Removes the cluster's folder and all in it.
void forget_state(const std::string& name);
/// The names of the clusters that have a state file.
[[nodiscard]] std::vector<std::string> known_clusters();
/// An identification of this run of the machine.
[[nodiscard]] std::string boot_identity();

/// Keeps commands on one cluster apart. Programs that a command runs inherit the lock, so that it is held
/// until the last of them has ended even when the command itself is killed.
class ClusterLock {
 public:
  /// Waits up to a minute for others. Throws RunError.
  explicit ClusterLock(const std::string& name);
  ~ClusterLock();
  ClusterLock(const ClusterLock&) = delete;
  ClusterLock& operator=(const ClusterLock&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace scalemark::testbed
