// Takes snapshots of a cluster's counters.
//
// Made once, with every file that it can hold open held open, so that a snapshot costs a few milliseconds and
// starts no process. Belongs to one thread at a time. It holds the switch's and the router's namespaces in
// existence: let it go before the cluster is taken down.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbed/counters.h"
#include "testbed/server.h"

namespace scalemark::testbed {

/// Where a cluster's counters are. Whatever is left empty is not measured.
struct MeterPlan {
  /// A node or a proxy.
  struct Place {
    std::string name;              ///< "n1"
    std::string port;              ///< its port at the switch, "p1"
    std::vector<WorkLog> logs;     ///< where its requests are counted; they are added up
    std::vector<pid_t> sessions;   ///< of its servers: the process ids of the sessions' leaders
    std::filesystem::path cgroup;  ///< folder of its control group; "" none
  };
  struct Router {
    std::string port;              ///< at the switch, "pr"
    pid_t session = 0;             ///< the proxy's; 0 where the kernel routes
    std::filesystem::path cgroup;  ///< "" none
    std::string counter_netns;     ///< where the nft counter of testbed/dispatcher.h is; "" none
  };

  std::string switch_netns;  ///< "" : ports are looked for in the caller's own namespace
  std::vector<Place> nodes;
  std::vector<Place> proxies;
  std::optional<Router> router;
  std::string client_port;    ///< "pc"
  std::vector<pid_t> shared;  ///< sessions that belong to the cluster as a whole: not foreign
  /// Processes whose whole families are not foreign: the generator's and the study's. Empty: this process.
  std::vector<pid_t> own;
  /// Requests count from the log's first line instead of from where the log ends now. Slow with a long log.
  bool whole_logs = false;
};

class ClusterMeter {
 public:
  /// Throws RunError when a namespace or a port at the switch does not exist. A log may come later.
  explicit ClusterMeter(const MeterPlan& plan);
  ~ClusterMeter();
  ClusterMeter(ClusterMeter&& other) noexcept;
  ClusterMeter& operator=(ClusterMeter&& other) noexcept;

  /// Reads everything now.
  [[nodiscard]] ClusterSnapshot snapshot();
  /// The same after kLogDelay: every request that was answered before the call is in it.
  [[nodiscard]] ClusterSnapshot settled_snapshot();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace scalemark::testbed
