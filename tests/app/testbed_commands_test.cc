// `scalemark testbed` as far as no cluster is needed for it; those are in tests/e2e.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/testbed_clusters.h"
#include "core/error.h"
#include "tests/app/console_capture.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(TestbedUpMail, HasSettingsAndDefaultsOfItsOwn) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"testbed", "up", "mail", "--print-plan"}), kExitOk);
  EXPECT_EQ(capture.err(), "");
  EXPECT_THAT(capture.out(),
              AllOf(HasSubstr("[testbed.mail]"), HasSubstr("\nname = \"mail\"\n"),
                    HasSubstr("\nnode-cpu = \"10%\"\n"), HasSubstr("\nproxy = \"nginx\"\n"),
                    HasSubstr("\nproxies = 1\n"), HasSubstr("\nproxy-cpu = \"10%\"\n"),
                    HasSubstr("\naccounts = 96\n"), HasSubstr("\ndomain = \"bench.test\"\n"),
                    HasSubstr("\ndelivery = \"postfix\"\n"), HasSubstr("\nnode-link = \"100mbit\"\n"),
                    Not(HasSubstr("server = ")), Not(HasSubstr("files = "))));
}

TEST(TestbedUpMail, ItsPlanFedBackIsTheSamePlan) {
  const TemporaryFolder folder;
  ConsoleCapture first;
  ASSERT_EQ(first.run({"testbed", "up", "mail", "--nodes", "4", "--proxies", "2", "--router", "nat",
                       "--proxy-cpu", "none", "--skew", "1.5", "--data", "/srv/mail", "--print-plan"}),
            kExitOk);
  const std::string path = folder.path() / "plan.toml";
  std::ofstream(path) << first.out();
  ConsoleCapture again;
  EXPECT_EQ(again.run({"testbed", "up", "mail", "--config", path, "--print-plan"}), kExitOk);
  EXPECT_EQ(again.out(), first.out());
}

TEST(TestbedUpMail, WhatCannotBeIsRefusedBeforeAnythingIsMade) {
  for (const std::vector<std::string>& slip : {std::vector<std::string>{"--proxy", "none", "--proxies", "2"},
                                               {"--accounts", "3", "--nodes", "4"},
                                               {"--router", "none"},
                                               {"--files", "/srv/www"},
                                               {"--data", "here"}}) {
    std::vector<std::string> words = {"testbed", "up", "mail"};
    words.insert(words.end(), slip.begin(), slip.end());
    ConsoleCapture capture;
    EXPECT_EQ(capture.run(words), kExitUsage) << slip.front();
    EXPECT_THAT(capture.err(), HasSubstr(slip.front()));
  }
}

TEST(TestbedUpWeb, KnowsNothingOfMail) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"testbed", "up", "web", "--accounts", "5"}), kExitUsage);
  EXPECT_THAT(capture.err(), HasSubstr("--accounts"));
}

TEST(TestbedClusters, TheOnlyOneNeedNotBeNamed) {
  EXPECT_EQ(named_or_only("", {"mail"}), "mail");
  EXPECT_EQ(named_or_only("two", {"mail"}), "two");
  try {
    static_cast<void>(named_or_only("", {"mail", "web"}));
    FAIL() << "chose one of two";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("mail, web"), HasSubstr("--name mail")));
  }
  try {
    static_cast<void>(named_or_only("", {}));
    FAIL() << "chose one of none";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no cluster; 'scalemark testbed up web' or 'up mail'"));
  }
}

}  // namespace
}  // namespace scalemark::app
