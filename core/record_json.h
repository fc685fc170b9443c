// How the figures that all kinds of runs share stand in a record (docs/result-format.md).
//
// Pure and thread-safe. `measured` says whether a window opened: figures of one that did not are null.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/accounting.h"
#include "core/clock.h"
#include "core/generator_health.h"
#include "core/histogram.h"
#include "core/judgement.h"
#include "core/verdict.h"

namespace scalemark {

/// A number, or null for what is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);
/// A figure that exists only where something was measured; else null.
[[nodiscard]] nlohmann::ordered_json json_number_if(bool exists, double value);

[[nodiscard]] nlohmann::ordered_json verdict_json(const Verdict& verdict);
/// What every iteration's object begins with: number, whether it is partial, verdict, and its window.
struct IterationHead {
  std::uint32_t number = 1;
  bool partial = false;
  double window_seconds = 0;  ///< 0: the window never opened, and the instants are null
  TimePoint opened{};
  TimePoint closed{};
};
[[nodiscard]] nlohmann::ordered_json iteration_json(const IterationHead& head, const Findings& findings);
/// Milliseconds from a histogram's microseconds, null when it is empty. The buckets go along, so that whoever
/// reads several records can add distributions up instead of averaging percentiles.
[[nodiscard]] nlohmann::ordered_json histogram_json(const Histogram& histogram);
/// Failures: the total, and each kind that occurred.
[[nodiscard]] nlohmann::ordered_json accounting_json(const Accounting& accounting);
/// An object of counts by name; an empty object when there are none.
[[nodiscard]] nlohmann::ordered_json counts_json(const std::map<std::string, std::uint64_t>& counts);
[[nodiscard]] nlohmann::ordered_json unfinished_json(const std::vector<UnfinishedOperation>& operations);
[[nodiscard]] nlohmann::ordered_json generator_json(const GeneratorFigures& generator, bool measured);
[[nodiscard]] nlohmann::ordered_json series_json(const std::vector<SeriesPoint>& series);

}  // namespace scalemark
