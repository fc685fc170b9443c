#include "app/settings_cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/toy_settings.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SettingsCliTest : public testing::Test {
 protected:
  CommandLine read(const std::vector<std::string>& words) {
    return read_command_line(toy_settings(toy_), by_place_, words);
  }
  std::string fault(const std::vector<std::string>& words) {
    return usage_error([&] { static_cast<void>(read(words)); });
  }
  std::vector<std::string> texts(const std::vector<std::string>& words, const std::string& name) {
    const CommandLine line = read(words);
    const Given* given = find_given(line.given, name);
    return given == nullptr ? std::vector<std::string>{} : given->texts;
  }

  Toy toy_;
  std::vector<std::string> by_place_;
};

TEST_F(SettingsCliTest, NothingGivenIsNothingRead) {
  const CommandLine line = read({});
  EXPECT_THAT(line.given, IsEmpty());
  EXPECT_EQ(line.config, "");
  EXPECT_FALSE(line.print_plan);
  EXPECT_FALSE(line.help);
}

TEST_F(SettingsCliTest, ValuesFollowTheNameOrAnEqualsSign) {
  EXPECT_THAT(texts({"--window", "5s"}, "window"), ElementsAre("5s"));
  EXPECT_THAT(texts({"--window=5s"}, "window"), ElementsAre("5s"));
  EXPECT_THAT(texts({"--out", "-"}, "out"), ElementsAre("-"));
  EXPECT_THAT(texts({"--out=a=b"}, "out"), ElementsAre("a=b"));
  EXPECT_THAT(texts({"--out", ""}, "out"), ElementsAre(""));
}

TEST_F(SettingsCliTest, AListIsGivenAgainAndAgain) {
  EXPECT_THAT(texts({"--url", "http://a/", "--url=http://[::1]:80/"}, "url"),
              ElementsAre("http://a/", "http://[::1]:80/"));
  // No list syntax of the option parser's own: commas and brackets belong to the value.
  EXPECT_THAT(texts({"--url", "a,b", "--url", "[::1]"}, "url"), ElementsAre("a,b", "[::1]"));
}

TEST_F(SettingsCliTest, AFlagStandsAloneOrIsTakenBack) {
  EXPECT_THAT(texts({"--insecure"}, "insecure"), ElementsAre("true"));
  EXPECT_THAT(texts({"--insecure=false"}, "insecure"), ElementsAre("false"));
}

TEST_F(SettingsCliTest, ValuesAreNotLookedAt) {
  EXPECT_THAT(texts({"--window", "no time"}, "window"), ElementsAre("no time"));
}

TEST_F(SettingsCliTest, EveryCommandHasHelpConfigAndPrintPlan) {
  const CommandLine line = read({"--config", "web.toml", "--print-plan"});
  EXPECT_EQ(line.config, "web.toml");
  EXPECT_TRUE(line.print_plan);
  EXPECT_TRUE(read({"--help"}).help);
  EXPECT_TRUE(read({"-h", "--nonsense"}).help);
}

TEST_F(SettingsCliTest, AnUnknownOptionNamesTheNearest) {
  EXPECT_EQ(fault({"--conections", "5"}), "there is no option '--conections'; did you mean '--connections'?");
  EXPECT_EQ(fault({"--conections=5"}), "there is no option '--conections'; did you mean '--connections'?");
  EXPECT_EQ(fault({"--print-plam"}), "there is no option '--print-plam'; did you mean '--print-plan'?");
  EXPECT_EQ(fault({"--xyz"}), "there is no option '--xyz'");
}

TEST_F(SettingsCliTest, AForgottenValueIsNotTakenFromTheNextOption) {
  EXPECT_EQ(fault({"--window"}), "--window needs a value");
  EXPECT_EQ(fault({"--window", "--insecure"}), "--window needs a value, but '--insecure' follows it");
  EXPECT_EQ(fault({"--config", "--print-plan"}), "--config needs a value, but '--print-plan' follows it");
}

TEST_F(SettingsCliTest, WordsWithoutAnOptionAreRefused) {
  EXPECT_THAT(fault({"stray"}), HasSubstr("'stray' is one word too many"));
  EXPECT_THAT(fault({"--window", "5s", "6s"}), HasSubstr("'6s' is one word too many"));
}

TEST_F(SettingsCliTest, SettingsByPlaceNeedNoName) {
  by_place_ = {"out"};
  EXPECT_THAT(texts({"folder"}, "out"), ElementsAre("folder"));
  EXPECT_THAT(texts({"--insecure", "folder", "--window", "5s"}, "out"), ElementsAre("folder"));
  EXPECT_THAT(texts({"--", "--folder"}, "out"), ElementsAre("--folder"));
  EXPECT_THAT(fault({"one", "two"}), HasSubstr("'two' is one word too many"));
}

}  // namespace
}  // namespace scalemark::app
