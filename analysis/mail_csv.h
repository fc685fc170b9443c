// Mail records as comma-separated values, for spreadsheets and statistics programs.
//
// As web_csv() in form; the columns are described in docs/result-format.md. Pure and thread-safe.
#pragma once

#include <string>

#include "core/run_record.h"

namespace scalemark::analysis {

/// One row per iteration and step, before them one of step "all" that has what is of the iteration as a
/// whole. Throws UsageError when the record is not of kind "mail".
[[nodiscard]] std::string mail_csv(const RunRecord& record);

}  // namespace scalemark::analysis
