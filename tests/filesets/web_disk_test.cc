// The generator on a disk that is too small: a tmpfs of its own, in a mount namespace of its own, so that
// nothing of it can stay behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/error.h"
#include "filesets/web_files.h"
#include "filesets/web_generator.h"
#include "tests/filesets/temp_folder.h"

namespace scalemark::filesets {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

const std::atomic<bool> kNeverStopped{false};

class SmallDisk : public testing::Test {
 protected:
  /// Mounts a tmpfs; skips the test where that is not allowed.
  void mount_disk(const std::string& options) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("scalemark-test", disk().c_str(), "tmpfs", 0, options.c_str()) != 0) {
      GTEST_SKIP() << "needs the right to mount a small tmpfs: " << std::strerror(errno);
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) {
      EXPECT_EQ(::umount(disk().c_str()), 0);
    }
  }
  [[nodiscard]] const fs::path& disk() const { return folder_.path(); }
  [[nodiscard]] WebFilesPlan plan(std::uint32_t directories) const {
    return {.out = disk(), .directories = directories, .seed = 1, .threads = 2};
  }

 private:
  TempFolder folder_;
  bool mounted_ = false;
};

/// Writes until the disk is full or `bytes` are written.
void write_ballast(const fs::path& path, std::uint64_t bytes) {
  std::ofstream out(path, std::ios::binary);
  const std::string piece(4'096, 'b');
  for (std::uint64_t done = 0; done < bytes && out; done += piece.size()) {
    out << piece << std::flush;
  }
}

TEST_F(SmallDisk, IsRefusedWithTheNumbersBeforeAnythingIsWritten) {
  ASSERT_NO_FATAL_FAILURE(mount_disk("size=8m"));
  if (IsSkipped()) {
    return;
  }
  const std::string sentence = sentence_of<RunError>([&] { generate_web_files(plan(2), {}, kNeverStopped); });
  // Two directories in blocks of 4,096 bytes, one block more for each folder itself.
  std::uint64_t needed = 0;
  for (std::uint32_t number = 0; number < 2 * kFilesPerDirectory; ++number) {
    needed += (size_of(file_of(number)) + 4'095) / 4'096 * 4'096;
  }
  needed += 2ULL * 4'096;
  EXPECT_THAT(sentence, AllOf(HasSubstr(std::to_string(needed) + " bytes"),
                              HasSubstr(std::to_string(8 << 20) + " bytes"), HasSubstr(disk().string())));
  EXPECT_TRUE(fs::is_empty(disk()));
}

TEST_F(SmallDisk, CountsOnlyWhatIsMissing) {
  ASSERT_NO_FATAL_FAILURE(mount_disk("size=12m"));
  if (IsSkipped()) {
    return;
  }
  generate_web_files(plan(1), {}, kNeverStopped);
  // There is room for one directory more, not for two.
  EXPECT_EQ(generate_web_files(plan(2), {}, kNeverStopped).written, 36U);
  EXPECT_THROW(generate_web_files(plan(3), {}, kNeverStopped), RunError);
  EXPECT_EQ(check_web_files(disk(), 2, {}, kNeverStopped).faults, 0U);
}

TEST_F(SmallDisk, IsRefusedWhenItLacksInodes) {
  ASSERT_NO_FATAL_FAILURE(mount_disk("size=64m,nr_inodes=50"));
  if (IsSkipped()) {
    return;
  }
  EXPECT_THAT(sentence_of<RunError>([&] { generate_web_files(plan(2), {}, kNeverStopped); }),
              AllOf(HasSubstr("74 more files"), HasSubstr("inodes"), HasSubstr(disk().string())));
  EXPECT_TRUE(fs::is_empty(disk()));
}

TEST_F(SmallDisk, ThatFillsUpMeanwhileIsNamedAndTheWorkGoesOnLater) {
  ASSERT_NO_FATAL_FAILURE(mount_disk("size=12m"));
  if (IsSkipped()) {
    return;
  }
  // The first call comes after the look at the room: from then on somebody else takes 6 MB of it.
  const auto fill_disk = [&](const WebFilesProgress& progress) {
    if (progress.files_done == 0) {
      write_ballast(disk() / "ballast", 6 << 20);
    }
  };
  EXPECT_THAT(sentence_of<RunError>([&] { generate_web_files(plan(2), fill_disk, kNeverStopped); }),
              AllOf(HasSubstr((disk() / "file_set/dir0000").string()), HasSubstr("No space left on device"),
                    HasSubstr("run this again")));
  for (const auto& entry : fs::recursive_directory_iterator(disk())) {
    EXPECT_NE(entry.path().extension(), ".part") << "takes room that is needed";
  }
  fs::remove(disk() / "ballast");
  const WebFilesResult again = generate_web_files(plan(2), {}, kNeverStopped);
  EXPECT_GT(again.kept, 0U);
  EXPECT_GT(again.written, 0U);
  EXPECT_EQ(again.kept + again.written, 72U);
  EXPECT_EQ(check_web_files(disk(), 2, {}, kNeverStopped).faults, 0U);
}

}  // namespace
}  // namespace scalemark::filesets
