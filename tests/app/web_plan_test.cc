#include "web_bench/web_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/usage_error.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class WebPlanTest : public testing::Test {
 protected:
  WebPlanTest() {
    apply_profile(plan_, Profile::quick);
    plan_.urls = {"http://127.0.0.1:8080/"};
  }
  std::string fault() {
    return usage_error([this] { check(plan_); });
  }

  WebPlan plan_;
};

TEST_F(WebPlanTest, TheDefaultsWithAUrlAreRight) {
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, EverySettingReadsBackWhatItWrites) {
  plan_.class_mix = {1, 2, 3, 4};
  plan_.http = HttpVersion::http2;
  plan_.bind = {"10.0.0.2-10.0.0.9"};
  plan_.insecure = true;
  plan_.line_speed = {123'456'789};
  WebPlan other;
  Settings from = web_settings(plan_);
  Settings to = web_settings(other);
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i].set(from[i].get());
    EXPECT_EQ(to[i].get(), from[i].get()) << from[i].name;
  }
  EXPECT_EQ(other.class_mix, plan_.class_mix);
  EXPECT_EQ(other.http, plan_.http);
  EXPECT_EQ(other.line_speed, plan_.line_speed);
  EXPECT_EQ(other.phases.window, plan_.phases.window);
}

TEST_F(WebPlanTest, DirectoriesFollowTheFormulaUnlessGiven) {
  plan_.connections = 1000;
  EXPECT_EQ(plan_.effective_directories(), 680U);
  plan_.directories = 20;
  EXPECT_EQ(plan_.effective_directories(), 20U);
}

TEST_F(WebPlanTest, AUrlIsNeeded) {
  plan_.urls.clear();
  EXPECT_THAT(fault(), HasSubstr("give at least one --url"));
}

TEST_F(WebPlanTest, EveryUrlNeedsAConnection) {
  plan_.urls = {"http://a/", "http://b/", "http://c/"};
  plan_.connections = 2;
  EXPECT_THAT(fault(), HasSubstr("3 URLs cannot share 2 connections; raise --connections"));
  plan_.connections = 3;
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, TheMixMustSuitTheFileSet) {
  plan_.class_mix = {35, 50, 15};
  EXPECT_THAT(fault(), AllOf(HasSubstr("3 parts"), HasSubstr("35:50:14:1")));
  plan_.class_mix = {0, 0, 0, 0};
  EXPECT_THAT(fault(), HasSubstr("asks for no class at all"));
  plan_.class_mix = {65'536, 1, 0, 0};
  EXPECT_THAT(fault(), HasSubstr("65537 parts in all"));
  plan_.class_mix = {0, 0, 0, 1};
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, AUrlListNeedsNoMixAndNoDirectories) {
  plan_.urls_file = "urls.txt";
  plan_.class_mix = {1};
  EXPECT_NO_THROW(check(plan_));
  plan_.directories = 20;
  EXPECT_THAT(fault(), HasSubstr("--directories belongs to the file set, which --urls replaces"));
}

TEST_F(WebPlanTest, ThreadsAreAtMostTheConnections) {
  plan_.connections = 3;
  plan_.threads = 3;
  EXPECT_NO_THROW(check(plan_));
  plan_.threads = 4;
  EXPECT_THAT(fault(), HasSubstr("4 threads cannot share 3 connections; lower --threads"));
}

TEST_F(WebPlanTest, CountsOfZeroAreRefused) {
  plan_.threads = 0;
  EXPECT_THAT(fault(), HasSubstr("--threads is 0"));
  plan_.threads = 1;
  plan_.iterations = 0;
  EXPECT_THAT(fault(), HasSubstr("--iterations is 0"));
}

TEST_F(WebPlanTest, AWindowIsNeeded) {
  plan_.phases.window = 0s;
  EXPECT_THAT(fault(), HasSubstr("--window is 0, so nothing would be measured"));
}

TEST_F(WebPlanTest, TheConformingRateIsAtMostTheLine) {
  plan_.conforming_rate = plan_.line_speed;
  EXPECT_NO_THROW(check(plan_));
  plan_.conforming_rate = {400'001};
  EXPECT_THAT(fault(), HasSubstr("no connection could conform"));
}

TEST_F(WebPlanTest, RequestsPerConnectionRunUpwardsFromOne) {
  plan_.requests_per_connection_min = 16;
  EXPECT_THAT(fault(), HasSubstr("16-15 runs backwards"));
  plan_.requests_per_connection_min = 0;
  EXPECT_THAT(fault(), HasSubstr("at least 1 request"));
}

TEST_F(WebPlanTest, TheNativeEngineSpeaksHttpOneOnly) {
  plan_.urls = {"http://a/", "HTTPS://b/"};
  EXPECT_THAT(fault(), HasSubstr("add --engine curl for https"));
  plan_.engine = Engine::curl;
  EXPECT_NO_THROW(check(plan_));
  plan_.http = HttpVersion::http2;
  EXPECT_NO_THROW(check(plan_));
  plan_.urls = {"http://a/"};
  plan_.engine = Engine::native;
  EXPECT_THAT(fault(), HasSubstr("add --engine curl for --http 2"));
}

TEST_F(WebPlanTest, CertificateOptionsAreForHttps) {
  plan_.engine = Engine::curl;
  plan_.insecure = true;
  EXPECT_THAT(fault(), HasSubstr("no --url begins with https://"));
  plan_.urls = {"https://a/"};
  EXPECT_NO_THROW(check(plan_));
  plan_.ca_file = "ca.pem";
  EXPECT_THAT(fault(), HasSubstr("leave one of them out"));
  plan_.insecure = false;
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, LocalAddressesAreOfTheServersFamily) {
  plan_.bind = {"fd00::1-fd00::8"};
  EXPECT_THAT(fault(), HasSubstr("--bind fd00::1-fd00::8 is an IPv6 address"));
  plan_.urls = {"http://[fd00::2]:80/"};
  EXPECT_NO_THROW(check(plan_));
  plan_.bind = {"127.0.0.2"};
  EXPECT_THAT(fault(), HasSubstr("--bind 127.0.0.2 is an IPv4 address"));
  plan_.urls = {"http://name/"};  // what a name stands for is known only later
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, ASegmentSizeIsOneThatTheSystemTakes) {
  plan_.mss = 87;
  EXPECT_THAT(fault(), HasSubstr("--mss 87 is too small"));
  plan_.mss = 88;
  EXPECT_NO_THROW(check(plan_));
}

TEST_F(WebPlanTest, RequirementsAreReadBeforeAnyLoad) {
  plan_.require = {"conforming>=95%", "ttfb_p99 < 50ms"};
  EXPECT_NO_THROW(check(plan_));
  plan_.require = {"conforming"};
  EXPECT_THAT(fault(), HasSubstr("--require: "));
  plan_.require = {"confirming>=95%"};
  EXPECT_THAT(fault(), AllOf(HasSubstr("--require: "), HasSubstr("conforming")));
}

TEST_F(WebPlanTest, RecordAndCsvHaveFilesOfTheirOwn) {
  plan_.json = "out/../same";
  plan_.csv = "./same";
  EXPECT_THAT(fault(), HasSubstr("give each a file of its own"));
  plan_.csv = "other";
  EXPECT_NO_THROW(check(plan_));
  plan_.json = plan_.csv = "none";
  EXPECT_NO_THROW(check(plan_));
  plan_.json = plan_.csv = "-";
  EXPECT_THAT(fault(), HasSubstr("give each a file of its own"));
}

}  // namespace
}  // namespace scalemark::web
