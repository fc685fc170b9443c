#include "analysis/attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;

constexpr double kLink = 100e6;
constexpr double kSeconds = 10;
constexpr double kFull = kLink / 8 * kSeconds;  // bytes

/// A point of `nodes` nodes, each with its link full, that served `requests` each.
ScalingPoint busy_point(unsigned nodes, double measured, double requests) {
  ScalingPoint point;
  point.nodes = nodes;
  point.status = PointStatus::confirmed;
  point.measured = {measured};
  point.node_link = kLink;
  point.router_link = kLink;
  Evidence evidence;
  evidence.seconds = kSeconds;
  evidence.requested = measured;
  evidence.operations_per_second = requests * nodes / kSeconds;
  evidence.lateness_share = 0.001;
  evidence.connect.record(100, 10);
  evidence.connects_per_operation = 0.4;
  for (unsigned i = 0; i < nodes; ++i) {
    evidence.nodes.push_back({.name = "n" + std::to_string(i + 1),
                              .requests = requests,
                              .bytes_served = requests * 100,
                              .sent_bytes = kFull,
                              .received_bytes = kFull / 20,
                              .cpu_seconds = 1,
                              .throttled_share = std::nullopt});
  }
  evidence.router = PartFigures{.name = "router",
                                .requests = std::nullopt,
                                .bytes_served = std::nullopt,
                                .sent_bytes = kFull / 10,
                                .received_bytes = kFull / 10,
                                .cpu_seconds = 0.5,
                                .throttled_share = std::nullopt};
  point.evidence = {evidence};
  return point;
}

ScalingPoint direct_point(double measured) {
  ScalingPoint point;
  point.nodes = 1;
  point.measured = {measured};
  return point;
}

Attribution last_of(const ScalingSeries& series) {
  const auto all = attribution_of(series, curve_of(series));
  return all.empty() ? Attribution{} : all.back();
}

const LossPart& part(const Attribution& at, Cause cause) {
  return at.parts.at(static_cast<std::size_t>(cause));
}

double sum_of(const Attribution& at) {
  double sum = 0;
  for (const LossPart& part : at.parts) {
    sum += part.amount.value_or(0);
  }
  return sum;
}

TEST(AttributionTest, TheRouterPathIsWhatOneNodeLosesTimesN) {
  const Attribution at =
      last_of({"dsr", {busy_point(1, 250, 1000), busy_point(4, 980, 1000)}, direct_point(255)});
  EXPECT_DOUBLE_EQ(at.loss, 40);
  EXPECT_DOUBLE_EQ(part(at, Cause::router_path).amount.value_or(-1), 20);
  EXPECT_DOUBLE_EQ(part(at, Cause::rest).amount.value_or(-1), 20);
}

TEST(AttributionTest, AnUnevenSpreadCostsWhatTheOthersHadLeft) {
  ScalingPoint uneven = busy_point(4, 900, 1000);
  for (std::size_t i = 1; i < 4; ++i) {
    uneven.evidence[0].nodes[i].requests = 800;
    uneven.evidence[0].nodes[i].sent_bytes = kFull * 0.8;
  }
  const Attribution at = last_of({"dsr", {busy_point(1, 250, 1000), uneven}, std::nullopt});
  const double mean = (1000 + 3 * 800) / 4.0;
  EXPECT_NEAR(part(at, Cause::uneven_spread).amount.value_or(-1), std::min(100.0, 900 * (1000 / mean - 1)),
              1e-9);
  EXPECT_THAT(part(at, Cause::uneven_spread).evidence, HasSubstr("the fullest was at its limit"));
}

TEST(AttributionTest, AnUnevenSpreadOverIdleNodesCostsNothing) {
  ScalingPoint uneven = busy_point(2, 400, 500);
  for (PartFigures& node : uneven.evidence[0].nodes) {
    node.sent_bytes = kFull / 3;
  }
  uneven.evidence[0].nodes[0].requests = 700;
  const Attribution at = last_of({"dsr", {busy_point(1, 250, 1000), uneven}, std::nullopt});
  EXPECT_EQ(part(at, Cause::uneven_spread).amount, 0.0);
  EXPECT_THAT(part(at, Cause::uneven_spread).evidence, HasSubstr("cost nothing"));
}

TEST(AttributionTest, ASaturatedNodeWhoseRequestsGotDearer) {
  const Attribution at = last_of({"dsr",
                                  {busy_point(1, 250, 1000), busy_point(2, 450, 950)},
                                  std::nullopt});  // same bytes, fewer requests
  EXPECT_NEAR(part(at, Cause::saturated_node).amount.value_or(-1), 450 * (1000.0 / 950 - 1), 1e-9);
  EXPECT_THAT(part(at, Cause::saturated_node).evidence, HasSubstr("more traffic"));
}

TEST(AttributionTest, AFullRouterTakesAllThatIsLeft) {
  ScalingPoint through = busy_point(4, 240, 250);
  for (PartFigures& node : through.evidence[0].nodes) {
    node.sent_bytes = kFull / 4;
  }
  through.evidence[0].router->sent_bytes = kFull * 0.98;
  const Attribution at = last_of({"nat", {busy_point(1, 245, 1000), through}, direct_point(250)});
  EXPECT_DOUBLE_EQ(part(at, Cause::router_path).amount.value_or(-1), 20);
  EXPECT_DOUBLE_EQ(part(at, Cause::saturated_gate).amount.value_or(-1), 740);
  EXPECT_DOUBLE_EQ(part(at, Cause::rest).amount.value_or(-1), 0);
}

TEST(AttributionTest, SlowerConnectionsAndALateGenerator) {
  ScalingPoint slow = busy_point(2, 400, 800);
  slow.evidence[0].connect = {};
  slow.evidence[0].connect.record(50'000, 10);  // us
  slow.evidence[0].lateness_share = 0.011;
  for (PartFigures& node : slow.evidence[0].nodes) {
    node.sent_bytes = kFull * 0.8;  // not at its limit
  }
  const Attribution at = last_of({"dsr", {busy_point(1, 250, 1000), slow}, std::nullopt});
  // 0.4 connections an operation took 49.9 ms longer, of 400 / 160 s = 2.5 s.
  EXPECT_NEAR(part(at, Cause::slower_connect).amount.value_or(-1), 400 * 0.4 * 49.9 / 2500, 0.05);
  EXPECT_NEAR(part(at, Cause::generator).amount.value_or(-1), 400 * 0.010 / 0.989, 0.01);
}

TEST(AttributionTest, WhatWasNotMeasuredIsSaidSo) {
  ScalingPoint bare;
  bare.nodes = 4;
  bare.measured = {900};
  const Attribution at = last_of({"", {bare}, direct_point(250)});
  for (const Cause cause : {Cause::router_path, Cause::uneven_spread, Cause::saturated_node,
                            Cause::saturated_gate, Cause::slower_connect, Cause::generator}) {
    EXPECT_FALSE(part(at, cause).amount) << name_of(cause);
    EXPECT_THAT(part(at, cause).evidence, HasSubstr("not measured")) << name_of(cause);
  }
  EXPECT_DOUBLE_EQ(part(at, Cause::rest).amount.value_or(-1), 100);
}

TEST(AttributionTest, WhenNothingIsLostThereIsNothingToExplain) {
  const Attribution at =
      last_of({"", {busy_point(1, 250, 1000), busy_point(2, 520, 1000)}, direct_point(250)});
  EXPECT_DOUBLE_EQ(at.loss, -20);
  EXPECT_DOUBLE_EQ(sum_of(at), -20);
  EXPECT_THAT(part(at, Cause::rest).evidence, HasSubstr("nothing is lost"));
}

TEST(AttributionTest, AnEstimateThatIsTooLargeIsLimitedAndSaysSo) {
  const Attribution at =
      last_of({"", {busy_point(1, 200, 1000), busy_point(2, 495, 1000)}, direct_point(250)});
  EXPECT_DOUBLE_EQ(part(at, Cause::router_path).amount.value_or(-1), 5);
  EXPECT_THAT(part(at, Cause::router_path).evidence, HasSubstr("an estimate of 100, limited"));
}

// Whatever the records hold, the parts add up, none is below 0, and nothing is hidden.
TEST(AttributionTest, ThePartsAlwaysAddUpToTheLoss) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const auto draw = [&random](double most) { return random.unit() * most; };
    ScalingSeries series{"any", {}, std::nullopt};
    if (random.below(4) != 0) {
      series.direct = direct_point(draw(300));
    }
    for (const unsigned nodes : {1U, 2U, 5U}) {
      ScalingPoint point = busy_point(nodes, draw(300) * nodes, 10 + draw(1000));
      Evidence& evidence = point.evidence[0];
      for (PartFigures& node : evidence.nodes) {
        node.requests = random.below(10) == 0 ? std::nullopt : std::optional(draw(1000));
        node.sent_bytes = random.below(10) == 0 ? std::nullopt : std::optional(draw(kFull * 1.1));
      }
      evidence.router->sent_bytes = draw(kFull * 1.3);
      evidence.lateness_share = draw(0.05);
      evidence.connect.record(random.below(100'000), 20);
      if (random.below(5) == 0) {
        evidence.router.reset();
      }
      if (random.below(8) == 0) {
        point.evidence.clear();
      }
      series.points.push_back(std::move(point));
    }
    for (const Attribution& at : attribution_of(series, curve_of(series))) {
      EXPECT_NEAR(sum_of(at), at.loss, 1e-9 * (1 + at.theory)) << "seed " << seed;
      EXPECT_DOUBLE_EQ(at.loss, at.theory - at.measured);
      EXPECT_EQ(at.parts.size(), 7U);
      for (const LossPart& part : at.parts) {
        EXPECT_FALSE(part.evidence.empty());
        EXPECT_TRUE(part.cause == Cause::rest || part.amount.value_or(0) >= 0) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace scalemark::analysis
