// What a cluster needs of the machine, looked at before anything is made. Looking asks the system; what
// follows from it is pure. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "testbed/cluster_plan.h"
#include "testbed/cpu_cap.h"
#include "testbed/holder.h"
#include "testbed/service.h"

namespace scalemark::testbed {

/// What this machine has.
struct MachineFacts {
  Privilege privilege = Privilege::none;
  bool ip = false;
  bool tc = false;
  bool nft = false;
  bool haproxy = false;
  std::vector<std::string> service_lacks;  ///< what the service that was asked for needs and has not
  CpuCgroups cgroups;
};

/// Looks; starts two children that try what is allowed.
[[nodiscard]] MachineFacts look_at_machine(const Service& service);

/// A sentence for each thing that the plan needs and the machine has not, with what to do. Pure. `forwarding`
/// is what `automatic` came to.
[[nodiscard]] std::vector<std::string> missing(const ClusterPlan& plan, Forwarding forwarding,
                                               const MachineFacts& machine);

}  // namespace scalemark::testbed
