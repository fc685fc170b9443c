// What requirements can be about: the named figures of a web iteration.
//
// Pure and thread-safe.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/requirement.h"
#include "web_bench/iteration.h"

namespace scalemark::web {

/// Every metric that --require may name, with the kinds that its value may have.
[[nodiscard]] const std::vector<MetricInfo>& web_metrics();

/// A metric's value in an iteration; nothing when it has none. `wanted` picks between a count and a share.
[[nodiscard]] std::optional<Metric> metric_of(const IterationFigures& figures, std::string_view name,
                                              ValueKind wanted);

}  // namespace scalemark::web
