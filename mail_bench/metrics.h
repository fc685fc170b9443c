// The figures that requirements may name ("operation_p99<2s"). Pure and thread-safe.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/requirement.h"
#include "mail_bench/iteration.h"

namespace scalemark::mail {

/// Every metric's name and the kinds of values that it can be compared with.
[[nodiscard]] const std::vector<MetricInfo>& mail_metrics();

/// A metric of an iteration; nothing when it has no value there.
[[nodiscard]] std::optional<Metric> metric_of(const IterationFigures& figures, std::string_view name,
                                              ValueKind wanted);

}  // namespace scalemark::mail
