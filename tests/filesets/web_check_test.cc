#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "filesets/web_files.h"
#include "filesets/web_generator.h"
#include "tests/filesets/temp_folder.h"

namespace scalemark::filesets {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

const std::atomic<bool> kNever{false};

/// A sound set of three directories, to be spoilt.
class WebCheck : public testing::Test {
 protected:
  void SetUp() override {
    generate_web_files({.out = folder_.path(), .directories = 3, .seed = 42, .threads = 2}, {}, kNever);
  }
  [[nodiscard]] WebFilesCheck check(std::uint32_t threads = 2) const {
    return check_web_files(folder_.path(), threads, {}, kNever);
  }
  [[nodiscard]] fs::path in_set(const std::string& name) const { return folder_ / ("file_set/" + name); }
  [[nodiscard]] const fs::path& out() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

TEST_F(WebCheck, FindsNothingInASoundSet) {
  const WebFilesCheck result = check();
  EXPECT_EQ(result.files, 108U);
  EXPECT_EQ(result.bytes, 3 * bytes_per_directory());
  EXPECT_EQ(result.directories, 3U);
  EXPECT_EQ(result.seed, 42U);
  EXPECT_EQ(result.faults, 0U);
  EXPECT_THAT(result.examples, IsEmpty());
  EXPECT_FALSE(result.cancelled);
}

TEST_F(WebCheck, FindsAMissingFile) {
  fs::remove(in_set("dir00001/class2_3"));
  const WebFilesCheck result = check();
  EXPECT_EQ(result.faults, 1U);
  EXPECT_EQ(result.files, 107U);
  EXPECT_THAT(result.examples, ElementsAre("file_set/dir00001/class2_3 is missing"));
}

TEST_F(WebCheck, FindsAMissingDirectoryAsItsFiles) {
  fs::remove_all(in_set("dir00002"));
  const WebFilesCheck result = check();
  EXPECT_EQ(result.faults, 36U);
  EXPECT_EQ(result.files, 72U);
  EXPECT_THAT(result.examples, ElementsAre("file_set/dir00002 is missing, with its 36 files"));
}

TEST_F(WebCheck, FindsAWrongSize) {
  fs::resize_file(in_set("dir00000/class1_0"), 1'023);
  fs::resize_file(in_set("dir00000/class1_1"), 2'049);
  EXPECT_THAT(check().examples, ElementsAre("file_set/dir00000/class1_0 has 1023 bytes instead of 1024",
                                            "file_set/dir00000/class1_1 has 2049 bytes instead of 2048"));
}

// Every byte counts, not only those that a client looks at.
TEST_F(WebCheck, FindsASingleWrongByteAnywhere) {
  for (const std::size_t at : {0U, 70U, 262'143U, 262'144U, 300'000U, 921'599U}) {
    const fs::path path = in_set("dir00001/class3_8");
    const std::string right = read_text(path);
    std::string wrong = right;
    wrong[at] = wrong[at] == 'x' ? 'y' : 'x';
    write_text(path, wrong);
    EXPECT_THAT(check().examples, ElementsAre("file_set/dir00001/class3_8 has wrong content from byte " +
                                              std::to_string(at) + " on"));
    write_text(path, right);
  }
  EXPECT_EQ(check().faults, 0U);
}

TEST_F(WebCheck, FindsContentOfAnotherSeed) {
  write_text(in_set("seed"), "43\n");
  const WebFilesCheck result = check();
  EXPECT_EQ(result.seed, 43U);
  EXPECT_EQ(result.faults, 108U);
}

TEST_F(WebCheck, FindsWhatDoesNotBelongThere) {
  write_text(in_set("dir00001/class0_9"), "");
  write_text(in_set("dir00001/.class0_0.part"), "half");
  write_text(in_set("notes"), "");
  fs::create_directory(in_set("dir00003"));
  fs::create_directory(in_set("dir000002"));
  EXPECT_THAT(check().examples, ElementsAre("file_set/dir000002 does not belong to the set",
                                            "file_set/dir00003 does not belong to the set",
                                            "file_set/notes does not belong to the set",
                                            "file_set/dir00001/.class0_0.part does not belong to the set",
                                            "file_set/dir00001/class0_9 does not belong to the set"));
  EXPECT_EQ(check().faults, 5U);
}

TEST_F(WebCheck, FindsWhatIsNoRegularFile) {
  fs::remove(in_set("dir00000/class0_0"));
  fs::create_directory(in_set("dir00000/class0_0"));
  fs::remove(in_set("dir00000/class0_1"));
  fs::create_symlink(in_set("dir00001/class0_1"), in_set("dir00000/class0_1"));
  EXPECT_THAT(check().examples, ElementsAre("file_set/dir00000/class0_0 is not a regular file",
                                            "file_set/dir00000/class0_1 is not a regular file"));
}

TEST_F(WebCheck, GivesTheFirstTwentyExamplesWhateverTheThreads) {
  for (const std::string dir : {"dir00002/", "dir00000/"}) {
    for (std::uint32_t file = 0; file < 18; ++file) {
      fs::remove(in_set(dir + "class" + std::to_string(file / 9) + "_" + std::to_string(file % 9)));
    }
  }
  const WebFilesCheck one = check(1);
  const WebFilesCheck many = check(4);
  EXPECT_EQ(one.faults, 36U);
  EXPECT_EQ(many.faults, 36U);
  ASSERT_EQ(one.examples.size(), 20U);
  EXPECT_EQ(one.examples.front(), "file_set/dir00000/class0_0 is missing");
  EXPECT_EQ(one.examples.back(), "file_set/dir00002/class0_1 is missing");
  EXPECT_EQ(many.examples, one.examples);
}

TEST_F(WebCheck, SaysSoWhenThereIsNoSet) {
  EXPECT_THAT(sentence_of<RunError>([&] { (void)check_web_files(out() / "nowhere", 1, {}, kNever); }),
              AllOf(HasSubstr("no file set"), HasSubstr((out() / "nowhere").string())));
  fs::remove(in_set("directories"));
  EXPECT_THAT(sentence_of<RunError>([&] { (void)check(); }), HasSubstr(in_set("directories").string()));
  fs::remove(in_set("seed"));
  EXPECT_THAT(sentence_of<RunError>([&] { (void)check(); }), HasSubstr(in_set("seed").string()));
}

TEST_F(WebCheck, StopsWhenItIsCancelled) {
  std::atomic<bool> cancel{false};
  const auto stop_early = [&](const WebFilesProgress& progress) { cancel = progress.files_done > 0; };
  const WebFilesCheck result = check_web_files(out(), 1, stop_early, cancel);
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.files, 36U);
  EXPECT_EQ(result.faults, 0U);
}

TEST_F(WebCheck, TellsProgressUpToTheTotalsEvenWithFaults) {
  fs::remove_all(in_set("dir00002"));
  fs::remove(in_set("dir00000/class0_0"));
  WebFilesProgress last;
  (void)check_web_files(
      out(), 2, [&](const WebFilesProgress& progress) { last = progress; }, kNever);
  EXPECT_EQ(last.files_done, 108U);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
}

}  // namespace
}  // namespace scalemark::filesets
