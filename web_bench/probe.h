// One request before any load: does the target serve what the run will ask for?
//
// Made with the run's own engine on an event loop of its own; blocks, at most for the plan's time-outs.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "web_bench/request_source.h"
#include "web_bench/target.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

struct ProbeResult {
  std::optional<std::string> fault;  ///< what is wrong, and what to do about it; nothing when all is right
  std::uint32_t mss = 0;             ///< TCP maximum segment size of the connection in bytes; 0: unknown
};

/// Asks `target` for `item`, from the first of `bind` if there is one, and compares the answer byte for byte.
/// Throws RunError when `stop` (which may be null) is set meanwhile.
[[nodiscard]] ProbeResult probe(const Target& target, const std::vector<Address>& bind,
                                const RequestSource& source, Item item, const WebPlan& plan,
                                const std::atomic<bool>* stop);

}  // namespace scalemark::web
