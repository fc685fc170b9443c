// From the books of an iteration to its figures.
//
// Pure: a merged tally in, figures out, by the rules of docs/terms.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/phases.h"
#include "web_bench/account.h"
#include "web_bench/iteration.h"
#include "web_bench/request_source.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

/// Figures of an iteration, and what speaks against it, except for what the process as a whole adds (memory,
/// descriptors, ports: the caller's). `tally` comes from Tally::merge(), so its lists are in order.
/// `generator_faults` are sentences about what broke in the generator ("a generator thread stopped: ..."):
/// they void the iteration. Connections that no tally speaks of are neither valid nor blamed on the server.
[[nodiscard]] IterationFigures figures_of(const Tally& tally, const WebPlan& plan,
                                          const RequestSource& source, const Schedule& schedule,
                                          std::uint32_t number,
                                          std::vector<std::string> generator_faults = {});

}  // namespace scalemark::web
