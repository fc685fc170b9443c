#include "core/setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Setting fixed(std::string name, SettingForm form, std::vector<std::string> values) {
  Setting setting;
  setting.name = std::move(name);
  setting.form = form;
  setting.get = [values = std::move(values)] { return values; };
  return setting;
}

TEST(NearestWord, FindsASlipOfTheHand) {
  const std::vector<std::string> known = {"ramp-up", "ramp-down", "window", "connections", "seed"};
  EXPECT_EQ(nearest_word("ramp-up", known), "ramp-up");
  EXPECT_EQ(nearest_word("ramp-dwon", known), "ramp-down");
  EXPECT_EQ(nearest_word("ramp_up", known), "ramp-up");
  EXPECT_EQ(nearest_word("rampup", known), "ramp-up");
  EXPECT_EQ(nearest_word("conections", known), "connections");
  EXPECT_EQ(nearest_word("connection", known), "connections");
  EXPECT_EQ(nearest_word("WINDOW", known), "window");
  EXPECT_EQ(nearest_word("sed", known), "seed");
}

TEST(NearestWord, PrefersTheNearerAndThenTheFirst) {
  EXPECT_EQ(nearest_word("threads", {"thread", "threads"}), "threads");
  EXPECT_EQ(nearest_word("files", {"miles", "tiles"}), "miles");
}

TEST(NearestWord, SaysNothingWhenNoneIsNear) {
  const std::vector<std::string> known = {"ramp-up", "window", "csv"};
  EXPECT_EQ(nearest_word("colour", known), "");
  EXPECT_EQ(nearest_word("x", known), "");
  EXPECT_EQ(nearest_word("", known), "");
  EXPECT_EQ(nearest_word("window", {}), "");
}

TEST(FindSetting, FindsBySpelling) {
  Settings settings = {fixed("seed", SettingForm::single, {"1"}), fixed("csv", SettingForm::single, {})};
  EXPECT_EQ(&find_setting(settings, "csv"), &settings[1]);
}

TEST(FindSetting, NamesTheNearestOne) {
  Settings settings = {fixed("ramp-up", SettingForm::single, {}), fixed("window", SettingForm::single, {})};
  EXPECT_EQ(usage_error([&] { (void)find_setting(settings, "windw"); }),
            "there is no setting 'windw'; did you mean 'window'?");
  const std::string far = usage_error([&] { (void)find_setting(settings, "colour"); });
  EXPECT_THAT(far, HasSubstr("colour"));
  EXPECT_THAT(far, Not(HasSubstr("did you mean")));
}

TEST(SettingsJson, HoldsEverySettingInTheFormItHas) {
  const Settings settings = {
      fixed("window", SettingForm::single, {"60s"}),  fixed("csv", SettingForm::single, {}),
      fixed("url", SettingForm::list, {"a", "b"}),    fixed("bind", SettingForm::list, {}),
      fixed("insecure", SettingForm::flag, {"true"}), fixed("quiet", SettingForm::flag, {"false"}),
      fixed("unset", SettingForm::flag, {}),
  };
  EXPECT_EQ(
      settings_json(settings).dump(),
      R"({"window":"60s","csv":null,"url":["a","b"],"bind":[],"insecure":true,"quiet":false,"unset":false})");
  EXPECT_EQ(settings_json({}).dump(), "{}");
}

}  // namespace
}  // namespace scalemark
