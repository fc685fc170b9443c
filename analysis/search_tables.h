// The part of the text after a web run that says how its load was found.
//
// Made from the record's member `search` alone. Pure and thread-safe.
#pragma once

#include <string>

#include "core/run_record.h"

namespace scalemark::analysis {

/// What the search found and a row for each of its trials; begins with an empty line. "" when the record is
/// of no search.
[[nodiscard]] std::string search_table(const RunRecord& record, int width);

}  // namespace scalemark::analysis
