#include "testbed/file_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/error.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

constexpr TimePoint kNow{std::chrono::seconds(100)};

TEST(FileCache, FindsRegularFilesOnly) {
  const TempFolder folder;
  folder.write("dir/file", "hello");
  folder.write("empty", "");
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  FileCache cache(folder.path(), 10);
  ASSERT_NE(cache.find("dir/file", kNow).file, nullptr);
  EXPECT_EQ(cache.find("dir/file", kNow).file->size(), 5U);
  ASSERT_NE(cache.find("empty", kNow).file, nullptr);
  EXPECT_EQ(cache.find("empty", kNow).file->size(), 0U);
  for (const char* none : {"", "dir", "dir/", "dir/file/", "pipe", "nothing"}) {
    const auto found = cache.find(none, kNow);
    EXPECT_EQ(found.file, nullptr) << none;
    EXPECT_EQ(found.status, 404) << none;
  }
}

TEST(FileCache, FollowsLinksInsideTheFolderOnly) {
  const TempFolder folder;
  const TempFolder outside;
  outside.write("secret", "no");
  folder.write("dir/file", "yes");
  std::filesystem::create_symlink("dir/file", folder.path() / "inside");
  std::filesystem::create_symlink(outside.path() / "secret", folder.path() / "file_out");
  std::filesystem::create_directory_symlink(outside.path(), folder.path() / "dir_out");
  FileCache cache(folder.path(), 10);
  EXPECT_EQ(cache.find("inside", kNow).status, 200);
  EXPECT_EQ(cache.find("file_out", kNow).status, 404);
  EXPECT_EQ(cache.find("dir_out/secret", kNow).status, 404);
}

TEST(FileCache, RefusesASiblingWhoseNameBeginsLikeTheFolder) {
  const TempFolder parent;
  parent.write("set/file", "yes");
  parent.write("set-private/file", "no");
  std::filesystem::create_symlink(parent.path() / "set-private/file", parent.path() / "set/link");
  FileCache cache(parent.path() / "set", 10);
  EXPECT_EQ(cache.find("file", kNow).status, 200);
  EXPECT_EQ(cache.find("link", kNow).status, 404);
}

TEST(FileCache, NoticesAChangeWithinASecond) {
  const TempFolder folder;
  folder.write("file", "old");
  FileCache cache(folder.path(), 10);
  const auto before = cache.find("file", kNow).file;
  folder.write("file", "newer");
  EXPECT_EQ(cache.find("file", kNow + std::chrono::milliseconds(999)).file, before);
  const auto after = cache.find("file", kNow + std::chrono::seconds(1)).file;
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(after->size(), 5U);
  std::filesystem::remove(folder.path() / "file");
  EXPECT_EQ(cache.find("file", kNow + std::chrono::seconds(3)).status, 404);
}

TEST(FileCache, ForgetsTheFileUsedLongestAgo) {
  const TempFolder folder;
  for (const char* name : {"a", "b", "c"}) {
    folder.write(name, "text");
  }
  FileCache cache(folder.path(), 2);
  const std::weak_ptr<const ServedFile> a = cache.find("a", kNow).file;
  const std::weak_ptr<const ServedFile> b = cache.find("b", kNow).file;
  EXPECT_EQ(cache.find("a", kNow).status, 200);
  EXPECT_EQ(cache.find("c", kNow).status, 200);
  EXPECT_FALSE(a.expired());
  EXPECT_TRUE(b.expired());
}

TEST(FileCache, RefusesAFolderThatIsNone) {
  const TempFolder folder;
  folder.write("file", "text");
  EXPECT_THROW(FileCache(folder.path() / "nothing", 10), UsageError);
  EXPECT_THROW(FileCache(folder.path() / "file", 10), UsageError);
}

}  // namespace
}  // namespace scalemark::testbed
