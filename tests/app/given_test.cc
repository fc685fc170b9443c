#include "app/given.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/toy_settings.h"
#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(GivenTest, WhatLiesAboveReplacesWhatLiesBelowListsIncluded) {
  const std::vector<Given> below = {{"url", {"http://a/", "http://b/"}, "f:1"}, {"window", {"5s"}, "f:2"}};
  const std::vector<Given> above = {{"url", {"http://c/"}, ""}};
  const auto result = overlay(below, above);
  ASSERT_EQ(result.size(), 2U);
  EXPECT_THAT(find_given(result, "url")->texts, ElementsAre("http://c/"));
  EXPECT_THAT(find_given(result, "window")->texts, ElementsAre("5s"));
  EXPECT_EQ(find_given(result, "connections"), nullptr);
}

TEST(GivenTest, ListsTakeAllTextsAndSingleSettingsTheLast) {
  Toy toy;
  Settings settings = toy_settings(toy);
  apply_given(settings, {{"url", {"http://a/", "http://b/"}, ""}, {"connections", {"5", "7"}, ""}});
  EXPECT_THAT(toy.url, ElementsAre("http://a/", "http://b/"));
  EXPECT_EQ(toy.connections, 7U);
}

TEST(GivenTest, ABadValueIsReportedWithWhereItStood) {
  Toy toy;
  Settings settings = toy_settings(toy);
  EXPECT_THAT(usage_error([&] {
                apply_given(settings, Given{"window", {"5"}, "web.toml:12"});
              }),
              StartsWith("web.toml:12: --window: '5' is no time"));
  EXPECT_THAT(usage_error([&] {
                apply_given(settings, Given{"window", {"5"}, ""});
              }),
              StartsWith("--window: '5' is no time"));
}

TEST(GivenTest, WhatATableDoesNotKnowIsLeft) {
  Toy toy;
  Settings settings = toy_settings(toy);
  const auto rest = take_given(settings, {{"connections", {"7"}, ""}, {"search", {"true"}, "f:3"}});
  EXPECT_EQ(toy.connections, 7U);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].origin, "f:3");
}

}  // namespace
}  // namespace scalemark::app
