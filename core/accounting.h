// The books of any load: operations counted over a span, second by second, and those still open at its end.
//
// Plain data that a thread fills for itself; merging the books of several threads is commutative and
// associative, and an empty book is neutral. docs/terms.md defines the words.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/outcome.h"
#include "core/phases.h"

namespace scalemark {

/// Operations of one kind over one span (the window, or the whole iteration).
/// carried_in + issued = good + failed + unfinished, always.
struct Accounting {
  std::uint64_t carried_in = 0;  ///< in transfer when the span began
  std::uint64_t issued = 0;      ///< started within the span
  OutcomeCounts ended{};         ///< transfers that ended within it, by outcome
  std::uint64_t unfinished = 0;  ///< in transfer when the span ended

  [[nodiscard]] std::uint64_t good() const { return ended[index_of(Outcome::good)]; }
  [[nodiscard]] std::uint64_t failed() const { return failures(ended); }
  [[nodiscard]] bool adds_up() const { return carried_in + issued == good() + failed() + unfinished; }
  void merge(const Accounting& other);
  friend bool operator==(const Accounting&, const Accounting&) = default;
};

/// The share of failed operations among those that ended; 0 when none did.
[[nodiscard]] double error_rate(std::uint64_t good, std::uint64_t failed);

/// An operation that was still in transfer when the window closed.
struct UnfinishedOperation {
  std::uint32_t connection = 0;  ///< the user's run-wide number
  std::string cls;
  double age_seconds = 0;  ///< since it started
  std::uint64_t received_bytes = 0;
  friend auto operator<=>(const UnfinishedOperation&, const UnfinishedOperation&) = default;
};

/// The oldest of them, oldest first, at most so many.
[[nodiscard]] std::vector<UnfinishedOperation> oldest(std::vector<UnfinishedOperation> operations,
                                                      std::size_t most);

/// What was counted in one second of an iteration.
struct SecondTally {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t wire_bytes = 0;  ///< of transfers that ended in it
  std::uint64_t active = 0;      ///< users started and not stopped at its end
  void merge(const SecondTally& other);
  friend bool operator==(const SecondTally&, const SecondTally&) = default;
};

/// Adds second to second; the result is as long as the longer of the two.
void merge(std::vector<SecondTally>& into, const std::vector<SecondTally>& from);

/// A second as it stands in a record.
struct SeriesPoint {
  std::uint32_t second = 0;  ///< since the iteration began
  std::string phase;         ///< phase at the second's beginning
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t wire_bytes = 0;  ///< of transfers that ended in this second
  std::uint64_t active = 0;      ///< users started and not stopped at the second's end
};

/// The seconds of an iteration up to its end, and beyond it as long as operations went on ending.
[[nodiscard]] std::vector<SeriesPoint> series_of(const std::vector<SecondTally>& seconds,
                                                 const Schedule& schedule);

}  // namespace scalemark
