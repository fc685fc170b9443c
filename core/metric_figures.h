// Figures that every kind of run offers as metrics: counts, their shares, and times from a histogram. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/histogram.h"
#include "core/requirement.h"

namespace scalemark {

struct NamedQuantile {
  const char* name;
  double share;
};
/// The percentiles that records carry and requirements may name.
inline constexpr std::array<NamedQuantile, 4> kQuantiles = {
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}};

/// "mean", the percentiles and "max": what time_of() knows.
[[nodiscard]] std::vector<std::string> time_figures();

/// One of time_figures() of a histogram of microseconds; nothing when it is empty or the figure unknown.
[[nodiscard]] std::optional<Metric> time_of(const Histogram& histogram, std::string_view figure);

/// A count, or its share of `whole` (nothing when that is 0), as `wanted` says.
[[nodiscard]] std::optional<Metric> count_or_share(double count, double whole, ValueKind wanted);

}  // namespace scalemark
