#include "app/settings_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/toy_settings.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class SettingsTomlTest : public testing::Test {
 protected:
  std::vector<Given> read(const std::string& text, const std::string& table = "web") {
    return parse_toml(text, "web.toml", table, {"web", "files.web", "files.check", "serve"},
                      toy_settings(toy_));
  }
  std::string fault(const std::string& text, const std::string& table = "web") {
    return usage_error([&] { static_cast<void>(read(text, table)); });
  }
  std::vector<std::string> texts(const std::string& text, const std::string& name,
                                 const std::string& table = "web") {
    const auto all = read(text, table);
    const Given* given = find_given(all, name);
    return given == nullptr ? std::vector<std::string>{} : given->texts;
  }

  Toy toy_;
};

TEST_F(SettingsTomlTest, TextsNumbersBooleansAndArraysAreRead) {
  const std::string text =
      "window = '5s'\nconnections = 1_000\nshare = 0.25\ninsecure = true\nurl = ['http://a/', 'http://b/']\n";
  EXPECT_THAT(texts(text, "window"), ElementsAre("5s"));
  EXPECT_THAT(texts(text, "connections"), ElementsAre("1000"));
  EXPECT_THAT(texts(text, "share"), ElementsAre("0.25"));
  EXPECT_THAT(texts(text, "insecure"), ElementsAre("true"));
  EXPECT_THAT(texts(text, "url"), ElementsAre("http://a/", "http://b/"));
}

TEST_F(SettingsTomlTest, OneTextWillDoForAList) {
  EXPECT_THAT(texts("url = 'http://a/'", "url"), ElementsAre("http://a/"));
}

TEST_F(SettingsTomlTest, TheCommandsOwnTableWinsOverTheTopLevel) {
  const std::string text = "window = '5s'\nshare = 0.5\n[web]\nwindow = '6s'\n";
  EXPECT_THAT(texts(text, "window"), ElementsAre("6s"));
  EXPECT_THAT(texts(text, "share"), ElementsAre("0.5"));
}

TEST_F(SettingsTomlTest, TablesOfOtherCommandsAreLeftAlone) {
  const std::string text =
      "[serve]\nlisten = '127.0.0.1:80'\n[files.web]\nwindow = '7s'\n[web]\nwindow = '6s'\n";
  EXPECT_THAT(texts(text, "window"), ElementsAre("6s"));
  EXPECT_THAT(texts(text, "window", "files.web"), ElementsAre("7s"));
  EXPECT_THAT(texts(text, "window", "files.check"), IsEmpty());
}

TEST_F(SettingsTomlTest, EachEntryKnowsItsLine) {
  const auto given = read("\n\nwindow = '5s'\n");
  EXPECT_EQ(find_given(given, "window")->origin, "web.toml:3");
}

TEST_F(SettingsTomlTest, AnUnknownKeyNamesFileLineAndTheNearestKey) {
  EXPECT_EQ(fault("window = '5s'\nconections = 5\n"),
            "web.toml:2: there is no setting 'conections'; did you mean 'connections'?");
  EXPECT_EQ(fault("[web]\n\nconections = 5\n"),
            "web.toml:3: there is no setting 'conections'; did you mean 'connections'?");
  EXPECT_EQ(fault("zzzzzzzz = 5\n"), "web.toml:1: there is no setting 'zzzzzzzz'");
  EXPECT_EQ(fault("[files]\nconnections = 5\n", "files.web"),
            "web.toml:2: there is no setting 'files.connections'");
}

TEST_F(SettingsTomlTest, AnUnknownTableNamesTheNearest) {
  EXPECT_EQ(fault("[serv]\nx = 1\n"), "web.toml:1: there is no table [serv]; did you mean 'serve'?");
  EXPECT_THAT(fault("[web.more]\nx = 1\n"), StartsWith("web.toml:1: there is no table [web.more]"));
}

TEST_F(SettingsTomlTest, AFaultOfSyntaxNamesLineAndColumn) {
  EXPECT_THAT(fault("window = '5s'\nconnections 5\n"), StartsWith("web.toml:2:13: "));
  EXPECT_THAT(fault("window = '5s'\nwindow = '6s'\n"), StartsWith("web.toml:2:"));
}

TEST_F(SettingsTomlTest, AValueOfTheWrongKindIsRefused) {
  EXPECT_EQ(fault("insecure = 1"), "web.toml:1: 'insecure' must be true or false");
  EXPECT_EQ(fault("insecure = 'true'"), "web.toml:1: 'insecure' must be true or false");
  EXPECT_EQ(fault("window = true"), "web.toml:1: 'window' must be a text in quotes or a number");
  EXPECT_EQ(fault("window = 2026-01-31"), "web.toml:1: 'window' must be a text in quotes or a number");
  EXPECT_EQ(fault("url = [['http://a/']]"), "web.toml:1: 'url' must be a text in quotes or a number");
  EXPECT_EQ(fault("window = ['5s']"), "web.toml:1: 'window' takes one value, not an array");
}

TEST_F(SettingsTomlTest, WhatIsWrittenReadsBackToTheSameValues) {
  toy_.url = {"http://a/", "http://[::1]:80/"};
  toy_.window = std::chrono::milliseconds(1500);
  toy_.insecure = true;
  toy_.out = "a \"quoted\\path\"\n'\t\x01 007";
  toy_.seed = ~std::uint64_t{0};  // beyond what a TOML number holds
  const std::string text = write_toml(toy_settings(toy_), "web");

  Toy other;
  Settings settings = toy_settings(other);
  apply_given(settings, read(text));
  EXPECT_EQ(other.url, toy_.url);
  EXPECT_EQ(other.window, toy_.window);
  EXPECT_EQ(other.insecure, toy_.insecure);
  EXPECT_EQ(other.out, toy_.out);
  EXPECT_EQ(other.seed, toy_.seed);
  EXPECT_EQ(write_toml(settings, "web"), text);
}

TEST_F(SettingsTomlTest, WhatIsWrittenIsGroupedAndLeavesOutWhatIsNotSet) {
  EXPECT_EQ(write_toml(toy_settings(toy_), "files.web"),
            "[files.web]\n\n# Load\nconnections = 100\nwindow = \"20s\"\nshare = \"70%\"\nseed = 1\n\n"
            "# Transport\ninsecure = false\n");
}

TEST_F(SettingsTomlTest, NumbersThatAreNotWrittenAsTomlWritesThemStayTexts) {
  toy_.out = "007";
  EXPECT_THAT(write_toml(toy_settings(toy_), "web"), HasSubstr("out = \"007\""));
}

TEST_F(SettingsTomlTest, AFileIsReadAndWhatCannotBeReadIsAUsageError) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "web.toml").string();
  const auto read_file = [&](const std::string& name) {
    return read_toml(name, "web", {"web"}, toy_settings(toy_));
  };
  std::ofstream(path) << "window = '5s'\n";
  EXPECT_THAT(find_given(read_file(path), "window")->texts, ElementsAre("5s"));
  std::ofstream(path, std::ios::trunc).flush();
  EXPECT_THAT(read_file(path), IsEmpty());
  EXPECT_THAT(usage_error([&] { static_cast<void>(read_file("/nonexistent/web.toml")); }),
              HasSubstr("'/nonexistent/web.toml': No such file"));
  EXPECT_THAT(usage_error([&] { static_cast<void>(read_file(folder.path().string())); }),
              HasSubstr("Is a directory"));
}

TEST_F(SettingsTomlTest, InnerTablesAreNamedInTheOrderOfTheFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "x.toml").string();
  std::ofstream(path) << "top = 1\n[web]\n[variants.z]\n[variants.\"1.5/3\"]\na.b = 1\n[variants.c.d]\n";
  EXPECT_THAT(inner_tables(path, ""), ElementsAre("web", "variants"));
  EXPECT_THAT(inner_tables(path, "variants"), ElementsAre("z", "1.5/3", "c"));
  EXPECT_THAT(inner_tables(path, "nothing"), IsEmpty());
}

TEST_F(SettingsTomlTest, KeysStandInQuotesWhenTheyMust) {
  EXPECT_EQ(toml_key("2K"), "2K");
  EXPECT_EQ(toml_key("15/30"), "\"15/30\"");
  EXPECT_EQ(toml_key("a \"b\""), "\"a \\\"b\\\"\"");
  EXPECT_EQ(toml_key(""), "\"\"");
}

}  // namespace
}  // namespace scalemark::app
