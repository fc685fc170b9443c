// A cluster of real servers on this machine: brought up, found again, changed, taken down.
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

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbed/cluster_parts.h"
#include "testbed/cluster_plan.h"
#include "testbed/cluster_state.h"
#include "testbed/service.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

class ClusterMeter;

class Cluster {
 public:
  /// Makes the cluster of that plan, or leaves it alone when it stands already. When only the number of nodes
  /// differs, and the service can grow, it is scaled: connections to nodes that stay are not broken; nodes
  /// that go are taken out of the router first and stopped when their last connection has ended, or after
  /// kDrainTime. Otherwise it is taken down and made anew. Returns when every node has answered a request,
  /// and all that stands before them too, and the caps are on. Throws UsageError for a plan that cannot be
  /// and RunError naming what is missing, what stands in the way or which node does not answer; nothing of
  /// the attempt is left then.
  static Cluster up(const ClusterPlan& plan, const Notice& notice = {},
                    const ServiceMaker& maker = make_service);
  /// Throws RunError naming all that this machine lacks for such a cluster. Makes nothing.
  static void require_machine(const ClusterPlan& plan);
  /// The cluster of that name, none when there is none. Throws RunError when it is half made or damaged.
  static std::optional<Cluster> find(const std::string& name, const ServiceMaker& maker = make_service);
  /// Those of this user that a state file knows, half made ones too.
  static std::vector<std::string> names();
  /// Takes down all that the state file of that name claims, whatever condition it is in. False: there was
  /// nothing. Throws RunError when something would not go.
  static bool down(const std::string& name, const Notice& notice = {});

  [[nodiscard]] const ClusterPlan& plan() const { return state_.plan; }
  [[nodiscard]] const ClusterState& state() const { return state_; }
  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Service& service() const { return *service_; }
  /// The addresses that clients use: the router's, else the proxies', else the nodes'.
  [[nodiscard]] std::vector<std::string> fronts() const;
  /// The same of web servers as URLs; none for other services.
  [[nodiscard]] std::vector<std::string> urls() const;
  /// Which of its processes has ended or what else is gone, half a sentence; "" nothing. Asks no server.
  [[nodiscard]] std::string damage() const;
  /// A request to every node, and through all that stands before them. Throws RunError naming the first that
  /// does not answer.
  void check_health() const;
  /// One request to the node of that number; "" when it serves, else what is wrong.
  [[nodiscard]] std::string ask_node(std::uint32_t number, Duration timeout) const;
  /// Counters of every part; include testbed/cluster_meter.h. Let it go before the cluster is taken down.
  [[nodiscard]] ClusterMeter meter() const;
  /// Moves the calling thread, and what it starts from now on, into the client's network. Throws RunError.
  void enter_client() const;

  /// How long a node that is removed may go on serving the connections that it has.
  static constexpr Duration kDrainTime = std::chrono::seconds(20);

 private:
  Cluster(ClusterState state, std::shared_ptr<Service> service);

  ClusterState state_;
  Topology topology_;
  std::shared_ptr<Service> service_;  // of this plan, so copies of the cluster can share it
};

}  // namespace scalemark::testbed
