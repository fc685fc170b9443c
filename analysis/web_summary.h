// What a person reads on the terminal after a web run.
//
// Made from the record alone, so the same text can be had again at any time from a record's file. It begins
// with the verdict and the score in one line; a figure that the record does not hold is shown as "-". Pure
// and thread-safe.
#pragma once

#include <string>

#include "analysis/text.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// The whole text of a record of kind "web", ended by a line feed, no line wider than the style says.
[[nodiscard]] std::string web_summary(const RunRecord& record, const TextStyle& style);

}  // namespace scalemark::analysis
