#include "app/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/console_capture.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class RunCommandTest : public testing::Test {
 protected:
  ConsoleCapture capture_;
};

TEST_F(RunCommandTest, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(capture_.run({"--version"}), kExitOk);
  EXPECT_EQ(capture_.out(), "scalemark " SCALEMARK_VERSION "\n");
  EXPECT_EQ(capture_.run({"--help"}), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("Usage: scalemark COMMAND [options]"));
  EXPECT_EQ(capture_.run({"files", "--help"}), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("Usage: scalemark files COMMAND [options]"));
  EXPECT_EQ(capture_.run({"files", "web", "--help"}), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("Usage: scalemark files web [options]"));
  EXPECT_THAT(capture_.err(), IsEmpty());
}

TEST_F(RunCommandTest, NoCommandShowsTheCommandsAndIsAFault) {
  EXPECT_EQ(capture_.run({}), kExitUsage);
  EXPECT_THAT(capture_.err(), StartsWith("Usage: scalemark COMMAND"));
  EXPECT_EQ(capture_.run({"files"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("Usage: scalemark files COMMAND"));
  EXPECT_THAT(capture_.out(), IsEmpty());
}

TEST_F(RunCommandTest, AWrongCommandNamesTheNearest) {
  EXPECT_EQ(capture_.run({"docter"}), kExitUsage);
  EXPECT_EQ(capture_.run({"files", "chek", "/srv"}), kExitUsage);
  EXPECT_EQ(capture_.run({"file"}), kExitUsage);
  EXPECT_EQ(capture_.run({"--versoin"}), kExitUsage);
  EXPECT_EQ(capture_.err(),
            "scalemark: there is no command 'docter'; did you mean 'doctor'?\n"
            "scalemark: there is no command 'files chek'; did you mean 'files check'?\n"
            "scalemark: there is no command 'file'; did you mean 'files'?\n"
            "scalemark: there is no option '--versoin'; did you mean '--version'?\n");
}

TEST_F(RunCommandTest, AWordLikeNoCommandListsThemAll) {
  EXPECT_EQ(capture_.run({"zzzzzzzzz"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("there are: web, mail, mailboxes, files web, files check, serve, "));
  EXPECT_THAT(capture_.err(), HasSubstr(", testbed up web, testbed up mail, "));
}

TEST_F(RunCommandTest, GroupsMayHoldGroups) {
  EXPECT_EQ(capture_.run({"testbed", "up"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("Usage: scalemark testbed up COMMAND"));
  EXPECT_EQ(capture_.run({"testbed", "upp"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("no command 'testbed upp'; did you mean 'testbed up'?"));
  EXPECT_EQ(capture_.run({"testbed", "up", "wob"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("did you mean 'testbed up web'?"));
  EXPECT_EQ(capture_.run({"testbed", "up", "web", "--help"}), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("Usage: scalemark testbed up web [options]\n"));
}

TEST_F(RunCommandTest, WordsAfterTwoDashesAreAnotherProgramsAndNotLookedAt) {
  EXPECT_EQ(capture_.run({"testbed", "run", "--print-plan", "--", "curl", "--nmae", "--help"}), kExitOk);
  EXPECT_THAT(capture_.out(), HasSubstr("command = [\"curl\", \"--nmae\", \"--help\"]"));
  EXPECT_EQ(capture_.run({"testbed", "run", "--nmae", "x", "--", "curl"}), kExitUsage);
  EXPECT_THAT(capture_.err(), HasSubstr("did you mean '--name'?"));
}

TEST_F(RunCommandTest, AFaultInSettingsIsOneLineAndUsage) {
  EXPECT_EQ(capture_.run({"web", "--windw", "5s"}), kExitUsage);
  EXPECT_EQ(capture_.err(), "scalemark: there is no option '--windw'; did you mean '--window'?\n");
}

TEST_F(RunCommandTest, AFaultInTheFileIsOneLineAndUsage) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "web.toml").string();
  std::ofstream(path) << "[web]\nwindow = '5'\n";
  EXPECT_EQ(capture_.run({"web", "--config", path}), kExitUsage);
  EXPECT_THAT(capture_.err(), StartsWith("scalemark: " + path + ":2: --window: '5' is no time"));
}

TEST_F(RunCommandTest, OutputThatCannotBeWrittenIsAFailure) {
  std::ofstream full("/dev/full");
  std::ostringstream err;
  Console console{.out = full, .err = err};
  EXPECT_EQ(run_command({"--help"}, console), kExitCouldNotRun);
  EXPECT_EQ(err.str(), "scalemark: standard output could not be written\n");
}

}  // namespace
}  // namespace scalemark::app
