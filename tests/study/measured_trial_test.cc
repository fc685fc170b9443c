#include "study/measured_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;

/// A snapshot at a second, by which node n1 had served ten requests a second.
testbed::ClusterSnapshot at_second(int second) {
  testbed::ClusterSnapshot snapshot;
  snapshot.at = TimePoint(std::chrono::seconds(second));
  testbed::NodeSample node;
  node.name = "n1";
  const auto requests = static_cast<std::uint64_t>(second) * 10;
  node.requests = testbed::RequestCount{requests, requests * 1000};
  snapshot.nodes.push_back(node);
  return snapshot;
}

Json iteration(int number, Json opened, Json closed) {
  return {{"number", number},
          {"opened_monotonic_seconds", std::move(opened)},
          {"closed_monotonic_seconds", std::move(closed)}};
}

TEST(ClusterJson, CountsOverEachWindowAndOverTheWholeRun) {
  const std::vector<testbed::ClusterSnapshot> snapshots = {at_second(100), at_second(110), at_second(120)};
  const Json cluster =
      cluster_json({{"provider", "emulated"}, {"nodes", 1}},
                   Json::array({iteration(1, 102.5, 107.5), iteration(2, 108, 118)}), snapshots);
  EXPECT_EQ(cluster.at("provider"), "emulated");
  ASSERT_EQ(cluster.at("iterations").size(), 2U);
  EXPECT_EQ(cluster.at("iterations").at(0).at("number"), 1);
  EXPECT_EQ(cluster.at("iterations").at(0).at("seconds"), 5);
  EXPECT_EQ(cluster.at("iterations").at(0).at("nodes").at(0).at("requests"), 50);
  EXPECT_EQ(cluster.at("iterations").at(1).at("nodes").at(0).at("requests"), 100) << "across a snapshot";
  EXPECT_EQ(cluster.at("run").at("nodes").at(0).at("requests"), 200);
}

TEST(ClusterJson, AnIterationWithoutAWindowHasNoFigures) {
  const Json cluster = cluster_json(Json::object(), Json::array({iteration(1, nullptr, nullptr)}),
                                    {at_second(1), at_second(2)});
  EXPECT_TRUE(cluster.at("iterations").empty());
  EXPECT_EQ(cluster.at("run").at("seconds"), 1);
}

}  // namespace
}  // namespace scalemark::study
