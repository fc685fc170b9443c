// The parts of the text after a web run that stand below the verdict.
//
// Each returns lines that begin with an empty one, or "" when the record has nothing for them. Pure and
// thread-safe.
#pragma once

#include <string>

#include "analysis/run_view.h"

namespace scalemark::analysis {

/// A row for each iteration, and why one was not passed where the run's own reasons do not say it already.
[[nodiscard]] std::string iteration_table(const RunView& view);
/// A row for each class of the detailed iteration, and one for all.
[[nodiscard]] std::string class_table(const RunView& view);
/// How often each kind of failure occurred, for the iterations that had any.
[[nodiscard]] std::string failure_lines(const RunView& view);

}  // namespace scalemark::analysis
