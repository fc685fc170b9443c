// The head of the text after a run: verdict, reasons, notes, and where the score comes from.
//
// The same for every kind of run, made from the record's envelope. Each function returns whole lines, or ""
// when the record has nothing for them. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/text.h"
#include "core/run_record.h"

namespace scalemark::analysis {

/// What the parts of the text need to know. Refers to the record.
struct RunView {
  const RunRecord& record;
  int width;                          ///< no line is wider
  std::vector<std::size_t> scorable;  ///< see scorable_iterations()
  std::optional<std::size_t> scored;  ///< see scored_iteration()

  RunView(const RunRecord& of, const TextStyle& style);
  /// The iteration whose details are shown: the scored one, else the last that could be, else the last; null
  /// when there is none.
  [[nodiscard]] const Json& detailed() const;
};

/// The verdict and the sentence; `aside` only where there is room for it on the same line.
[[nodiscard]] std::string verdict_line(const RunView& view, const std::string& sentence,
                                       const std::string& aside, bool colour);
/// The same, where `result` is said only when an iteration is the score: figures of a void or limited run are
/// no result, and the line says so first.
[[nodiscard]] std::string result_line(const RunView& view, const std::string& result,
                                      const std::string& aside, bool colour);
[[nodiscard]] std::string reason_lines(const RunView& view);
[[nodiscard]] std::string note_lines(const RunView& view);
/// Which iteration the score is, and how long it was measured.
[[nodiscard]] std::string score_line(const RunView& view);

/// All there is to say of a record whose kind is not known.
[[nodiscard]] std::string envelope_text(const RunView& view, bool colour);

}  // namespace scalemark::analysis
