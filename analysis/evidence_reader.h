// The iterations of a web record as evidence for a point. Pure and thread-safe.
#pragma once

#include <vector>

#include "analysis/scaling_data.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// The iterations that count (see scorable_iterations()) and what the record's `cluster` says of them.
[[nodiscard]] std::vector<Evidence> evidence_in(const RunRecord& record);
/// Adds them to `point`, and takes over the cluster's limits.
void add_evidence(const RunRecord& record, ScalingPoint& point);

/// Effective settings and machine as pairs of words, without what is not set.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_facts(const Json& plan);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> machine_facts(const Json& context);

}  // namespace scalemark::analysis
