#include "study/measured_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/run_record.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::study {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

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

std::string complaint(const std::string& output, const std::filesystem::path& log) {
  try {
    (void)printed_record(output, 1, log);
  } catch (const RunError& fault) {
    return fault.what();
  }
  return "";
}

TEST(PrintedRecord, IsWhatTheGeneratorPrinted) {
  RunRecord record;
  record.kind = "web";
  record.score = {97, "conforming connections", 1};
  EXPECT_EQ(printed_record(to_json(record).dump() + "\n", 0, "/nonexistent").score.value, 97);
}

TEST(PrintedRecord, WithoutOneTheLastWordsAreTold) {
  const TemporaryFolder folder;
  write_file(folder.path() / "log", "load begins\nscalemark: no descriptors are left\n");
  EXPECT_EQ(complaint("", folder.path() / "log"),
            "the generator ended with 1 and left no record: scalemark: no descriptors are left");
  EXPECT_THAT(complaint("", folder.path() / "none"), HasSubstr("left no record: it said nothing"));
}

TEST(PrintedRecord, HalfARecordEndsTheTrialAndNotTheStudy) {
  EXPECT_THAT(complaint("{\"schema\": \"scal", "/nonexistent"), HasSubstr("left half a record"));
  EXPECT_THAT(complaint("{}", "/nonexistent"), HasSubstr("cannot be understood"));
}

}  // namespace
}  // namespace scalemark::study
