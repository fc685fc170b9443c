#include "filesets/popularity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.h"

namespace scalemark::filesets {
namespace {

/// Pearson's sum over cells with the expected share of `draws` draws.
double chi_square(const std::vector<std::uint64_t>& seen, const std::vector<double>& shares, double draws) {
  double sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double expected = shares[i] * draws;
    sum += (static_cast<double>(seen[i]) - expected) * (static_cast<double>(seen[i]) - expected) / expected;
  }
  return sum;
}

/// About the 99.99 % point of chi-square with `degrees` of freedom (Wilson and Hilferty 1931).
double chi_square_limit(double degrees) {
  const double spread = 2 / (9 * degrees);
  return degrees * std::pow(1 - spread + 3.719 * std::sqrt(spread), 3);
}

TEST(Popularity, FileSharesFollowTheTable) {
  const std::vector<double> percent = {3.928, 5.891, 8.837, 17.674, 35.349, 11.783, 7.070, 5.050, 4.419};
  for (std::size_t file = 0; file < kFilesPerClass; ++file) {
    EXPECT_NEAR(file_shares()[file] * 100, percent[file], 0.0005) << file;
  }
  EXPECT_DOUBLE_EQ(std::accumulate(file_shares().begin(), file_shares().end(), 0.0), 1.0);
}

TEST(Popularity, ZipfSharesAreInverseRanksThatSumToOne) {
  EXPECT_DOUBLE_EQ(zipf_share(1, 1), 1.0);
  EXPECT_DOUBLE_EQ(zipf_share(1, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(zipf_share(2, 2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(zipf_share(1, 680) / zipf_share(17, 680), 17.0);
  double sum = 0;
  for (std::uint32_t rank = 1; rank <= 680; ++rank) {
    sum += zipf_share(rank, 680);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Popularity, RanksThatDoNotExistHaveNoShare) {
  EXPECT_EQ(zipf_share(0, 9), 0);
  EXPECT_EQ(zipf_share(10, 9), 0);
  EXPECT_EQ(zipf_share(1, 0), 0);
}

TEST(Popularity, MeanFileOfTheMix) {
  EXPECT_NEAR(mean_file_bytes({35, 50, 14, 1}), 14'726.92, 0.005);
  EXPECT_NEAR(mean_file_bytes({0.35, 0.5, 0.14, 0.01}), 14'726.92, 0.005);
  EXPECT_THROW((void)mean_file_bytes({0, 0, 0, 0}), UsageError);
}

TEST(Popularity, BytesByClassOfTheMix) {
  const std::array<double, kClasses> parts = {35, 50, 14, 1};
  const std::array<double, kClasses> percent = {1.19, 17.04, 47.70, 34.07};
  for (std::uint32_t cls = 0; cls < kClasses; ++cls) {
    std::array<double, kClasses> alone{};
    alone[cls] = 1;
    EXPECT_NEAR(mean_file_bytes(alone) * parts[cls] / mean_file_bytes(parts), percent[cls], 0.005) << cls;
  }
}

TEST(Popularity, DrawsFollowBothZipfShares) {
  constexpr std::uint32_t kDirectories = 90;
  constexpr int kDraws = 200'000;
  const Popularity popularity(kDirectories);
  Random random(20'260);
  std::vector<std::uint64_t> cells(kDirectories * kFilesPerClass);
  for (int i = 0; i < kDraws; ++i) {
    const WebFile file = popularity.draw(2, random);
    ASSERT_LT(file.directory, kDirectories);
    ASSERT_LT(file.file, kFilesPerClass);
    ASSERT_EQ(file.cls, 2U);
    ++cells[file.directory * kFilesPerClass + file.file];
  }
  // Over all pairs, so that it also fails when the directory and the file hang together.
  std::vector<double> shares;
  for (std::uint32_t directory = 0; directory < kDirectories; ++directory) {
    for (std::uint32_t file = 0; file < kFilesPerClass; ++file) {
      shares.push_back(zipf_share(directory + 1, kDirectories) * file_shares()[file]);
    }
  }
  EXPECT_LT(chi_square(cells, shares, kDraws), chi_square_limit(kDirectories * kFilesPerClass - 1));
}

TEST(Popularity, TheSameSeedDrawsTheSameFiles) {
  const Popularity popularity(31);
  Random one(5);
  Random two(5);
  Random other(6);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    const WebFile file = popularity.draw(1, one);
    EXPECT_EQ(file, popularity.draw(1, two));
    different += file == popularity.draw(1, other) ? 0 : 1;
  }
  EXPECT_GT(different, 50);
}

TEST(Popularity, ASetOfOneDirectoryDrawsFromIt) {
  const Popularity popularity(1);
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(popularity.draw(3, random).directory, 0U);
  }
  EXPECT_THROW(Popularity(0), UsageError);
}

}  // namespace
}  // namespace scalemark::filesets
