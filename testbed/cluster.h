// A cluster of real web servers on this machine: brought up, found again, changed, taken down.
//
// What exists on the machine is the truth and the state file (testbed/cluster_state.h) says what of it is
// ours, so a cluster outlives the process that made it and any later one can find it by name. Everything is
// claimed in the state file before it is made: down() therefore cleans up after a crash at any moment, and
// touches nothing else. Calls that change a cluster of one name are kept apart, across processes, by a lock
// file.
//
// Without root a small process holds user, mount and network namespaces, and up(), find() and down() move the
// calling process into them: they must then be called before it has threads. An object refers to nothing; it
// belongs to one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbed/cluster_plan.h"
#include "testbed/cluster_state.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

class ClusterMeter;

/// What happens, a line at a time. May throw to give up: what was made so far is taken down again.
using Notice = std::function<void(const std::string&)>;

class Cluster {
 public:
  /// Makes the cluster of that plan, or leaves it alone when it stands already. When only the number of nodes
  /// differs it is scaled: connections to nodes that stay are not broken; nodes that go are taken out of the
  /// router first and stopped when their last connection has ended, or after kDrainTime. Otherwise it is
  /// taken down and made anew. Returns when every node has answered a request, and the router too. Throws
  /// UsageError for a plan that cannot be and RunError naming what is missing, what stands in the way or
  /// which node does not answer; nothing of the attempt is left then.
  static Cluster up(const ClusterPlan& plan, const Notice& notice = {});
  /// The cluster of that name, none when there is none. Throws RunError when it is half made or damaged.
  static std::optional<Cluster> find(const std::string& name);
  /// Those of this user that a state file knows, half made ones too.
  static std::vector<std::string> names();
  /// Takes down all that the state file of that name claims, whatever condition it is in. False: there was
  /// nothing. Throws RunError when something would not go.
  static bool down(const std::string& name, const Notice& notice = {});

  [[nodiscard]] const ClusterPlan& plan() const { return state_.plan; }
  [[nodiscard]] const ClusterState& state() const { return state_; }
  [[nodiscard]] const Topology& topology() const { return topology_; }
  /// Where clients go: one URL per node without a router, else the router's.
  [[nodiscard]] std::vector<std::string> urls() const;
  /// A request to every node and through the router. Throws RunError naming the first that does not answer.
  void check_health() const;
  /// Counters of every part; include testbed/cluster_meter.h. Let it go before the cluster is taken down.
  [[nodiscard]] ClusterMeter meter() const;
  /// Moves the calling thread, and what it starts from now on, into the client's network. Throws RunError.
  void enter_client() const;

  /// How long a node that is removed may go on serving the connections that it has.
  static constexpr Duration kDrainTime = std::chrono::seconds(20);

 private:
  explicit Cluster(ClusterState state);

  ClusterState state_;
  Topology topology_;
};

}  // namespace scalemark::testbed
