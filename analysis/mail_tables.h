// The parts of the text after a mail run that stand below the verdict.
//
// Each returns lines that begin with an empty one, or "" when the record has nothing for them. Pure and
// thread-safe.
#pragma once

#include <string>

#include "analysis/run_view.h"

namespace scalemark::analysis {

/// A row for each iteration with its rates, and why one was not passed where the run's own reasons do not say
/// it already.
[[nodiscard]] std::string mail_iteration_table(const RunView& view);
/// What became of every message of the detailed iteration: the classes that occurred.
[[nodiscard]] std::string ledger_table(const RunView& view);
/// How long the steps took that were taken in the detailed iteration's window.
[[nodiscard]] std::string step_table(const RunView& view);
/// The operations of each node, when nodes are known.
[[nodiscard]] std::string node_table(const RunView& view);
/// Why deliveries and logins were refused, for the iterations in which some were.
[[nodiscard]] std::string refusal_lines(const RunView& view);

}  // namespace scalemark::analysis
