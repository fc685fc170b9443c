#include "app/web_plan_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/usage_error.h"

namespace scalemark::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(WebPlanOptionsTest, TheDefaultIsTheQuickProfile) {
  const web::WebPlan plan = default_web_plan();
  EXPECT_EQ(plan.profile, web::Profile::quick);
  EXPECT_EQ(plan.phases.ramp_up, 5s);
  EXPECT_EQ(plan.phases.warm_up, 5s);
  EXPECT_EQ(plan.phases.window, 20s);
  EXPECT_EQ(plan.phases.ramp_down, 2s);
  EXPECT_EQ(plan.iterations, 3U);
}

TEST(WebPlanOptionsTest, TheFullProfileBringsItsTimes) {
  web::WebPlan plan = default_web_plan();
  apply_to_web_plan(plan, {{"profile", {"full"}, ""}});
  EXPECT_EQ(plan.profile, web::Profile::full);
  EXPECT_EQ(plan.phases.ramp_up, 300s);
  EXPECT_EQ(plan.phases.warm_up, 1200s);
  EXPECT_EQ(plan.phases.window, 1200s);
  EXPECT_EQ(plan.phases.ramp_down, 300s);
  EXPECT_EQ(plan.iterations, 3U);
}

TEST(WebPlanOptionsTest, AGivenTimeStandsWhereverTheProfileWasGiven) {
  for (const std::vector<Given>& given : {
           std::vector<Given>{{"window", {"60s"}, "f:1"}, {"profile", {"full"}, ""}},
           std::vector<Given>{{"profile", {"full"}, "f:1"}, {"window", {"60s"}, ""}},
       }) {
    web::WebPlan plan = default_web_plan();
    apply_to_web_plan(plan, given);
    EXPECT_EQ(plan.phases.window, 60s);
    EXPECT_EQ(plan.phases.warm_up, 1200s);
  }
}

TEST(WebPlanOptionsTest, AnUnknownProfileIsRefusedWithItsOrigin) {
  web::WebPlan plan = default_web_plan();
  EXPECT_THAT(usage_error([&] {
                apply_to_web_plan(plan, {{"profile", {"fast"}, "web.toml:3"}});
              }),
              HasSubstr("web.toml:3: --profile: 'fast' is none of quick, full"));
}

}  // namespace
}  // namespace scalemark::app
