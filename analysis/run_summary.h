// The text and the table of a run's record, whatever its kind.
//
// Pure and thread-safe.
#pragma once

#include <string>

#include "analysis/text.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// What a person reads on the terminal after a run. A record of a kind that is not known gives its verdict,
/// reasons, score and notes only.
[[nodiscard]] std::string run_summary(const RunRecord& record, const TextStyle& style);

/// The iterations as comma-separated values. Throws UsageError for a kind that has no such table.
[[nodiscard]] std::string run_csv(const RunRecord& record);

}  // namespace scalemark::analysis
