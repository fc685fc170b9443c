#include "app/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "analysis/text.h"
#include "tests/app/toy_settings.h"

namespace scalemark::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

CommandInfo toy_info() {
  return {.words = "toy",
          .table = "toy",
          .summary = "plays",
          .about = "Plays with settings.",
          .examples = "  scalemark toy --window 5s\n",
          .by_place = {}};
}

std::vector<CommandInfo> all_infos() {
  std::vector<CommandInfo> infos;
  for (const auto& command : all_commands()) {
    infos.push_back(command->info());
  }
  return infos;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, analysis::width_of(line));
  }
  return widest;
}

TEST(HelpTest, SettingsStandUnderTheirGroupsWithHintAndDefault) {
  Toy toy;
  const std::string text = command_help(toy_info(), toy_settings(toy));
  EXPECT_THAT(text, HasSubstr("Usage: scalemark toy [options]\n"));
  EXPECT_THAT(text, HasSubstr("\nTarget\n  --url URL                   where to go (may be repeated)\n"
                              "\nLoad\n  --connections N             how many [100]\n"));
  EXPECT_THAT(text, HasSubstr("  --window TIME               how long [20s]\n"));
  EXPECT_THAT(text, HasSubstr("  --insecure                  no questions\n"));
  EXPECT_THAT(text, HasSubstr("  --out FILE                  where to\n"));
  EXPECT_THAT(text, EndsWith("\nExamples\n  scalemark toy --window 5s\n"));
}

TEST(HelpTest, SettingsByPlaceStandInTheUsage) {
  Toy toy;
  CommandInfo info = toy_info();
  info.by_place = {"out"};
  const std::string text = command_help(info, toy_settings(toy));
  EXPECT_THAT(text, HasSubstr("Usage: scalemark toy FILE [options]\n"));
  EXPECT_THAT(text, HasSubstr("\n  FILE                        where to\n"));
  EXPECT_THAT(text, Not(HasSubstr("--out")));
}

TEST(HelpTest, EveryCommandsHelpFitsATerminalAndNamesEverySetting) {
  for (const auto& command : all_commands()) {
    const Settings settings = command->settings();
    const CommandInfo info = command->info();
    const std::string text = command_help(info, settings);
    EXPECT_LE(widest_line(text), 95U) << info.words;
    for (const Setting& setting : settings) {
      EXPECT_FALSE(setting.help.empty()) << setting.name;
      EXPECT_FALSE(setting.group.empty()) << setting.name;
      const bool by_place = setting.name == info.rest || std::find(info.by_place.begin(), info.by_place.end(),
                                                                   setting.name) != info.by_place.end();
      EXPECT_THAT(text, HasSubstr(by_place ? setting.hint : "--" + setting.name));
    }
    EXPECT_THAT(text, HasSubstr("\nExamples\n  scalemark " + info.words)) << info.words;
  }
}

TEST(HelpTest, TheOverviewListsEveryCommandOnceAndTheExitCodes) {
  const std::string text = overview(all_infos(), "");
  EXPECT_LE(widest_line(text), 95U);
  for (const CommandInfo& info : all_infos()) {
    EXPECT_THAT(text, HasSubstr("\n  " + info.words + " "));
  }
  EXPECT_THAT(text, HasSubstr("130 interrupted"));
}

TEST(HelpTest, TheOverviewOfAGroupListsItsCommandsOnly) {
  const std::string text = overview(all_infos(), "files");
  EXPECT_THAT(text, HasSubstr("Usage: scalemark files COMMAND [options]\n"));
  EXPECT_THAT(text, HasSubstr("\n  files web "));
  EXPECT_THAT(text, HasSubstr("\n  files check "));
  EXPECT_THAT(text, Not(HasSubstr("doctor")));
}

}  // namespace
}  // namespace scalemark::app
