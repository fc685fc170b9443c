// A table of figures that someone else measured, as a file of comma-separated values.
//
//   # title: Mail through one proxy         lines that begin with '#' are for the reader, but for these two
//   # unit: operations per hour
//   nodes,measured,base,printed_drop        a line of names, in any order; or none: nodes,measured[,base]
//   1,27634,29091,5.0
//   2,57763;57810,29091,0.1                 several measurements of one number of nodes: ';' between them
//
// `series` names a curve of its own, `base` is a single node without anything in between, and `printed_drop`
// a percentage to set beside the one that is worked out. Columns of other names are left alone. Pure but for
// reading the file; thread-safe.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/scaling_data.h"

namespace scalemark::analysis {

/// Throws UsageError with the file, the line and what is wrong with it. `unit` names what was measured; ""
/// takes it from the file.
[[nodiscard]] ScalingData read_table(const std::filesystem::path& path, const std::string& unit);
/// The same from a text; `name` stands for the file in messages.
[[nodiscard]] ScalingData table_from_text(const std::string& text, const std::string& name,
                                          const std::string& unit);

}  // namespace scalemark::analysis
