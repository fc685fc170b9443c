#include "filesets/web_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "core/error.h"
#include "filesets/web_files.h"
#include "tests/filesets/temp_folder.h"

namespace scalemark::filesets {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

const std::atomic<bool> kNotStopped{false};

WebFilesPlan plan_for(const fs::path& out, std::uint32_t directories = 2, std::uint32_t threads = 2) {
  return {.out = out, .directories = directories, .seed = 7, .threads = threads};
}

WebFilesResult generate(const WebFilesPlan& plan) {
  return generate_web_files(plan, {}, kNotStopped);
}

WebFilesCheck check(const fs::path& out) {
  return check_web_files(out, 2, {}, kNotStopped);
}

/// Every file under a folder by its name, with its contents.
std::map<std::string, std::string> tree(const fs::path& top) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(top)) {
    if (entry.is_regular_file()) {
      files[entry.path().lexically_relative(top).string()] = read_text(entry.path());
    }
  }
  return files;
}

TEST(WebGenerator, WritesTheWholeSetWithTheContentsOfTheRule) {
  const TempFolder folder;
  const fs::path out = folder / "new/deep";
  const WebFilesResult result = generate(plan_for(out));
  EXPECT_EQ(result.written, 72U);
  EXPECT_EQ(result.kept, 0U);
  EXPECT_EQ(result.bytes, 2 * bytes_per_directory());
  EXPECT_FALSE(result.cancelled);

  std::map<std::string, std::string> files = tree(out);
  EXPECT_EQ(files["file_set/seed"], "7\n");
  EXPECT_EQ(files["file_set/directories"], "2\n");
  EXPECT_EQ(files.size(), 74U);
  for (std::uint32_t number = 0; number < 72; ++number) {
    std::string body(size_of(file_of(number)), ' ');
    fill(file_of(number), 7, 0, body);
    EXPECT_TRUE(files[path_of(file_of(number))] == body) << path_of(file_of(number));
  }
}

TEST(WebGenerator, ThreadsMakeNoDifference) {
  const TempFolder folder;
  generate(plan_for(folder / "one", 3, 1));
  generate(plan_for(folder / "many", 3, 5));
  generate(plan_for(folder / "default", 3, 0));
  const auto files = tree(folder / "one");
  EXPECT_TRUE(files == tree(folder / "many"));
  EXPECT_TRUE(files == tree(folder / "default"));
}

TEST(WebGenerator, FilesAreReadableAsTheUmaskAllows) {
  const TempFolder folder;
  const mode_t before = ::umask(022);
  generate(plan_for(folder.path(), 1));
  ::umask(before);
  EXPECT_EQ(fs::status(folder / "file_set/dir00000/class0_0").permissions(), fs::perms{0644});
}

TEST(WebGenerator, KeepsFilesOfTheRightSize) {
  const TempFolder folder;
  generate(plan_for(folder.path()));
  const fs::path kept = folder / "file_set/dir00000/class2_2";
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(::stat(kept.c_str(), &before), 0);
  const WebFilesResult again = generate(plan_for(folder.path()));
  EXPECT_EQ(again.written, 0U);
  EXPECT_EQ(again.kept, 72U);
  ASSERT_EQ(::stat(kept.c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
  EXPECT_EQ(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
}

TEST(WebGenerator, ReplacesFilesThatAreMissingShortLongOrNotFiles) {
  const TempFolder folder;
  generate(plan_for(folder.path()));
  const fs::path dir = folder / "file_set/dir00001";
  fs::remove(dir / "class0_1");
  fs::resize_file(dir / "class1_1", 100);
  fs::resize_file(dir / "class1_2", 100'000);
  fs::rename(dir / "class1_3", folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", dir / "class1_3");
  const WebFilesResult again = generate(plan_for(folder.path()));
  EXPECT_EQ(again.written, 4U);
  EXPECT_EQ(again.kept, 68U);
  EXPECT_EQ(check(folder.path()).faults, 0U);
}

TEST(WebGenerator, GrowsASetAndLeavesALargerOneAsItIs) {
  const TempFolder folder;
  generate(plan_for(folder.path(), 1));
  EXPECT_EQ(generate(plan_for(folder.path(), 3)).written, 72U);
  EXPECT_EQ(check(folder.path()).directories, 3U);

  const WebFilesResult smaller = generate(plan_for(folder.path(), 2));
  EXPECT_EQ(smaller.kept, 72U);
  EXPECT_EQ(smaller.bytes, 2 * bytes_per_directory());
  EXPECT_EQ(check(folder.path()).directories, 3U);
  EXPECT_EQ(check(folder.path()).faults, 0U);
}

TEST(WebGenerator, RefusesASetOfAnotherSeed) {
  const TempFolder folder;
  generate(plan_for(folder.path(), 1));
  const auto before = tree(folder.path());
  WebFilesPlan plan = plan_for(folder.path(), 2);
  plan.seed = 8;
  EXPECT_THAT(sentence_of<UsageError>([&] { generate(plan); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("seed 7, not 8")));
  EXPECT_TRUE(tree(folder.path()) == before);
}

TEST(WebGenerator, RefusesFilesOfUnknownSeed) {
  for (const std::string seed : {"", "7", "7 \n", "seven\n", "99999999999999999999\n", "-7\n"}) {
    SCOPED_TRACE(seed);
    const TempFolder folder;
    generate(plan_for(folder.path(), 1));
    write_text(folder / "file_set/seed", seed);
    EXPECT_THAT(sentence_of<UsageError>([&] { generate(plan_for(folder.path(), 1)); }),
                HasSubstr((folder / "file_set/seed").string()));
  }
}

TEST(WebGenerator, TakesOverAFolderWhereNoFileWasWrittenYet) {
  const TempFolder folder;
  fs::create_directory(folder / "file_set");
  write_text(folder / "file_set/seed", "12345678");  // killed before the line was whole
  EXPECT_EQ(generate(plan_for(folder.path(), 1)).written, 36U);
  EXPECT_EQ(read_text(folder / "file_set/seed"), "7\n");
  EXPECT_EQ(check(folder.path()).faults, 0U);
}

TEST(WebGenerator, RefusesANumberOfDirectoriesThatNoSetHas) {
  const TempFolder folder;
  EXPECT_THROW(generate(plan_for(folder.path(), 0)), UsageError);
  EXPECT_THROW(generate(plan_for(folder.path(), 4'000'000'000U)), UsageError);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WebGenerator, TellsProgressOneCallAtATimeUpToTheTotals) {
  const TempFolder folder;
  std::atomic<int> inside{0};
  std::vector<WebFilesProgress> seen;
  generate_web_files(
      plan_for(folder.path(), 4, 4),
      [&](const WebFilesProgress& progress) {
        EXPECT_EQ(++inside, 1);
        seen.push_back(progress);
        --inside;
      },
      kNotStopped);
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen.front().files_done, 0U);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].files_done, seen[i - 1].files_done);
    EXPECT_GE(seen[i].bytes_done, seen[i - 1].bytes_done);
  }
  EXPECT_EQ(seen.back().files_done, 4U * 36);
  EXPECT_EQ(seen.back().files_total, 4U * 36);
  EXPECT_EQ(seen.back().bytes_done, 4 * bytes_per_directory());
  EXPECT_EQ(seen.back().bytes_total, 4 * bytes_per_directory());
}

TEST(WebGenerator, DoesNothingWhenItIsCancelledFromTheStart) {
  const TempFolder folder;
  const std::atomic<bool> cancel{true};
  const WebFilesResult result = generate_web_files(plan_for(folder.path()), {}, cancel);
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.written, 0U);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WebGenerator, GoesOnWhereItWasCancelled) {
  const TempFolder folder;
  std::atomic<bool> cancel{false};
  const WebFilesResult first = generate_web_files(
      plan_for(folder.path(), 6, 2),
      [&](const WebFilesProgress& progress) { cancel = progress.files_done >= 2 * 36; }, cancel);
  EXPECT_TRUE(first.cancelled);
  EXPECT_GE(first.written, 2U * 36);
  EXPECT_LE(first.written, 3U * 36);  // the other thread may have been at its last file
  for (const auto& [name, body] : tree(folder.path())) {
    EXPECT_THAT(name, testing::Not(HasSubstr(".part")));
  }
  EXPECT_EQ(check(folder.path()).faults, 6U * 36 - first.written);

  const WebFilesResult second = generate(plan_for(folder.path(), 6, 2));
  EXPECT_FALSE(second.cancelled);
  EXPECT_EQ(second.kept, first.written);
  EXPECT_EQ(second.written + second.kept, 6U * 36);
  EXPECT_EQ(check(folder.path()).faults, 0U);
}

TEST(WebGenerator, GoesOnAfterItWasKilled) {
  const TempFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    generate_web_files(
        plan_for(folder.path(), 6, 3),
        [](const WebFilesProgress& progress) {
          if (progress.files_done >= 2 * 36) {
            (void)::raise(SIGKILL);
          }
        },
        kNotStopped);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  // And whatever the kill cut: half a file never has a name of the set.
  write_text(folder / "file_set/dir00000/.class3_8.part", "half");
  fs::remove(folder / "file_set/dir00000/class3_8");
  const WebFilesResult again = generate(plan_for(folder.path(), 6, 3));
  EXPECT_GE(again.kept, 2U * 36 - 1);
  const WebFilesCheck checked = check(folder.path());
  EXPECT_EQ(checked.faults, 0U) << testing::PrintToString(checked.examples);
}

TEST(WebGenerator, RefusesToWriteBesideAnotherGenerator) {
  const TempFolder folder;
  std::string refusal;
  generate_web_files(
      plan_for(folder.path(), 1),
      [&](const WebFilesProgress& progress) {
        if (progress.files_done == 0) {
          refusal = sentence_of<RunError>([&] { generate(plan_for(folder.path(), 1)); });
        }
      },
      kNotStopped);
  EXPECT_THAT(refusal, AllOf(HasSubstr("another process"), HasSubstr(folder.path().string())));
  EXPECT_EQ(check(folder.path()).faults, 0U);
  EXPECT_EQ(generate(plan_for(folder.path(), 1)).kept, 36U);  // the right to write ended with the first
}

TEST(WebGenerator, GeneratorsThatStartTogetherLeaveASoundSet) {
  const TempFolder folder;
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> generators;
    for (int i = 0; i < 4; ++i) {
      generators.emplace_back([&] {
        try {
          done += generate(plan_for(folder.path(), 2)).cancelled ? 0 : 1;
        } catch (const RunError&) {
          // Refused: another was at work.
        }
      });
    }
  }
  EXPECT_GE(done, 1);
  EXPECT_EQ(check(folder.path()).faults, 0U);
}

TEST(WebGenerator, AThrowingProgressCallStopsTheWorkAndComesOut) {
  const TempFolder folder;
  const auto call = [](const WebFilesProgress& progress) {
    if (progress.files_done > 0) {
      throw std::logic_error("the view broke");
    }
  };
  EXPECT_THROW(generate_web_files(plan_for(folder.path(), 3), call, kNotStopped), std::logic_error);
}

TEST(WebGenerator, NamesThePathAndTheReasonWhenAFolderCannotBeMade) {
  const TempFolder folder;
  write_text(folder / "file", "");
  EXPECT_THAT(sentence_of<RunError>([&] { generate(plan_for(folder / "file/set", 1)); }),
              AllOf(HasSubstr((folder / "file/set").string()), HasSubstr("Not a directory")));
}

TEST(WebGenerator, NamesThePathAndTheReasonWhenAFileCannotBeWritten) {
  const TempFolder folder;
  fs::create_directories(folder / "file_set/dir00000/class1_1/in the way");
  write_text(folder / "file_set/seed", "7\n");
  EXPECT_THAT(
      sentence_of<RunError>([&] { generate(plan_for(folder.path(), 1)); }),
      AllOf(HasSubstr((folder / "file_set/dir00000/class1_1").string()), HasSubstr("Is a directory")));
  EXPECT_FALSE(fs::exists(folder / "file_set/dir00000/.class1_1.part"));
}

TEST(WebGenerator, RefusesAFolderThatItMayNotWriteTo) {
  const TempFolder folder;
  fs::permissions(folder.path(), fs::perms{0555});
  // Root may write anywhere: it has to become somebody else for this.
  const bool root = ::geteuid() == 0;
  ASSERT_TRUE(!root || ::seteuid(65'534) == 0);
  const std::string sentence = sentence_of<RunError>([&] { generate(plan_for(folder.path(), 1)); });
  ASSERT_TRUE(!root || ::seteuid(0) == 0);
  EXPECT_THAT(sentence, AllOf(HasSubstr(folder.path().string()), HasSubstr("Permission denied")));
}

}  // namespace
}  // namespace scalemark::filesets
