#include "filesets/web_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/random.h"

namespace scalemark::filesets {
namespace {

std::vector<char> whole(const WebFile& file, std::uint64_t seed) {
  std::vector<char> bytes(size_of(file));
  EXPECT_EQ(fill(file, seed, 0, bytes), bytes.size());
  return bytes;
}

std::span<const char> piece(const std::vector<char>& bytes, std::uint64_t from, std::uint64_t count) {
  return std::span<const char>(bytes).subspan(from, count);
}

/// The pieces of a body as a socket may deliver them: from one byte to many, cut anywhere.
template <typename Visit>
void cut(std::uint64_t size, Random& random, Visit&& visit) {
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t most = std::uint64_t{1} << random.below(18);
    const std::uint64_t count = std::min(size - offset, 1 + random.below(most));
    visit(offset, count);
    offset += count;
  }
}

/// Files that differ in everything that contents depend on.
std::vector<WebFile> samples() {
  return {{.directory = 0, .cls = 0, .file = 0},    {.directory = 7, .cls = 0, .file = 8},
          {.directory = 12, .cls = 1, .file = 3},   {.directory = 345, .cls = 2, .file = 8},
          {.directory = 6789, .cls = 3, .file = 2}, {.directory = 123'456, .cls = 1, .file = 8}};
}

TEST(WebFiles, SizesFollowTheTable) {
  const std::vector<std::vector<std::uint64_t>> table = {
      {102, 204, 307, 409, 512, 614, 716, 819, 921},
      {1'024, 2'048, 3'072, 4'096, 5'120, 6'144, 7'168, 8'192, 9'216},
      {10'240, 20'480, 30'720, 40'960, 51'200, 61'440, 71'680, 81'920, 92'160},
      {102'400, 204'800, 307'200, 409'600, 512'000, 614'400, 716'800, 819'200, 921'600}};
  for (std::uint32_t cls = 0; cls < kClasses; ++cls) {
    for (std::uint32_t file = 0; file < kFilesPerClass; ++file) {
      EXPECT_EQ(size_of({.directory = 3, .cls = cls, .file = file}), table[cls][file]) << cls << "_" << file;
    }
  }
  EXPECT_EQ(bytes_per_directory(), 5'119'484U);
}

TEST(WebFiles, DirectoriesGrowWithConnections) {
  EXPECT_EQ(directories_for(0), 25U);
  EXPECT_EQ(directories_for(10), 31U);
  EXPECT_EQ(directories_for(100), 90U);
  EXPECT_EQ(directories_for(500), 352U);
  EXPECT_EQ(directories_for(1'000), 680U);
  EXPECT_EQ(directories_for(2'000), 1'336U);
  // 61 connections make exactly 40 more, where a rounded quotient would make 39.
  EXPECT_EQ(directories_for(60), 64U);
  EXPECT_EQ(directories_for(61), 65U);
}

TEST(WebFiles, NumbersAreDenseAndReversible) {
  for (std::uint32_t number = 0; number < 3 * kFilesPerDirectory; ++number) {
    EXPECT_EQ(number_of(file_of(number)), number);
  }
  EXPECT_EQ(file_of(35), (WebFile{.directory = 0, .cls = 3, .file = 8}));
  EXPECT_EQ(number_of({.directory = 1, .cls = 0, .file = 0}), 36U);
  EXPECT_EQ(number_of(file_of(4'294'967'295U)), 4'294'967'295U);
}

TEST(WebFiles, PathsNameDirectoryClassAndFile) {
  EXPECT_EQ(path_of({.directory = 12, .cls = 1, .file = 3}), "file_set/dir00012/class1_3");
  EXPECT_EQ(path_of({.directory = 99'999, .cls = 3, .file = 8}), "file_set/dir99999/class3_8");
  EXPECT_EQ(path_of({.directory = 123'456, .cls = 0, .file = 0}), "file_set/dir123456/class0_0");
  std::string request = "GET /";
  append_path({.directory = 0, .cls = 2, .file = 5}, request);
  EXPECT_EQ(request, "GET /file_set/dir00000/class2_5");
}

// Sets on disks outlive the program that wrote them: a changed byte here means that they are all wrong.
TEST(WebFiles, ContentsNeverChangeBetweenVersions) {
  const std::vector<char> bytes = whole({.directory = 12, .cls = 1, .file = 8}, 1);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 128),
            "     9216 file_set/dir00012/class1_8\n"
            R"(G5}d=,^%RmUh4:HP-?n*Wr_$i@)"
            "\n"
            R"(2['{4t (RI24SDRxL&J}(uEGoVbk+!TTR=/j7!(x/>1g.f)BoHj[Rzz"K_+o<9F)"
            "\n");
  EXPECT_EQ(std::string(bytes.begin() + 8'192, bytes.begin() + 8'256),
            R"(i!e]]1V9OF1sDRIjO^p8@t537qO$Z|kj/Me?H(s,;|Xb_h_/?7$N.$Ar&4i_O'1)"
            "\n");
}

TEST(WebFiles, ContentsHaveTheFirstLineLineEndsAndMarkersOfTheRule) {
  for (const WebFile& file : samples()) {
    const std::string path = path_of(file);
    SCOPED_TRACE(path);
    const std::vector<char> bytes = whole(file, 5);
    std::string head = std::to_string(size_of(file));
    head = std::string(9 - head.size(), ' ') + head + " " + path + "\n";
    ASSERT_LE(head.size(), bytes.size());
    EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head.size())), head);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = head.size(); i < bytes.size(); ++i) {
      if (i % 64 == 63) {
        wrong += bytes[i] != '\n';
      } else if (i % 4096 == 0) {
        wrong += bytes[i] != path[(i / 4096 - 1) % path.size()];
      } else {
        wrong += bytes[i] < 0x20 || bytes[i] > 0x7e;
      }
    }
    EXPECT_EQ(wrong, 0U);
  }
}

TEST(WebFiles, FillerUsesEveryPrintableCharacterAboutAsOften) {
  std::vector<double> seen(128);
  double all = 0;
  const std::vector<char> bytes = whole({.directory = 0, .cls = 3, .file = 8}, 1);
  for (const char c : bytes) {
    if (c != '\n') {
      ++seen[static_cast<std::size_t>(c)];
      ++all;
    }
  }
  for (std::size_t c = 0x20; c <= 0x7e; ++c) {
    EXPECT_NEAR(seen[c] / all, 1.0 / 95, 0.3 / 95) << c;
  }
}

TEST(WebFiles, ContentsDifferBetweenSeedsAndBetweenFiles) {
  std::set<std::vector<char>> bodies;
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    for (std::uint32_t directory = 0; directory < 4; ++directory) {
      // Without the first line, which differs anyway.
      std::vector<char> bytes = whole({.directory = directory, .cls = 1, .file = 0}, seed);
      bytes.erase(bytes.begin(), bytes.begin() + 64);
      bodies.insert(bytes);
    }
  }
  EXPECT_EQ(bodies.size(), 16U);
}

TEST(WebFiles, NoLineOfAFileIsRepeated) {
  const std::vector<char> bytes = whole({.directory = 0, .cls = 3, .file = 8}, 1);
  std::set<std::string> lines;
  for (std::size_t at = 0; at + 64 <= bytes.size(); at += 64) {
    lines.emplace(bytes.data() + at + 1, 62);
  }
  EXPECT_EQ(lines.size(), bytes.size() / 64);
}

TEST(WebFiles, FillInOddPiecesEqualsFillWhole) {
  Random random(11);
  for (const WebFile& file : samples()) {
    const std::vector<char> bytes = whole(file, 9);
    for (int round = 0; round < 5; ++round) {
      std::vector<char> pieces(bytes.size());
      cut(bytes.size(), random, [&](std::uint64_t offset, std::uint64_t count) {
        EXPECT_EQ(fill(file, 9, offset, std::span<char>(pieces).subspan(offset, count)), count);
      });
      EXPECT_EQ(pieces, bytes) << path_of(file);
    }
  }
}

TEST(WebFiles, FillStopsAtTheEndOfTheFileAndTouchesNothingBeyond) {
  const WebFile file{.directory = 1, .cls = 0, .file = 0};
  const std::vector<char> bytes = whole(file, 1);
  std::vector<char> out(64, '#');
  ASSERT_EQ(fill(file, 1, 100, out), 2U);
  EXPECT_EQ(out[0], bytes[100]);
  EXPECT_EQ(out[1], bytes[101]);
  EXPECT_EQ(std::count(out.begin() + 2, out.end(), '#'), 62);
  EXPECT_EQ(fill(file, 1, 102, out), 0U);
  EXPECT_EQ(fill(file, 1, ~std::uint64_t{0}, out), 0U);
  EXPECT_EQ(fill(file, 1, 0, {}), 0U);
}

TEST(Agrees, AcceptsEveryPieceOfTheRightContent) {
  Random random(12);
  for (const WebFile& file : samples()) {
    for (const std::uint64_t seed : {1U, 77U}) {  // it needs no seed, so any will do
      const std::vector<char> bytes = whole(file, seed);
      EXPECT_TRUE(agrees(file, 0, bytes));
      for (int round = 0; round < 5; ++round) {
        cut(bytes.size(), random, [&](std::uint64_t offset, std::uint64_t count) {
          EXPECT_TRUE(agrees(file, offset, piece(bytes, offset, count))) << path_of(file) << " at " << offset;
        });
      }
    }
  }
}

TEST(Agrees, AcceptsEverySplitAndEverySingleByteOfASmallFile) {
  const WebFile file{.directory = 3, .cls = 1, .file = 8};
  const std::vector<char> bytes = whole(file, 1);
  for (std::uint64_t at = 0; at <= bytes.size(); ++at) {
    EXPECT_TRUE(agrees(file, 0, piece(bytes, 0, at))) << at;
    EXPECT_TRUE(agrees(file, at, piece(bytes, at, bytes.size() - at))) << at;
    if (at < bytes.size()) {
      EXPECT_TRUE(agrees(file, at, piece(bytes, at, 1))) << at;
    }
  }
}

TEST(Agrees, RejectsAChangedByteExactlyWhereItLooks) {
  const WebFile file{.directory = 3, .cls = 2, .file = 0};
  std::vector<char> bytes = whole(file, 1);
  const std::uint64_t head = 9 + 1 + path_of(file).size() + 1;
  for (std::uint64_t i = 0; i < bytes.size(); ++i) {
    const char right = bytes[i];
    bytes[i] = right == 'x' ? 'y' : 'x';
    const bool looked_at = i < head || i % 64 == 63 || i % 4096 == 0;
    EXPECT_EQ(agrees(file, 0, bytes), !looked_at) << i;
    EXPECT_EQ(agrees(file, i, piece(bytes, i, 1)), !looked_at) << i;
    bytes[i] = right;
  }
}

TEST(Agrees, RejectsEveryOtherFile) {
  const WebFile file{.directory = 1, .cls = 1, .file = 4};
  for (std::uint32_t number = 0; number < 3 * kFilesPerDirectory; ++number) {
    const WebFile other = file_of(number);
    if (other != file) {
      std::vector<char> bytes = whole(other, 1);
      bytes.resize(std::min<std::uint64_t>(bytes.size(), size_of(file)));
      EXPECT_FALSE(agrees(file, 0, bytes)) << path_of(other);
    }
  }
}

// The first line may be long gone when a body goes astray: the markers alone must tell files apart.
TEST(Agrees, RejectsTheRestOfAnotherFileOfTheSameSize) {
  const WebFile file{.directory = 12, .cls = 3, .file = 0};
  for (const std::uint32_t directory : {0U, 13U, 22U, 99'912U}) {
    const std::vector<char> bytes = whole({.directory = directory, .cls = 3, .file = 0}, 1);
    EXPECT_FALSE(agrees(file, 100, piece(bytes, 100, bytes.size() - 100))) << directory;
  }
}

TEST(Agrees, RejectsContentThatIsShifted) {
  for (const WebFile& file : samples()) {
    const std::vector<char> bytes = whole(file, 1);
    const std::uint64_t size = bytes.size();
    EXPECT_FALSE(agrees(file, 0, piece(bytes, 1, size - 1)));
    EXPECT_FALSE(agrees(file, 1, piece(bytes, 0, size - 1)));
    EXPECT_FALSE(agrees(file, 0, piece(bytes, 64, size - 64)));
  }
  const WebFile file{.directory = 3, .cls = 3, .file = 0};
  const std::vector<char> bytes = whole(file, 1);
  EXPECT_FALSE(agrees(file, 64, piece(bytes, 128, bytes.size() - 128)));                // a line was lost
  EXPECT_FALSE(agrees(file, 64, piece(bytes, 64 + 4'096, bytes.size() - 64 - 4'096)));  // a page was lost
}

TEST(Agrees, RejectsBytesBeyondTheEnd) {
  const WebFile file{.directory = 1, .cls = 0, .file = 0};
  std::vector<char> bytes = whole(file, 1);
  bytes.push_back('x');
  EXPECT_FALSE(agrees(file, 0, bytes));
  EXPECT_FALSE(agrees(file, 102, piece(bytes, 102, 1)));
  EXPECT_FALSE(agrees(file, ~std::uint64_t{0}, piece(bytes, 0, 1)));
  EXPECT_TRUE(agrees(file, 102, {}));
}

}  // namespace
}  // namespace scalemark::filesets
