#include "testbed/counters.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TimePoint second(double number) {
  return TimePoint(from_seconds(number));
}

/// Counters that grow by the same in every second.
ClusterSnapshot snapshot(std::uint64_t second_number) {
  const std::uint64_t n = second_number;
  ClusterSnapshot all;
  all.at = second(static_cast<double>(n));
  all.nodes.push_back({.name = "n1",
                       .requests = RequestCount{100 * n, 1000 * n},
                       .nic = NicCount{5000 * n, 70 * n},
                       .cpu = milliseconds(200 * n),
                       .quota = QuotaCount{50 * n, 10 * n}});
  all.router = RouterSample{.nic = NicCount{30 * n, 40 * n},
                            .cpu = milliseconds(10 * n),
                            .quota = std::nullopt,
                            .forwarded_packets = 8 * n};
  all.client = NicCount{11 * n, 22 * n};
  all.machine = MachineSample{.processors = 2,
                              .busy = milliseconds(900 * n),
                              .stolen = milliseconds(20 * n),
                              .foreign = milliseconds(300 * n)};
  return all;
}

TEST(Interpolation, GivesWhatStoodInBetween) {
  const ClusterSnapshot middle = at({snapshot(1), snapshot(2), snapshot(4)}, second(2.5));
  EXPECT_EQ(middle.at, second(2.5));
  const NodeSample& node = middle.nodes.at(0);
  EXPECT_EQ(node.name, "n1");
  EXPECT_EQ(node.requests.value().requests, 250U);
  EXPECT_EQ(node.requests.value().bytes, 2500U);
  EXPECT_EQ(node.nic.value().sent_bytes, 12'500U);
  EXPECT_EQ(node.nic.value().received_bytes, 175U);
  EXPECT_EQ(node.cpu.value(), milliseconds(500));
  EXPECT_EQ(node.quota.value().periods, 125U);
  EXPECT_EQ(node.quota.value().throttled, 25U);
  EXPECT_EQ(middle.router.value().nic.value().sent_bytes, 75U);
  EXPECT_EQ(middle.router.value().cpu.value(), milliseconds(25));
  EXPECT_EQ(middle.router.value().forwarded_packets.value(), 20U);
  EXPECT_FALSE(middle.router.value().quota);
  EXPECT_EQ(middle.client.value().received_bytes, 55U);
  EXPECT_EQ(middle.machine.value().processors, 2U);
  EXPECT_EQ(middle.machine.value().busy, milliseconds(2250));
  EXPECT_EQ(middle.machine.value().stolen, milliseconds(50));
  EXPECT_EQ(middle.machine.value().foreign, milliseconds(750));
}

TEST(Interpolation, IsExactAtASnapshotAndStopsAtTheEnds) {
  const std::vector<ClusterSnapshot> all{snapshot(1), snapshot(2)};
  EXPECT_EQ(at(all, second(2)).nodes[0].requests.value().requests, 200U);
  EXPECT_EQ(at(all, second(0)).at, second(1));
  EXPECT_EQ(at(all, second(9)).at, second(2));
  EXPECT_THROW((void)at({}, second(1)), RunError);
}

TEST(Interpolation, KnowsNothingOfWhatWasReadOnlyOnce) {
  std::vector<ClusterSnapshot> all{snapshot(1), snapshot(2)};
  all[1].nodes[0].requests.reset();
  all[0].machine.reset();
  all[0].router.reset();
  const ClusterSnapshot middle = at(all, second(1.5));
  EXPECT_FALSE(middle.nodes[0].requests);
  EXPECT_TRUE(middle.nodes[0].nic);
  EXPECT_FALSE(middle.machine);
  EXPECT_FALSE(middle.router);
}

TEST(Difference, HasTheShapeOfTheRecord) {
  const auto expected = nlohmann::ordered_json::parse(R"({
    "seconds": 3.0,
    "nodes": [{"name": "n1", "requests": 300, "bytes_served": 3000, "nic_sent_bytes": 15000,
               "nic_received_bytes": 210, "cpu_seconds": 0.6, "throttled_share": 0.2}],
    "router": {"nic_sent_bytes": 90, "nic_received_bytes": 120, "cpu_seconds": 0.03, "throttled_share": null,
               "forwarded_packets": 24},
    "client": {"nic_sent_bytes": 33, "nic_received_bytes": 66},
    "machine": {"processors": 2, "busy_cpu_seconds": 2.7, "stolen_cpu_seconds": 0.06,
                "foreign_cpu_seconds": 0.9}})");
  EXPECT_EQ(difference_json(snapshot(2), snapshot(5)), expected);
}

TEST(Difference, ProxiesAreThereOnlyWhereThereAreAny) {
  ClusterSnapshot from = snapshot(2);
  ClusterSnapshot to = snapshot(6);
  EXPECT_FALSE(difference_json(from, to).contains("proxies"));
  const auto proxy = [](std::uint64_t n) {
    return NodeSample{.name = "x1",
                      .requests = std::nullopt,
                      .nic = NicCount{100 * n, 200 * n},
                      .cpu = milliseconds(50 * n),
                      .quota = QuotaCount{50 * n, 25 * n}};
  };
  from.proxies = {proxy(2)};
  to.proxies = {proxy(6)};
  const auto expected = nlohmann::ordered_json::parse(R"([
    {"name": "x1", "requests": null, "bytes_served": null, "nic_sent_bytes": 400, "nic_received_bytes": 800,
     "cpu_seconds": 0.2, "throttled_share": 0.5}])");
  EXPECT_EQ(difference_json(from, to).at("proxies"), expected);
  EXPECT_EQ(at({from, to}, second(3)).proxies.at(0).nic.value().sent_bytes, 300U);
}

TEST(Difference, PartsThatWereNotMeasuredAreNull) {
  ClusterSnapshot from;
  ClusterSnapshot to;
  from.nodes.push_back({.name = "n1", .requests = {}, .nic = {}, .cpu = {}, .quota = {}});
  to.nodes = from.nodes;
  const auto expected = nlohmann::ordered_json::parse(R"({
    "seconds": 0.0,
    "nodes": [{"name": "n1", "requests": null, "bytes_served": null, "nic_sent_bytes": null,
               "nic_received_bytes": null, "cpu_seconds": null, "throttled_share": null}],
    "router": null, "client": null, "machine": null})");
  EXPECT_EQ(difference_json(from, to), expected);
}

TEST(Difference, ACounterThatWentBackIsNull) {
  const auto difference = difference_json(snapshot(5), snapshot(2));
  EXPECT_TRUE(difference.at("nodes").at(0).at("requests").is_null());
  EXPECT_TRUE(difference.at("nodes").at(0).at("throttled_share").is_null());
  EXPECT_TRUE(difference.at("router").at("cpu_seconds").is_null());
}

TEST(Difference, ThrottlingIsNoShareOfNothing) {
  EXPECT_TRUE(difference_json(snapshot(2), snapshot(2)).at("nodes").at(0).at("throttled_share").is_null());
}

}  // namespace
}  // namespace scalemark::testbed
