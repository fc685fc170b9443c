// Durations by the million in constant memory, mergeable without loss.
//
// A log-linear histogram: values below 64 have a bucket each; above, every power of two is cut into 64
// buckets of equal width, so a value read back is off by at most 1/128 of itself (0.8 %). Histograms of
// threads, ranks or iterations are added bucket by bucket; percentiles are taken from the sum, never
// averaged. The unit is the caller's (scalemark records microseconds). Values beyond the top are counted as
// overflow and kept in `max`. Not thread-safe: one owner, merge afterwards.
#pragma once

#include <cstdint>
#include <vector>

namespace scalemark {

class Histogram {
 public:
  /// Largest value that has a bucket: 2^36 - 1 (19 hours in microseconds).
  static constexpr std::uint64_t kTop = (std::uint64_t{1} << 36U) - 1;

  Histogram();

  void record(std::uint64_t value) { record(value, 1); }
  void record(std::uint64_t value, std::uint64_t times);
  /// Adds another histogram; commutative and associative.
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Values above kTop; they stand in the topmost bucket.
  [[nodiscard]] std::uint64_t overflow() const { return overflow_; }
  /// Exact smallest and largest recorded value; 0 when empty.
  [[nodiscard]] std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const { return max_; }
  /// Exact mean; 0 when empty.
  [[nodiscard]] double mean() const;
  /// The smallest value that at least `share` (0..1) of the samples do not exceed (nearest rank), to within
  /// the bucket width and clamped to [min, max]; 0 when empty.
  [[nodiscard]] double quantile(double share) const;

  /// Calls visit(low, high, count) for every non-empty bucket of values low..high, in rising order.
  template <typename Visit>
  void for_each_bucket(Visit&& visit) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] != 0) {
        visit(bucket_low(i), bucket_high(i), counts_[i]);
      }
    }
  }

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  static std::size_t bucket_of(std::uint64_t value);
  static std::uint64_t bucket_low(std::size_t index);
  static std::uint64_t bucket_high(std::size_t index);

  std::vector<std::uint64_t> counts_;  // grows to the highest bucket in use: short runs stay small
  std::uint64_t count_ = 0;
  std::uint64_t overflow_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
};

}  // namespace scalemark
