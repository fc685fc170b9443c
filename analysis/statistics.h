// Figures of samples: moments, intervals, and whether two samples differ.
//
// All intervals are two-sided at 95 % unless the caller says otherwise. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace scalemark::analysis {

struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Moments {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation of the sample (n - 1); 0 for fewer than two values
  double min = 0;
  double max = 0;
};
/// All 0 for no values.
[[nodiscard]] Moments moments_of(const std::vector<double>& values);

/// 0 for no values; of an even number the mean of the middle two.
[[nodiscard]] double median_of(std::vector<double> values);
/// The value below which a share of the values lies, interpolated linearly between neighbours (Hyndman and
/// Fan's type 7). `sorted` must be in order and not empty.
[[nodiscard]] double quantile_of(const std::vector<double>& sorted, double share);

/// Of the mean of repeated measurements: mean +- t(k - 1) * s / sqrt(k) (Student 1908). Nothing for fewer
/// than two.
[[nodiscard]] std::optional<Interval> mean_interval(const std::vector<double>& values, double level = 0.95);

/// Of a share, `hits` of `trials` (Wilson 1927): stays inside 0..1 and does not collapse at its ends. Nothing
/// for no trials.
[[nodiscard]] std::optional<Interval> share_interval(double hits, double trials, double level = 0.95);

/// Whether one of two samples tends to be larger (Mann and Whitney 1947).
struct RankTest {
  double u = 0;        ///< pairs in which b is larger, ties counted half
  double p = 1;        ///< two-sided
  bool exact = false;  ///< p counted out; else by the normal approximation, corrected for ties
  double effect = 0;   ///< Cliff's delta, -1 (b always smaller) to 1 (b always larger)
};
/// Nothing when a sample is empty.
[[nodiscard]] std::optional<RankTest> rank_test(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace scalemark::analysis
