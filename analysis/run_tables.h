// Parts of the text after a run that stand below the verdict and are the same for every kind of run.
//
// Each returns lines that begin with an empty one, or "" when the record has nothing for them, unless it says
// otherwise. Pure and thread-safe.
#pragma once

#include <string>

#include "analysis/run_view.h"

namespace scalemark::analysis {

/// An iteration's status, short enough for a table's cell. One that was cut short did not pass.
[[nodiscard]] std::string status_cell(const Json& iteration);
/// "3*": an iteration's number, marked when it is the score's.
[[nodiscard]] std::string number_cell(const RunView& view, std::size_t index);
/// Why single iterations were not passed, where the run's own reasons do not say it already; lines without an
/// empty one before them.
[[nodiscard]] std::string iteration_reasons(const RunView& view);
/// The sums of the detailed iteration, so that one can see them add up; says so when they do not.
[[nodiscard]] std::string accounting_table(const RunView& view);
/// The generator's health in one line: as much of it, most telling first, as the width has room for.
[[nodiscard]] std::string generator_line(const RunView& view);

}  // namespace scalemark::analysis
