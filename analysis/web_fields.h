// Reading a web record's figures.
//
// A record may come from a file that another version wrote or that someone edited, so nothing here throws for
// a field that is missing or of the wrong type: it is simply not there. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/run_record.h"

namespace scalemark::analysis {

/// The value at a path of keys; null when a step of it is missing. Refers into `from`.
[[nodiscard]] const Json& field(const Json& from, std::initializer_list<const char*> path);

/// The same, when it is a finite number.
[[nodiscard]] std::optional<double> real_of(const Json& from, std::initializer_list<const char*> path);
/// The same, when it is a whole number of at least 0.
[[nodiscard]] std::optional<std::uint64_t> count_of(const Json& from,
                                                    std::initializer_list<const char*> path);
/// The same, when it is a text; else "".
[[nodiscard]] std::string text_of(const Json& from, std::initializer_list<const char*> path);
/// The same, when it is an array of texts or one text; else empty.
[[nodiscard]] std::vector<std::string> texts_of(const Json& from, std::initializer_list<const char*> path);

/// A kind of failure and how often it occurred.
struct Failure {
  std::string outcome;
  std::uint64_t count = 0;
};
/// The kinds in a `failed` object, in its order.
[[nodiscard]] std::vector<Failure> failures_of(const Json& failed);

/// Whether carried_in + issued = good + failed + unfinished; nullopt when one of them is missing.
[[nodiscard]] std::optional<bool> adds_up(const Json& accounting);

/// The member of an iteration that is its score.
[[nodiscard]] const char* score_figure(const RunRecord& record);
/// The iterations that were measured to their end, as indexes into `record.iterations`.
[[nodiscard]] std::vector<std::size_t> complete_iterations(const RunRecord& record);
/// The iterations that a score can come from, as indexes into `record.iterations`: the complete ones, or,
/// when none is complete, the partial ones that measured something.
[[nodiscard]] std::vector<std::size_t> scorable_iterations(const RunRecord& record);

/// The index of the iteration that the record names as its score; nullopt when it names none, or one that it
/// does not hold.
[[nodiscard]] std::optional<std::size_t> scored_iteration(const RunRecord& record);

}  // namespace scalemark::analysis
