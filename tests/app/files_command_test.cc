#include "app/files_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <utility>

#include "tests/app/console_capture.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;

/// A stream that somebody answers with Ctrl-C as soon as it shows something.
class InterruptingBuffer final : public std::stringbuf {
 protected:
  int sync() override {
    if (!std::exchange(interrupted_, true)) {
      std::raise(SIGINT);
    }
    return std::stringbuf::sync();
  }

 private:
  bool interrupted_ = false;
};

class FilesCommandTest : public testing::Test {
 protected:
  int make(const std::string& seed = "1") {
    return capture_.run({"files", "web", "--out", out(), "--directories", "1", "--seed", seed});
  }
  int check() { return capture_.run({"files", "check", out()}); }
  [[nodiscard]] std::string out() const { return folder_.path().string(); }

  TemporaryFolder folder_;
  ConsoleCapture capture_;
};

TEST_F(FilesCommandTest, ASetIsWrittenThenKeptAndFoundRight) {
  EXPECT_EQ(make(), kExitOk) << capture_.err();
  EXPECT_THAT(capture_.out(),
              HasSubstr("1 directories, 5.12 MB in " + out() + "/file_set: 36 files written, 0 kept"));
  EXPECT_EQ(make(), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("0 files written, 36 kept"));
  EXPECT_EQ(check(), kExitOk) << capture_.err();
  EXPECT_THAT(capture_.out(), HasSubstr("seed 1: every byte is right"));
}

TEST_F(FilesCommandTest, InterruptedItSaysHowToGoOn) {
  InterruptingBuffer buffer;
  std::ostream err(&buffer);
  std::ostringstream out_text;
  Console console{.out = out_text, .err = err, .err_is_terminal = true};
  const std::vector<std::string> words = {"files",         "web", "--out",     out(),
                                          "--directories", "3",   "--threads", "1"};
  EXPECT_EQ(run_command(words, console), kExitInterrupted);
  EXPECT_THAT(buffer.str(), HasSubstr("scalemark: interrupted; run again to continue\n"));
  EXPECT_EQ(out_text.str(), "");
  EXPECT_EQ(capture_.run(words), kExitOk) << capture_.err();
  EXPECT_EQ(check(), kExitOk) << capture_.out();
}

TEST_F(FilesCommandTest, AFaultIsShownAndIsNotTheGoal) {
  ASSERT_EQ(make(), kExitOk);
  std::ofstream(folder_.path() / "file_set/dir00000/class1_3", std::ios::in | std::ios::out).seekp(2000)
      << '\x01';
  EXPECT_EQ(check(), kExitGoalNotMet);
  EXPECT_THAT(capture_.out(), HasSubstr("class1_3"));
  EXPECT_THAT(capture_.out(), HasSubstr("1 faults"));
}

TEST_F(FilesCommandTest, WhatIsMissingIsSaid) {
  EXPECT_EQ(capture_.run({"files", "web", "--connections", "10"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("--out /srv/www"));
  EXPECT_EQ(capture_.run({"files", "web", "--out", out()}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("give --connections"));
  EXPECT_EQ(capture_.run({"files", "check"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("files check /srv/www"));
}

TEST_F(FilesCommandTest, ASetOfAnotherSeedIsTheUsersToMend) {
  ASSERT_EQ(make("1"), kExitOk);
  EXPECT_EQ(make("2"), kExitUsage);
}

TEST_F(FilesCommandTest, NoSetIsAFailure) {
  EXPECT_EQ(check(), kExitCouldNotRun);
}

}  // namespace
}  // namespace scalemark::app
