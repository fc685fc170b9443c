// What the iterations of one kind of record hold as evidence, beside what all kinds have in common.
//
// Pure and thread-safe.
#pragma once

#include "analysis/scaling_data.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// A histogram out of a record's buckets; empty when there are none.
[[nodiscard]] Histogram histogram_of(const Json& json);

/// Of an iteration of a web record: connections asked for and conforming, their rates, the times of a
/// request.
void add_web_evidence(const Json& iteration, Evidence& evidence);
/// Of an iteration of a mail record: users, operations, connections, and what timed out.
void add_mail_evidence(const Json& iteration, Evidence& evidence);

}  // namespace scalemark::analysis
