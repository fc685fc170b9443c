// Requirements: what a run must reach to pass, as a user writes it.
//
//   conforming>=95%   ttfb_p99 < 50ms   operations_per_second >= 100   bits_per_second_min >= 320kbit
//
// The text fixes the metric, the comparison and the kind of value; which metrics there are belongs to the
// kind of run. Check every requirement before any load (check_requirement), judge it afterwards (unmet). Pure
// and thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalemark {

enum class ValueKind : std::uint8_t {
  number,    ///< a plain number
  share,     ///< 0 to 1, written "95%"
  duration,  ///< seconds, written "50ms"
  rate,      ///< bits per second, written "320kbit"
};

/// A measured or required figure.
struct Metric {
  double value = 0;
  ValueKind kind = ValueKind::number;
  friend bool operator==(const Metric&, const Metric&) = default;
};

enum class Comparison : std::uint8_t { less, at_most, greater, at_least, equal };

struct Requirement {
  std::string metric;  ///< "ttfb_p99"
  Comparison comparison = Comparison::at_least;
  Metric required;
  std::string value_text;  ///< the value as it was written: "50ms"
};

/// Reads METRIC OP VALUE, with or without spaces; OP is one of < <= > >= ==. Throws UsageError that shows the
/// form.
[[nodiscard]] Requirement parse_requirement(std::string_view text);

/// A metric that a run offers, and as what it may be asked for.
struct MetricInfo {
  std::string name;
  std::vector<ValueKind> kinds;
};

/// Throws UsageError when no such metric is known (it names the nearest one, and all of them) or when the
/// required value is of a kind that the metric does not have.
void check_requirement(const Requirement& requirement, const std::vector<MetricInfo>& known);

/// The value of a metric as the kind wanted; nothing when the run has none (no samples).
using MetricLookup = std::function<std::optional<Metric>(std::string_view name, ValueKind wanted)>;

/// Why a requirement is not met, "conforming is 87.0 %, required >= 95%"; nothing when it is. A metric
/// without a finite value, or of another kind than wanted, does not meet it.
[[nodiscard]] std::optional<std::string> unmet(const Requirement& requirement, const MetricLookup& lookup);

}  // namespace scalemark
