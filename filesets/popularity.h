// How often each file of the set is asked for.
//
// Zipf with exponent 1, twice: over the directories (rank 1 is dir00000) and over the nine files of a class,
// whose ranks go in the order of the indexes 4,3,5,2,6,1,7,8,0. Immutable after construction; shared by
// threads.
#pragma once

#include <array>
#include <cstdint>

#include "core/random.h"
#include "filesets/web_files.h"

namespace scalemark::filesets {

/// Probability of rank r of n under Zipf(1): (1/r) / H_n; r counts from 1. 0 outside 1..n.
[[nodiscard]] double zipf_share(std::uint32_t rank, std::uint32_t n);

/// Share of each file index F = 0..8 within its class; sums to 1.
[[nodiscard]] const std::array<double, kFilesPerClass>& file_shares();

/// Mean file size in bytes for parts per class (35, 50, 14, 1 gives 14,726.92). Throws UsageError
/// when no part is above 0.
[[nodiscard]] double mean_file_bytes(const std::array<double, kClasses>& class_parts);

class Popularity {
 public:
  /// Throws UsageError when `directories` is 0.
  explicit Popularity(std::uint32_t directories);

  /// A file of class `cls`.
  [[nodiscard]] WebFile draw(std::uint32_t cls, Random& random) const;

 private:
  WeightedDraw directory_;
  WeightedDraw file_;
};

}  // namespace scalemark::filesets
