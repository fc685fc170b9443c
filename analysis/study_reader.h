// Records into the shape that a report is made from.
//
// Accepted are the record of a study (its trials' records are read from beside it), a folder that holds one
// as study.json, and web records that say which cluster they measured. Reads files; thread-safe.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/scaling_data.h"

namespace scalemark::analysis {

/// Everything from all of them. Throws UsageError with the path and what is wrong with it. A trial's record
/// that cannot be read is a note in the result and no error: what is known without it stays.
[[nodiscard]] ScalingData read_measurements(const std::vector<std::filesystem::path>& paths);

}  // namespace scalemark::analysis
