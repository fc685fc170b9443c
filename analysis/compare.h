// Two result files against each other.
//
// The iterations of both, point by point: the difference of their medians, whether it is more than chance
// (Mann-Whitney, two-sided) and how large it is (Cliff's delta). Fewer than nine repetitions a side make the
// test unreliable, and the text says so. Pure but for reading the files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/statistics.h"
#include "analysis/text.h"

namespace scalemark::analysis {

/// Repetitions a side below which the test is called unreliable.
inline constexpr std::size_t kEnoughRepetitions = 9;

struct PointComparison {
  std::string what;          ///< "dsr, 4 nodes"
  std::vector<double> a, b;  ///< every iteration
  std::optional<RankTest> test;

  [[nodiscard]] bool reliable() const {
    return a.size() >= kEnoughRepetitions && b.size() >= kEnoughRepetitions;
  }
  /// What this comes to: a sentence.
  [[nodiscard]] std::string sentence() const;
};

struct Comparison {
  std::string unit;
  std::string a, b;  ///< the files
  std::vector<PointComparison> points;
  std::vector<std::string> notes;  ///< points that only one of them has or has a result for; what is left out
};

/// Reads records as read_measurements() does, and web and mail records without a cluster too; their partial
/// iterations are left out. Throws UsageError when they measured different things, and when there is no point
/// of which both have a result: with the reason.
[[nodiscard]] Comparison compare_results(const std::filesystem::path& a, const std::filesystem::path& b);

[[nodiscard]] std::string comparison_text(const Comparison& comparison, const TextStyle& style);

}  // namespace scalemark::analysis
