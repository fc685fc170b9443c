// Records as comma-separated values, for spreadsheets and statistics programs.
//
// RFC 4180: a header line, CRLF line ends, quotes around what needs them. The numbers are the record's own,
// to the last digit; what the record has no figure for is an empty field. Columns are described in
// docs/result-format.md. Pure and thread-safe.
#pragma once

#include <string>

#include "core/run_record.h"

namespace scalemark::analysis {

/// One row per iteration and class, the row of class "all" first. Throws UsageError when the record is not of
/// kind "web".
[[nodiscard]] std::string web_csv(const RunRecord& record);

}  // namespace scalemark::analysis
