// What a person reads on the terminal after a mail run.
//
// Made from the record alone, as web_summary() is. Pure and thread-safe.
#pragma once

#include <string>

#include "analysis/text.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// The whole text, ended by a line feed, no line wider than the style says.
[[nodiscard]] std::string mail_summary(const RunRecord& record, const TextStyle& style);

}  // namespace scalemark::analysis
