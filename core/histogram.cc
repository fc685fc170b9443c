#include "core/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scalemark {
namespace {

constexpr unsigned kSubBits = 6;  // 64 buckets per power of two
constexpr std::uint64_t kSub = std::uint64_t{1} << kSubBits;

}  // namespace

Histogram::Histogram() = default;

std::size_t Histogram::bucket_of(std::uint64_t value) {
  if (value < kSub) {
    return value;
  }
  const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBits;
  return (exponent + 1) * kSub + (value >> exponent) - kSub;
}

std::uint64_t Histogram::bucket_low(std::size_t index) {
  if (index < kSub) {
    return index;
  }
  const std::uint64_t exponent = index / kSub - 1;
  return (kSub + index % kSub) << exponent;
}

std::uint64_t Histogram::bucket_high(std::size_t index) {
  return index < kSub ? index : bucket_low(index + 1) - 1;
}

void Histogram::record(std::uint64_t value, std::uint64_t times) {
  if (times == 0) {
    return;
  }
  if (value > kTop) {
    overflow_ += times;
  }
  const std::size_t bucket = bucket_of(std::min(value, kTop));
  if (bucket >= counts_.size()) {
    counts_.resize(bucket + 1);
  }
  counts_[bucket] += times;
  count_ += times;
  sum_ += value * times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  if (other.counts_.size() > counts_.size()) {
    counts_.resize(other.counts_.size());
  }
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    counts_[i] += other.counts_[i];
  }
  count_ += other.count_;
  overflow_ += other.overflow_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::quantile(double share) const {
  if (count_ == 0) {
    return 0;
  }
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) {
      const double middle = (static_cast<double>(bucket_low(i)) + static_cast<double>(bucket_high(i))) / 2;
      return std::clamp(middle, static_cast<double>(min_), static_cast<double>(max_));
    }
  }
  return static_cast<double>(max_);
}

}  // namespace scalemark
