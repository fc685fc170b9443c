#include "filesets/popularity.h"

#include <numeric>
#include <vector>

#include "core/error.h"

namespace scalemark::filesets {

namespace {

/// The file indexes of a class from the most asked for to the least.
constexpr std::array<std::uint32_t, kFilesPerClass> kIndexOfRank = {4, 3, 5, 2, 6, 1, 7, 8, 0};

std::vector<double> zipf_weights(std::uint32_t directories) {
  if (directories == 0) {
    throw UsageError("a file set needs at least 1 directory");
  }
  std::vector<double> weights(directories);
  for (std::uint32_t i = 0; i < directories; ++i) {
    weights[i] = 1.0 / (i + 1.0);
  }
  return weights;
}

std::array<double, kFilesPerClass> make_file_shares() {
  std::array<double, kFilesPerClass> shares{};
  for (std::uint32_t rank = 1; rank <= kFilesPerClass; ++rank) {
    shares[kIndexOfRank[rank - 1]] = zipf_share(rank, kFilesPerClass);
  }
  return shares;
}

}  // namespace

double zipf_share(std::uint32_t rank, std::uint32_t n) {
  if (rank == 0 || rank > n) {
    return 0;
  }
  double harmonic = 0;
  for (std::uint32_t r = n; r > 0; --r) {  // the smallest terms first: least rounding
    harmonic += 1.0 / r;
  }
  return 1.0 / rank / harmonic;
}

const std::array<double, kFilesPerClass>& file_shares() {
  static const std::array<double, kFilesPerClass> shares = make_file_shares();
  return shares;
}

double mean_file_bytes(const std::array<double, kClasses>& class_parts) {
  const double parts = std::accumulate(class_parts.begin(), class_parts.end(), 0.0);
  if (!(parts > 0)) {
    throw UsageError("at least one class must have a part above 0");
  }
  double bytes = 0;
  for (std::uint32_t cls = 0; cls < kClasses; ++cls) {
    for (std::uint32_t file = 0; file < kFilesPerClass; ++file) {
      const auto size = static_cast<double>(size_of({.directory = 0, .cls = cls, .file = file}));
      bytes += class_parts[cls] / parts * file_shares()[file] * size;
    }
  }
  return bytes;
}

Popularity::Popularity(std::uint32_t directories)
    : directory_(zipf_weights(directories)),
      file_(std::vector<double>(file_shares().begin(), file_shares().end())) {}

WebFile Popularity::draw(std::uint32_t cls, Random& random) const {
  const std::uint32_t directory = directory_.draw(random);
  return {.directory = directory, .cls = cls, .file = file_.draw(random)};
}

}  // namespace scalemark::filesets
