// The JSON of an iteration, from figures made by hand. The example that is built here is also what the tests
// of the texts and the CSV read (tests/analysis), so that all three views are held against the same run.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/run_record.h"
#include "tests/analysis/golden.h"
#include "web_bench/iteration.h"

namespace scalemark::web {
namespace {

constexpr std::array<double, 4> kTargets = {0.35, 0.5, 0.14, 0.01};
constexpr std::array<std::uint64_t, 4> kIssued = {17'220, 24'600, 6'888, 492};
constexpr std::array<std::uint64_t, 4> kMeanBytes = {700, 5'300, 51'000, 512'000};

/// Counts that add up, with two failures in class 1.
ClassFigures example_class(std::size_t cls) {
  ClassFigures figures;
  figures.name = std::to_string(cls);
  figures.target_share = kTargets.at(cls);
  figures.share = static_cast<double>(kIssued.at(cls)) / 49'200;
  figures.window.carried_in = cls + 1;
  figures.window.issued = kIssued.at(cls);
  figures.window.unfinished = cls;
  figures.run.issued = kIssued.at(cls) * 2;
  if (cls == 1) {
    figures.window.ended[index_of(Outcome::reset)] = 2;
    figures.run.ended[index_of(Outcome::reset)] = 2;
    figures.run.ended[index_of(Outcome::bad_status)] = 5;
  }
  const auto good = [](const Accounting& accounting) {
    return accounting.carried_in + accounting.issued - accounting.failed() - accounting.unfinished;
  };
  figures.window.ended[index_of(Outcome::good)] = good(figures.window);
  figures.run.ended[index_of(Outcome::good)] = good(figures.run);
  figures.window_bytes = figures.window.good() * kMeanBytes.at(cls);
  figures.run_body_bytes = figures.run.good() * kMeanBytes.at(cls);
  figures.run_wire_bytes = figures.run_body_bytes + 250 * figures.run.issued;
  const std::uint64_t slow = figures.window.good() / 50;
  figures.first_byte.record(310, figures.window.good() - slow);
  figures.first_byte.record(2'400 + 100 * cls, slow);
  figures.last_byte.record(360 + 40 * cls, figures.window.good() - slow);
  figures.last_byte.record(12'400 * (cls + 1), slow);
  return figures;
}

IterationFigures example_iteration(std::uint32_t number, std::uint32_t conforming) {
  IterationFigures iteration;
  iteration.number = number;
  iteration.window_seconds = 60;
  iteration.requested = 250;
  iteration.valid = 250;
  iteration.conforming = conforming;
  iteration.rate_min = conforming == 250 ? 321'007.9 : 319'999.6;
  iteration.rate_mean = 394'120.25;
  iteration.rate_max = 399'871.5;
  iteration.share_above = {{200'000, 1.0}, {320'000, conforming / 250.0}, {400'000, 0.0}};
  for (std::size_t cls = 0; cls < 4; ++cls) {
    iteration.classes.push_back(example_class(cls));
  }
  iteration.operations_per_second = static_cast<double>(iteration.window_total().good()) / 60;
  iteration.bad_statuses = {{404, 1}, {503, 4}};
  iteration.connections_opened = 36'450;
  iteration.reconnects_idle = 3;
  iteration.retries = 1;
  iteration.connect.record(45, 18'000);
  iteration.unfinished.push_back({17, "3", 1.25, 81'920});
  iteration.generator.lag.record(60, 40'000);
  iteration.generator.lag.record(3'100, 9);
  iteration.generator.lateness_share = 0.0002;
  iteration.generator.threads = {{0, 4.25, 0.041}, {1, 4.5, 0.0435}};
  iteration.generator.peak_memory_bytes = 18'350'080;
  iteration.generator.descriptors = 271;
  iteration.generator.descriptor_limit = 1'048'576;
  iteration.generator.ports_available = 28'232;
  iteration.series = {{0, "ramp-up", 12, 0, 176'000, 50}, {1, "window", 820, 2, 12'080'000, 250}};
  return iteration;
}

/// A whole run: the score is iteration 3, the median by conforming connections.
RunRecord example_run() {
  RunRecord record;
  record.kind = "web";
  record.score = {248, "conforming connections", 3};
  record.plan = {{"url", {"http://127.0.0.1:8080/"}},
                 {"connections", "250"},
                 {"profile", "quick"},
                 {"window", "1m"},
                 {"iterations", "3"},
                 {"threads", "2"},
                 {"seed", "1"},
                 {"line-speed", "400kbit"},
                 {"conforming-rate", "320kbit"},
                 {"engine", "native"}};
  record.context = {{"host", "example"},
                    {"processors", 2},
                    {"started_utc", "2026-01-31T12:00:00Z"},
                    {"notes", {"shorter than a full run: 3 x 1m measured instead of 3 x 20m"}}};
  record.iterations = Json::array({to_json(example_iteration(1, 250)), to_json(example_iteration(2, 247)),
                                   to_json(example_iteration(3, 248))});
  return record;
}

/// Whether a document holds a number that JSON cannot carry.
bool holds_not_finite(const Json& node) {
  if (node.is_number_float()) {
    return !std::isfinite(node.get<double>());
  }
  bool found = false;
  if (node.is_structured()) {
    for (const Json& child : node) {
      found = found || holds_not_finite(child);
    }
  }
  return found;
}

TEST(WebRecord, ExampleIsAsDocumented) {
  expect_golden("web_example.json", to_json(example_run()).dump(1) + "\n");
}

TEST(WebRecord, HasTheFieldsThatReadersRelyOn) {
  const Json json = to_json(example_iteration(1, 250));
  for (const char* name :
       {"requested", "valid", "conforming", "operations_per_second", "bits_per_second", "share_above",
        "classes", "accounting", "generator", "series", "verdict", "window_seconds"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name :
       {"class", "issued", "good", "failed", "unfinished", "share", "bytes", "ttfb_ms", "ttlb_ms"}) {
    EXPECT_TRUE(json["classes"][0].contains(name)) << name;
  }
  EXPECT_EQ(json["bits_per_second"]["min"], 321'007.9);
  EXPECT_EQ(json["accounting"]["window"]["issued"], 49'200);
}

TEST(WebRecord, FailuresAreListedByKindWithoutZeroes) {
  const Json json = to_json(example_iteration(1, 250));
  EXPECT_EQ(json["classes"][1]["failed"], Json({{"total", 2}, {"reset", 2}}));
  EXPECT_EQ(json["classes"][0]["failed"], Json({{"total", 0}}));
  const Json& run = json["accounting"]["run"]["failed"];
  EXPECT_EQ(run["total"], 7);
  EXPECT_EQ(run["bad_status"], 5);
  EXPECT_EQ(run["bad_status_by_code"], Json({{"404", 1}, {"503", 4}}));
}

TEST(WebRecord, CountsAddUpInEveryAccounting) {
  const Json json = to_json(example_iteration(1, 250));
  std::vector<Json> accountings = {json["accounting"]["window"], json["accounting"]["run"]};
  for (const Json& cls : json["classes"]) {
    accountings.push_back(cls);
    accountings.push_back(cls["run"]);
  }
  for (const Json& one : accountings) {
    EXPECT_EQ(one["carried_in"].get<int>() + one["issued"].get<int>(),
              one["good"].get<int>() + one["failed"]["total"].get<int>() + one["unfinished"].get<int>());
  }
}

TEST(WebRecord, PercentilesOfAllClassesAreTakenFromTheSum) {
  IterationFigures iteration;
  iteration.window_seconds = 1;
  iteration.classes.resize(2);
  iteration.classes[0].first_byte.record(1'000, 99);
  iteration.classes[1].first_byte.record(1'000'000, 1);
  const Json json = to_json(iteration)["ttfb_ms"];
  EXPECT_EQ(json["count"], 100);
  // The average of the two classes' percentiles would be near 500 ms.
  EXPECT_NEAR(json["p90"].get<double>(), 1.0, 0.01);
  EXPECT_NEAR(json["p99"].get<double>(), 1.0, 0.01);
  EXPECT_EQ(json["max"], 1000.0);
  EXPECT_NEAR(json["mean"].get<double>(), 10.99, 1e-9);
}

TEST(WebRecord, BucketsAllowHistogramsToBeAddedUpLater) {
  Histogram original;
  for (const std::uint64_t value : {3U, 70U, 70U, 5'000U, 123'456U}) {
    original.record(value);
  }
  IterationFigures iteration;
  iteration.connect = original;
  const Json json = to_json(iteration)["connections"]["connect_ms"];
  Histogram again;
  for (const Json& bucket : json["buckets_us"]) {
    again.record(bucket[0].get<std::uint64_t>(), bucket[2].get<std::uint64_t>());
    EXPECT_LE(bucket[0], bucket[1]);
  }
  EXPECT_EQ(again.count(), 5U);
  EXPECT_EQ(json["count"], 5);
  EXPECT_NEAR(again.quantile(0.99), original.quantile(0.99), original.quantile(0.99) / 64);
}

TEST(WebRecord, AnEmptyIterationHasNullsAndNoNaN) {
  IterationFigures iteration;
  iteration.partial = true;
  iteration.requested = 250;
  iteration.operations_per_second = std::numeric_limits<double>::quiet_NaN();
  iteration.rate_mean = std::numeric_limits<double>::quiet_NaN();
  iteration.share_above = {{320'000, std::numeric_limits<double>::quiet_NaN()}};
  iteration.classes.resize(1);
  iteration.generator.threads.resize(1);
  const Json json = to_json(iteration);
  EXPECT_FALSE(holds_not_finite(json));
  EXPECT_EQ(json["requested"], 250);
  for (const char* name : {"valid", "erroneous", "starved", "conforming", "operations_per_second"}) {
    EXPECT_TRUE(json[name].is_null()) << name;
  }
  EXPECT_TRUE(json["bits_per_second"]["min"].is_null());
  EXPECT_TRUE(json["classes"][0]["share"].is_null());
  EXPECT_TRUE(json["ttfb_ms"]["p99"].is_null());
  EXPECT_EQ(json["ttfb_ms"]["count"], 0);
  EXPECT_EQ(json["ttfb_ms"]["buckets_us"], Json::array());
}

TEST(WebRecord, TheVerdictIsWhatTheFindingsMake) {
  IterationFigures iteration = example_iteration(1, 250);
  iteration.starved = 2;
  iteration.findings.odd = {"odd"};
  iteration.findings.limited = {"late"};
  const Json json = to_json(iteration);
  EXPECT_EQ(json["verdict"], Json({{"status", "generator_limited"}, {"reasons", {"late", "odd"}}}));
  EXPECT_EQ(json["starved"], 2);
}

TEST(WebRecord, FiguresThatAreNotFiniteBecomeNull) {
  IterationFigures iteration = example_iteration(1, 250);
  iteration.rate_max = std::numeric_limits<double>::infinity();
  iteration.generator.lateness_share = std::numeric_limits<double>::quiet_NaN();
  const Json json = to_json(iteration);
  EXPECT_FALSE(holds_not_finite(json));
  EXPECT_TRUE(json["bits_per_second"]["max"].is_null());
  EXPECT_TRUE(json["generator"]["lateness_share"].is_null());
}

TEST(IterationFigures, TotalsAreTheSumsOfTheClasses) {
  const IterationFigures iteration = example_iteration(1, 250);
  EXPECT_EQ(iteration.window_total().issued, 49'200U);
  EXPECT_EQ(iteration.window_total().carried_in, 10U);
  EXPECT_EQ(iteration.window_total().failed(), 2U);
  EXPECT_EQ(iteration.run_total().issued, 98'400U);
  EXPECT_EQ(iteration.run_total().failed(), 7U);
  EXPECT_TRUE(iteration.window_total().adds_up());
  EXPECT_TRUE(iteration.run_total().adds_up());
}

}  // namespace
}  // namespace scalemark::web
