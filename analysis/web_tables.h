// The parts of the text after a web run that stand below the verdict.
//
// Each returns lines that begin with an empty one, or "" when the record has nothing for them. Pure and
// thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/run_record.h"

namespace scalemark::analysis {

/// What the parts of the text need to know. Refers to the record.
struct WebView {
  const RunRecord& record;
  int width;                          ///< no line is wider
  std::vector<std::size_t> scorable;  ///< see scorable_iterations()
  std::optional<std::size_t> scored;  ///< see scored_iteration()

  /// The iteration whose details are shown: the scored one, else the last that could be, else the last; null
  /// when there is none.
  [[nodiscard]] const Json& detailed() const;
};

/// A row for each iteration, and why one was not passed where the run's own reasons do not say it already.
[[nodiscard]] std::string iteration_table(const WebView& view);
/// A row for each class of the detailed iteration, and one for all.
[[nodiscard]] std::string class_table(const WebView& view);
/// How often each kind of failure occurred, for the iterations that had any.
[[nodiscard]] std::string failure_lines(const WebView& view);
/// The sums of the detailed iteration, so that one can see them add up; says so when they do not.
[[nodiscard]] std::string accounting_table(const WebView& view);
/// The generator's health in one line: as much of it, most telling first, as the width has room for.
[[nodiscard]] std::string generator_line(const WebView& view);

}  // namespace scalemark::analysis
