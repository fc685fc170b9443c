// The variants of a study's file: tables within [variants], read and written.
//
//   [variants.2K]
//   message-size = "2K"
//   [variants."half a processor"]
//   cluster.node-cpu = "50%"
//
// A variant's table has settings of the workload; what stands in its table `cluster` are settings of the
// cluster. Reads files; otherwise pure.
#pragma once

#include <string>
#include <vector>

#include "study/study_plan.h"

namespace scalemark::app {

/// The names of all tables that the variants of the file bring along, as read_toml() wants to know them.
[[nodiscard]] std::vector<std::string> variant_tables(const std::string& path);

/// The file's variants of that plan, whose tables [cluster] and [web] or [mail] have been read; `tables` are
/// all that the file may have. Throws UsageError with file and line.
[[nodiscard]] std::vector<study::Variant> read_variants(const study::StudyPlan& plan, const std::string& path,
                                                        const std::vector<std::string>& tables);

/// The variants as tables of a file, "" when there are none.
[[nodiscard]] std::string write_variants(const study::StudyPlan& plan);

}  // namespace scalemark::app
