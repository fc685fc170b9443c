// One request before any load: does the target serve what the run will ask for?
//
// Made with libcurl whatever the engine, so that it is a second opinion; blocks. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "web_bench/request_source.h"
#include "web_bench/target.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

struct ProbeResult {
  std::optional<std::string> fault;  ///< what is wrong, and what to do about it; nothing when all is right
  std::uint32_t mss = 0;             ///< TCP maximum segment size of the connection in bytes; 0: unknown
};

/// Asks `target` for `item`, from `source_address` if given, and compares the answer byte for byte.
[[nodiscard]] ProbeResult probe(const Target& target, const Address* source_address,
                                const RequestSource& source, Item item, const WebPlan& plan);

}  // namespace scalemark::web
