// What a person reads on the terminal after a run.
//
// Made from the record alone, so the same text can be had again at any time from a record's file. It begins
// with the verdict and the score in one line; a figure that the record does not hold is shown as "-". Pure
// and thread-safe.
#pragma once

#include <string>

#include "analysis/text.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// The whole text, ended by a line feed, no line wider than the style says. A record of a kind other than
/// "web" gives its verdict, reasons, score and notes only.
[[nodiscard]] std::string web_summary(const RunRecord& record, const TextStyle& style);

}  // namespace scalemark::analysis
