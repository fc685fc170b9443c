// Words that several parts of a report share. Pure and thread-safe.
#pragma once

#include <optional>
#include <string>

#include "analysis/statistics.h"
#include "core/verdict.h"

namespace scalemark::analysis {

/// A measured figure: whole when it is whole or large, else with what decimals tell: "1,890", "943.7",
/// "0.52".
[[nodiscard]] std::string figure_text(std::optional<double> value);
/// "940 - 948".
[[nodiscard]] std::string interval_text(const std::optional<Interval>& interval);
/// "1 node", "8 nodes".
[[nodiscard]] std::string nodes_text(unsigned nodes);
/// A verdict's status for people: "generator-limited", "void".
[[nodiscard]] std::string words_of(Status status);
/// A model's parameter: "0.0123", "1.2e-05", "0".
[[nodiscard]] std::string parameter_text(double value);

}  // namespace scalemark::analysis
