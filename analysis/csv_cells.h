// Cells of a record's CSV. Pure and thread-safe.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/run_record.h"

namespace scalemark::analysis {

/// The figures of a histogram that a CSV has columns for.
inline constexpr const char* kCsvStatistics[] = {"mean", "p50", "p90", "p99", "p999", "max"};

/// A figure as the record writes it; "" for null and for what is not there.
[[nodiscard]] std::string csv_cell(const Json& from, std::initializer_list<const char*> path);

/// "reset:3;bad_status:12" from an object of counts.
[[nodiscard]] std::string csv_counts(const Json& counts);

/// The names of an accounting's six columns, each behind `lead`.
void add_accounting_names(const std::string& lead, std::vector<std::string>& names);
/// And their cells.
void add_accounting_cells(const Json& accounting, std::vector<std::string>& row);

}  // namespace scalemark::analysis
