#include "core/setting_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Texts = std::vector<std::string>;

/// What the setting complains of when it is given `text`.
std::string complaint(const Setting& setting, const std::string& text) {
  return usage_error([&] { setting.set({text}); });
}

/// What `get` gives must be taken by `set` and change nothing.
void expect_round_trip(const Setting& setting) {
  const Texts written = setting.get();
  setting.set(written);
  EXPECT_EQ(setting.get(), written) << setting.name;
}

TEST(TextSetting, HoldsAnyTextAndNoneForNotSet) {
  std::string field;
  const Setting setting = text_setting("json", "where the record goes", "Output", field, "FILE");
  EXPECT_EQ(setting.name, "json");
  EXPECT_EQ(setting.hint, "FILE");
  EXPECT_EQ(setting.help, "where the record goes");
  EXPECT_EQ(setting.group, "Output");
  EXPECT_EQ(setting.form, SettingForm::single);
  EXPECT_THAT(setting.get(), IsEmpty());
  expect_round_trip(setting);
  setting.set({"first", "second"});
  EXPECT_EQ(field, "second");
  expect_round_trip(setting);
  setting.set({});
  EXPECT_EQ(field, "");
}

TEST(TextsSetting, HoldsAListAndReplacesItWhole) {
  Texts field = {"old"};
  const Setting setting = texts_setting("url", "", "", field, "URL");
  EXPECT_EQ(setting.form, SettingForm::list);
  setting.set({"a", "b"});
  EXPECT_THAT(field, ElementsAre("a", "b"));
  expect_round_trip(setting);
  EXPECT_THAT(usage_error([&] { setting.set({"a", ""}); }), StartsWith("--url: "));
  EXPECT_THAT(field, ElementsAre("a", "b"));
  setting.set({});
  EXPECT_THAT(field, IsEmpty());
}

TEST(CountSetting, HoldsAWholeNumberWithinItsLimits) {
  std::uint32_t field = 100;
  const Setting setting = count_setting("connections", "", "", field, 1, 4000000000U);
  EXPECT_THAT(setting.get(), ElementsAre("100"));
  setting.set({"4000000000"});
  EXPECT_EQ(field, 4000000000U);
  expect_round_trip(setting);
  EXPECT_EQ(complaint(setting, "0"), "--connections: '0' is no whole number from 1 to 4000000000");
  EXPECT_THAT(complaint(setting, "4294967297"), StartsWith("--connections: "));
  EXPECT_THAT(complaint(setting, "many"), StartsWith("--connections: "));
  EXPECT_EQ(field, 4000000000U);
}

TEST(CountSetting, HoldsAllOf64Bits) {
  std::uint64_t field = 1;
  const Setting setting = count_setting("seed", "", "", field, 0, std::numeric_limits<std::uint64_t>::max());
  setting.set({"18446744073709551615"});
  EXPECT_EQ(field, std::numeric_limits<std::uint64_t>::max());
  expect_round_trip(setting);
}

TEST(SingleSettings, TakeTheLastValueAndNeedOne) {
  std::uint32_t field = 1;
  const Setting setting = count_setting("threads", "", "", field, 1, 9);
  setting.set({"2", "3"});
  EXPECT_EQ(field, 3U);
  EXPECT_EQ(usage_error([&] { setting.set({}); }), "--threads: a value is missing");
}

TEST(ParsedSetting, ReadsAndWritesByItsFunctions) {
  std::string field = "b";
  const Setting setting = parsed_setting(
      "letter", "LETTER", "one letter", "Group",
      [&field](const std::string& text) {
        if (text.size() != 1) {
          throw UsageError("'" + text + "' is no letter");
        }
        field = text;
      },
      [&field] { return field; });
  EXPECT_EQ(setting.hint, "LETTER");
  EXPECT_EQ(setting.form, SettingForm::single);
  expect_round_trip(setting);
  setting.set({"a"});
  EXPECT_EQ(field, "a");
  EXPECT_EQ(complaint(setting, "ab"), "--letter: 'ab' is no letter");
  field = "";
  EXPECT_THAT(setting.get(), IsEmpty());
  EXPECT_THAT(usage_error([&] { setting.set({}); }), StartsWith("--letter: "));
}

TEST(NumberSetting, TakesWholeAndBrokenNumbersWithinItsLimits) {
  double field = 0;
  const Setting setting = number_setting("arrivals", "", "", field, 0, 1e12);
  expect_round_trip(setting);
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"29091", 29'091}, {"0.25", 0.25}, {"1e12", 1e12}, {"0", 0}}) {
    setting.set({text});
    EXPECT_EQ(field, value);
    expect_round_trip(setting);
    EXPECT_EQ(field, value);
  }
  for (const char* bad : {"", "-1", "1e13", "five", "5 ", "nan", "inf", "5/h"}) {
    EXPECT_THAT(complaint(setting, bad), HasSubstr("is no number from 0 to 1000000000000")) << bad;
    EXPECT_EQ(field, 0);
  }
}

TEST(DurationSetting, HoldsATimeWithinItsLimits) {
  Duration field = 5s;
  const Setting setting = duration_setting("ramp-up", "", "", field, 1s, 24h);
  EXPECT_THAT(setting.get(), ElementsAre("5s"));
  setting.set({"1500ms"});
  EXPECT_EQ(field, 1500ms);
  expect_round_trip(setting);
  EXPECT_EQ(complaint(setting, "5"),
            "--ramp-up: '5' is no time; write it with a unit, as in 5s, 250ms or 20m");
  EXPECT_EQ(complaint(setting, "999ms"), "--ramp-up: '999ms' is not from 1s to 24h");
  EXPECT_EQ(complaint(setting, "25h"), "--ramp-up: '25h' is not from 1s to 24h");
  EXPECT_EQ(field, 1500ms);
  setting.set({"24h"});
  EXPECT_EQ(field, 24h);
}

TEST(RateSetting, HoldsARate) {
  BitsPerSecond field{400'000};
  const Setting setting = rate_setting("line-speed", "", "", field);
  EXPECT_THAT(setting.get(), ElementsAre("400kbit"));
  setting.set({"2.5mbit"});
  EXPECT_EQ(field, BitsPerSecond{2.5e6});
  expect_round_trip(setting);
  EXPECT_THAT(complaint(setting, "fast"), AllOf(StartsWith("--line-speed: 'fast'"), HasSubstr("400kbit")));
  EXPECT_EQ(field, BitsPerSecond{2.5e6});
}

TEST(ShareSetting, HoldsAShare) {
  double field = 0.7;
  const Setting setting = share_setting("persistent", "", "", field);
  EXPECT_THAT(setting.get(), ElementsAre("70%"));
  setting.set({"12.5%"});
  EXPECT_EQ(field, 0.125);
  expect_round_trip(setting);
  EXPECT_THAT(complaint(setting, "70"), AllOf(StartsWith("--persistent: '70'"), HasSubstr("95%")));
  EXPECT_EQ(field, 0.125);
}

TEST(FlagSetting, IsSetByItsBareNameOrByAWord) {
  bool field = false;
  const Setting setting = flag_setting("insecure", "", "", field);
  EXPECT_EQ(setting.form, SettingForm::flag);
  EXPECT_THAT(setting.get(), ElementsAre("false"));
  setting.set({});
  EXPECT_TRUE(field);
  expect_round_trip(setting);
  setting.set({"false"});
  EXPECT_FALSE(field);
  setting.set({"true"});
  EXPECT_TRUE(field);
  EXPECT_EQ(complaint(setting, "maybe"), "--insecure: 'maybe' is neither true nor false");
  EXPECT_TRUE(field);
}

TEST(ChoiceSetting, HoldsOneOfItsNames) {
  enum class Engine { native, curl };
  Engine field = Engine::native;
  const Setting setting =
      choice_setting<Engine>("engine", "", "", field, {{"native", Engine::native}, {"curl", Engine::curl}});
  EXPECT_EQ(setting.hint, "native|curl");
  EXPECT_THAT(setting.get(), ElementsAre("native"));
  setting.set({"curl"});
  EXPECT_EQ(field, Engine::curl);
  expect_round_trip(setting);
  EXPECT_EQ(complaint(setting, "wget"), "--engine: 'wget' is none of native, curl");
  EXPECT_EQ(field, Engine::curl);
}

TEST(CountsSetting, HoldsTheMixOfADeck) {
  std::vector<std::uint32_t> field = {35, 50, 14, 1};
  const Setting setting = counts_setting("class-mix", "", "", field, 1000);
  EXPECT_THAT(setting.get(), ElementsAre("35:50:14:1"));
  expect_round_trip(setting);
  setting.set({"1"});
  EXPECT_THAT(field, ElementsAre(1U));
  setting.set({"0:999:1"});
  EXPECT_THAT(field, ElementsAre(0U, 999U, 1U));
  for (const char* text : {"", ":", "1:", ":1", "1::2", "0", "0:0", "1:x", "1,2", "-1:2", "999:2", "1001",
                           "1.5:2", "4294967295:4294967295"}) {
    EXPECT_THAT(complaint(setting, text), AllOf(StartsWith("--class-mix: '"), HasSubstr("35:50:14:1")))
        << text;
  }
  EXPECT_THAT(field, ElementsAre(0U, 999U, 1U));
}

TEST(RangeSetting, HoldsTwoOrderedNumbers) {
  std::uint32_t low = 5;
  std::uint32_t high = 15;
  const Setting setting = range_setting("requests-per-connection", "", "", low, high, 1, 1000);
  EXPECT_THAT(setting.get(), ElementsAre("5-15"));
  expect_round_trip(setting);
  setting.set({"1 - 1000"});
  EXPECT_EQ(low, 1U);
  EXPECT_EQ(high, 1000U);
  setting.set({"8"});
  EXPECT_EQ(low, 8U);
  EXPECT_EQ(high, 8U);
  expect_round_trip(setting);
  for (const char* text : {"", "-", "5-", "-5", "15-5", "0-5", "5-1001", "5-6-7", "a-b", "5:15"}) {
    EXPECT_THAT(complaint(setting, text),
                AllOf(StartsWith("--requests-per-connection: '"), HasSubstr("as in 1-1000")))
        << text;
  }
  EXPECT_EQ(low, 8U);
  EXPECT_EQ(high, 8U);
}

}  // namespace
}  // namespace scalemark
