// What a cluster serves: the processes of its nodes and of what stands before them, and how one asks whether
// they serve.
//
// The cluster (testbed/cluster.h) makes the places (namespaces, links, control groups), starts what the
// service names in them, waits until all of it answers, lets the service settle while nothing is capped yet,
// and then puts the caps on. A service knows its protocol and its programs, and nothing of namespaces or
// state files. One object per command; used from one thread, except where it says more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/cluster_plan.h"
#include "testbed/server.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// One process to start at a place, or outside of all places when it belongs to the cluster as a whole. It
/// stays in the foreground, and what it starts stays in its session: what leaves that is not found again when
/// the cluster is taken down.
struct ServiceProcess {
  std::string name;  ///< unique in the cluster: "n1" or, where a node has several, "n1.postfix"; "db"
  ServiceSetup setup;
};

class Service {
 public:
  virtual ~Service() = default;

  /// The ports that clients use, the same at nodes, proxies and the router: 80; 25 and 110.
  [[nodiscard]] virtual std::vector<std::uint16_t> ports() const = 0;
  /// What this machine lacks for it, a sentence each with what to do.
  [[nodiscard]] virtual std::vector<std::string> missing() const = 0;
  /// Whether nodes can be added and taken away while it serves; else a cluster of another size is made anew.
  [[nodiscard]] virtual bool can_grow() const = 0;
  /// The signal that ends its processes in good order.
  [[nodiscard]] virtual int good_ending() const = 0;

  /// Folders outside of the cluster's own, as on a disk that is to be measured. They are claimed and made
  /// before all else, and removed with all that is in them when the cluster goes; up() refuses when one is
  /// there already. What holds them must exist; a small file of ours will be in each. Whatever else a service
  /// makes must lie in them or in the cluster's folder, or else it would stay when a command is killed.
  [[nodiscard]] virtual std::vector<std::filesystem::path> folders() const { return {}; }
  /// Of the cluster as a whole, started before all others; usually none. They run in no namespace.
  [[nodiscard]] virtual std::vector<ServiceProcess> shared() const { return {}; }
  /// Before shared() is started, when what it names has been prepared, and after: a database is made, and
  /// filled. after_shared() has to wait until it answers. Throws RunError.
  virtual void before_shared() {}
  virtual void after_shared() {}
  /// Before a node's or a proxy's processes are started, when their folders and files have been prepared and
  /// the place's network is there. Programs that it runs, in the place's namespace or outside, are to end
  /// before it returns. Throws RunError.
  virtual void before_place(const NodePlace& /*place*/) {}
  /// The processes of a node and of a proxy, in the order of starting; nobody waits in between.
  [[nodiscard]] virtual std::vector<ServiceProcess> of_node(const NodePlace& node) const = 0;
  [[nodiscard]] virtual std::vector<ServiceProcess> of_proxy(const NodePlace& /*proxy*/) const { return {}; }
  /// Logs that a node writes line by line for work done.
  [[nodiscard]] virtual std::vector<WorkLog> work_logs(const NodePlace& node) const = 0;

  /// One real request to a node, made in the namespace `from`; "" when it serves, else what is wrong.
  [[nodiscard]] virtual std::string ask_node(const std::string& from, const NodePlace& node,
                                             Duration timeout) const = 0;
  /// The same through what clients talk to (a proxy or the router) at `address`. `turn` counts from 0: with
  /// one request a turn each node is reached where there are turns.
  [[nodiscard]] virtual std::string ask_front(const std::string& from, const std::string& address,
                                              unsigned turn, Duration timeout) const = 0;
  /// Once all answer and nothing is capped: work that a service does only the first time is done here, so
  /// that no measurement meets it. `fronts` are the addresses that clients use. Throws RunError.
  virtual void settle(const std::string& /*from*/, const std::vector<std::string>& /*fronts*/) {}
};

/// Makes the service of a plan, which is copied.
using ServiceMaker = std::function<std::unique_ptr<Service>(const ClusterPlan&)>;

/// The service that the plan asks for.
[[nodiscard]] std::unique_ptr<Service> make_service(const ClusterPlan& plan);

}  // namespace scalemark::testbed
