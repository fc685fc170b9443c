#include "study/point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/usage_error.h"

namespace scalemark::study {
namespace {

using ::testing::HasSubstr;

PointResult sample() {
  PointResult point;
  point.setup = {"dsr", 4, false};
  point.status = PointStatus::confirmed;
  point.why = "950 passed at full length and 960 failed";
  point.answer = PointAnswer{950, 950, 960};
  point.measured = {950, 949, 950};
  point.confirmed_by = {7};
  point.trials.resize(2);
  point.trials[1].number = 2;
  return point;
}

TEST(PointResult, GoesThroughJsonUnchanged) {
  EXPECT_EQ(to_json(point_from_json(Json::parse(to_json(sample()).dump()))).dump(), to_json(sample()).dump());
  PointResult bare = sample();
  bare.answer->upper.reset();
  EXPECT_EQ(to_json(point_from_json(to_json(bare))).dump(), to_json(bare).dump());
  bare.answer.reset();
  EXPECT_EQ(to_json(point_from_json(to_json(bare))).dump(), to_json(bare).dump());
}

TEST(PointResult, EveryStatusHasANameThatIsReadBack) {
  for (const PointStatus status :
       {PointStatus::confirmed, PointStatus::not_confirmed, PointStatus::generator_limited,
        PointStatus::failed, PointStatus::interrupted}) {
    PointResult point = sample();
    point.status = status;
    EXPECT_EQ(point_from_json(to_json(point)).status, status);
    EXPECT_EQ(to_json(point).at("status"), name_of(status));
  }
}

TEST(PointResult, FailedAndInterruptedOnesAreTakenUpAgain) {
  PointResult point = sample();
  EXPECT_TRUE(point.finished());
  point.status = PointStatus::failed;
  EXPECT_FALSE(point.finished());
  point.status = PointStatus::interrupted;
  EXPECT_FALSE(point.finished());
}

TEST(PointResult, HasANameForPeopleAndOneForFiles) {
  PointResult point = sample();
  EXPECT_EQ(point.name(), "dsr, 4 nodes");
  EXPECT_EQ(point.folder(), "dsr-4");
  point.setup = {"none", 1, true};
  EXPECT_EQ(point.name(), "direct, 1 node");
  EXPECT_EQ(point.folder(), "direct-1");
}

TEST(PointResult, NamesItsVariant) {
  PointResult point = sample();
  EXPECT_FALSE(to_json(point).contains("variant")) << "most studies have none";
  point.setup = {"nginx", 2, false, "30/60 s"};
  EXPECT_EQ(point.name(), "nginx, 2 nodes, 30/60 s");
  EXPECT_EQ(point.folder(), "nginx-2_30-60-s");
  EXPECT_EQ(point_from_json(to_json(point)).setup, point.setup);
}

TEST(PointResult, SaysWhatCannotBeRead) {
  Json json = to_json(sample());
  json["status"] = "splendid";
  EXPECT_THAT(usage_error([&json] { (void)point_from_json(json); }), HasSubstr("splendid"));
  json.erase("trials");
  EXPECT_THAT(usage_error([&json] { (void)point_from_json(json); }), HasSubstr("point"));
}

}  // namespace
}  // namespace scalemark::study
