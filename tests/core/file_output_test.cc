#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "core/error.h"
#include "core/run_record.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string run_error(const fs::path& path, const std::string& text) {
  try {
    write_file(path, text);
  } catch (const RunError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no RunError was thrown";
  return {};
}

std::string complaint(const fs::path& path) {
  return usage_error([&] { check_writable(path); });
}

/// Acts as a user without rights while it lives: root may write anywhere, which would hide a missing
/// permission.
class WithoutRights {
 public:
  WithoutRights() {
    if (user_ == 0) {
      active_ = seteuid(65534) == 0;
    }
  }
  WithoutRights(const WithoutRights&) = delete;
  WithoutRights& operator=(const WithoutRights&) = delete;
  ~WithoutRights() {
    if (user_ == 0 && active_ && seteuid(0) != 0) {
      ADD_FAILURE() << "cannot become root again";
    }
  }
  [[nodiscard]] bool active() const { return active_; }

 private:
  uid_t user_ = geteuid();
  bool active_ = true;
};

/// A file system of its own of a few pages, mounted where no other process sees it.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& path) : path_(path) {
    mounted_ = unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("tmpfs", path.c_str(), "tmpfs", 0, "size=64k") == 0;
    fault_ = errno;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) {
      umount2(path_.c_str(), MNT_DETACH);
    }
  }
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] std::string fault() const { return std::strerror(fault_); }
  [[nodiscard]] bool make_read_only() const {
    return mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }

 private:
  fs::path path_;
  bool mounted_ = false;
  int fault_ = 0;
};

TEST(WriteFile, WritesTheTextAndNothingElse) {
  const TemporaryFolder folder;
  const std::string text = std::string("line\n\0binary", 12) + std::string(300'000, 'x');
  write_file(folder.path() / "a.json", text);
  EXPECT_EQ(contents(folder.path() / "a.json"), text);
  EXPECT_THAT(folder.names(), ElementsAre("a.json"));
  write_file(folder.path() / "empty", "");
  EXPECT_EQ(contents(folder.path() / "empty"), "");
}

TEST(WriteFile, ReplacesAnOlderFileWhole) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.json", "a long first text");
  write_file(folder.path() / "a.json", "short");
  EXPECT_EQ(contents(folder.path() / "a.json"), "short");
  EXPECT_THAT(folder.names(), ElementsAre("a.json"));
}

TEST(WriteFile, GivesTheFileTheUsualPermissions) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder.path() / "a.json", "text");
  umask(before);
  EXPECT_EQ(fs::status(folder.path() / "a.json").permissions(), fs::perms(0640));
}

TEST(WriteFile, TakesARelativePathAndAVeryLongName) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string name(255, 'n');
  write_file(name, "text");
  check_writable("other.json");
  fs::current_path(before);
  EXPECT_EQ(contents(folder.path() / name), "text");
  EXPECT_THAT(folder.names(), ElementsAre(name));
}

TEST(WriteFile, ReplacesTheTargetOfASymbolicLink) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "there");
  write_file(folder.path() / "there" / "target", "old");
  fs::create_symlink("there/target", folder.path() / "link");
  fs::create_symlink("there/new", folder.path() / "dangling");
  write_file(folder.path() / "link", "text");
  write_file(folder.path() / "dangling", "more");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "dangling"));
  EXPECT_EQ(contents(folder.path() / "there" / "target"), "text");
  EXPECT_EQ(contents(folder.path() / "there" / "new"), "more");
}

TEST(WriteFile, WritesIntoAPipeInsteadOfReplacingIt) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  check_writable(pipe);
  write_file(pipe, "through");
  std::string text(64, '\0');
  const auto length = read(reader, text.data(), text.size());
  close(reader);
  ASSERT_EQ(length, 7);
  EXPECT_EQ(text.substr(0, 7), "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WriteFile, AppendsToAFileThatIsNamedByItsDescriptor) {
  // As in `scalemark ... --json /dev/stdout > file`: what stands in the file already must stay.
  const TemporaryFolder folder;
  write_file(folder.path() / "out", "before ");
  const int descriptor = open((folder.path() / "out").c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  write_file("/dev/fd/" + std::to_string(descriptor), "after");
  close(descriptor);
  EXPECT_EQ(contents(folder.path() / "out"), "before after");
}

TEST(WriteFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_error(folder.path() / "missing" / "a.json", "text"),
              AllOf(HasSubstr("a.json"), HasSubstr("No such file or directory")));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(WriteFile, ReportsAFullDevice) {
  if (!fs::is_character_file("/dev/full")) {
    GTEST_SKIP() << "this system has no /dev/full";
  }
  EXPECT_THAT(run_error("/dev/full", "text"), AllOf(HasSubstr("No space left"), HasSubstr("free some room")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WriteFile, LeavesNeitherHalfAFileNorATraceWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) {
    GTEST_SKIP() << "needs the right to mount a small file system: " << disk.fault();
  }
  const std::string large(200'000, 'x');
  EXPECT_THAT(run_error(folder.path() / "a.json", large), HasSubstr("No space left"));
  EXPECT_THAT(folder.names(), IsEmpty());
  write_file(folder.path() / "a.json", "first");
  EXPECT_THAT(run_error(folder.path() / "a.json", large), HasSubstr("No space left"));
  EXPECT_EQ(contents(folder.path() / "a.json"), "first");
  EXPECT_THAT(folder.names(), ElementsAre("a.json"));
}

TEST(WriteFile, LeavesNeitherHalfAFileNorATraceWhenAWriteStopsHalfway) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.json", "first");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{10'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string error = run_error(folder.path() / "a.json", std::string(50'000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  EXPECT_THAT(error, HasSubstr("File too large"));
  EXPECT_EQ(contents(folder.path() / "a.json"), "first");
  EXPECT_THAT(folder.names(), ElementsAre("a.json"));
}

TEST(CheckWritable, AcceptsNewAndOldFilesAndChangesNothing) {
  const TemporaryFolder folder;
  check_writable(folder.path() / "new.json");
  EXPECT_THAT(folder.names(), IsEmpty());
  write_file(folder.path() / "old.json", "text");
  check_writable(folder.path() / "old.json");
  EXPECT_EQ(contents(folder.path() / "old.json"), "text");
  EXPECT_THAT(folder.names(), ElementsAre("old.json"));
}

TEST(CheckWritable, RefusesAMissingFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(complaint(folder.path() / "missing" / "a.json"),
              AllOf(HasSubstr("a.json"), HasSubstr("missing' does not exist; create it first")));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(CheckWritable, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  EXPECT_THAT(complaint(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(complaint(folder.path() / ""), HasSubstr("is a folder"));
  EXPECT_THAT(complaint(folder.path() / "file" / "a.json"), HasSubstr("is no folder"));
  EXPECT_THAT(complaint(""), HasSubstr("is empty"));
}

TEST(CheckWritable, RefusesWhereTheUserHasNoPermission) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "closed");
  write_file(folder.path() / "closed" / "old.json", "");
  fs::permissions(folder.path() / "closed" / "old.json", fs::perms(0444));
  fs::permissions(folder.path() / "closed", fs::perms(0555));
  fs::permissions(folder.path(), fs::perms(0755));
  {
    const WithoutRights user;
    if (!user.active()) {
      GTEST_SKIP() << "cannot act as a user without rights";
    }
    EXPECT_THAT(complaint(folder.path() / "closed" / "a.json"), HasSubstr("Permission denied"));
    EXPECT_THAT(complaint(folder.path() / "closed" / "old.json"), HasSubstr("Permission denied"));
  }
  fs::permissions(folder.path() / "closed", fs::perms(0755));
}

TEST(CheckWritable, RefusesAFileThatIsWriteProtected) {
  const TemporaryFolder folder;
  write_file(folder.path() / "old.json", "keep");
  fs::permissions(folder.path() / "old.json", fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0777));
  const WithoutRights user;
  if (!user.active()) {
    GTEST_SKIP() << "cannot act as a user without rights";
  }
  check_writable(folder.path() / "new.json");
  EXPECT_THAT(complaint(folder.path() / "old.json"), HasSubstr("Permission denied"));
}

TEST(CheckWritable, RefusesAReadOnlyFileSystem) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) {
    GTEST_SKIP() << "needs the right to mount a small file system: " << disk.fault();
  }
  write_file(folder.path() / "old.json", "");
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_THAT(complaint(folder.path() / "a.json"), HasSubstr("Read-only file system"));
  EXPECT_THAT(complaint(folder.path() / "old.json"), HasSubstr("Read-only file system"));
}

}  // namespace
}  // namespace scalemark
