// What is looked at before any load, so that a run fails before it begins and with a sentence.
//
// Looks at the machine (clock, descriptors, ports) and asks each target for one file of each class. Raises
// the process's descriptor limit on the way.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "web_bench/request_source.h"
#include "web_bench/run.h"
#include "web_bench/target.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

/// A plan with everything that a run needs looked up.
struct Prepared {
  std::unique_ptr<RequestSource> source;  ///< null without a server
  std::vector<Target> targets;
  std::vector<Address> bind;
  std::uint32_t mss = 0;  ///< of the first target's connection, in bytes; 0: unknown
  std::vector<PreflightFinding> findings;
};

/// Looks everything up. Without a server only the machine is looked at. Throws UsageError or RunError when
/// something cannot even be looked up; what was found wanting is a finding. A `stop` that is set ends the
/// probing: RunError.
[[nodiscard]] Prepared prepare(const WebPlan& plan, const std::atomic<bool>* stop = nullptr);

}  // namespace scalemark::web
