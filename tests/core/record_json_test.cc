#include "core/record_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/run_record.h"

namespace scalemark {
namespace {

TEST(RecordJson, WhatIsNotFiniteOrNotMeasuredIsNull) {
  EXPECT_EQ(json_number(0.5), Json(0.5));
  EXPECT_TRUE(json_number(std::numeric_limits<double>::quiet_NaN()).is_null());
  EXPECT_TRUE(json_number(-std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(json_number_if(false, 0.5).is_null());
}

TEST(RecordJson, ATimeBeyondTheHistogramIsCounted) {
  Histogram histogram;
  histogram.record(5);
  EXPECT_FALSE(histogram_json(histogram).contains("overflow"));
  histogram.record(Histogram::kTop + 1, 2);
  EXPECT_EQ(histogram_json(histogram)["overflow"], 2);
  EXPECT_EQ(histogram_json(histogram)["count"], 3);
}

TEST(RecordJson, FailuresAreATotalAndTheKindsThatOccurred) {
  Accounting accounting;
  accounting.issued = 3;
  accounting.ended[index_of(Outcome::good)] = 1;
  accounting.ended[index_of(Outcome::reset)] = 2;
  const Json json = accounting_json(accounting);
  EXPECT_EQ(json["good"], 1);
  EXPECT_EQ(json["failed"], Json({{"total", 2}, {"reset", 2}}));
}

TEST(RecordJson, AnIterationBeginsWithWhoItIsAndHowItWent) {
  Findings findings;
  findings.poor = {"slow"};
  const Json json = iteration_json({.number = 2,
                                    .partial = false,
                                    .window_seconds = 1.5,
                                    .opened = TimePoint{std::chrono::seconds(10)},
                                    .closed = TimePoint{std::chrono::milliseconds(11'500)}},
                                   findings);
  EXPECT_EQ(json, Json({{"number", 2},
                        {"partial", false},
                        {"verdict", {{"status", "fail"}, {"reasons", {"slow"}}}},
                        {"window_seconds", 1.5},
                        {"opened_monotonic_seconds", 10.0},
                        {"closed_monotonic_seconds", 11.5}}));
  const Json unmeasured = iteration_json({.number = 1, .partial = true}, {});
  EXPECT_EQ(unmeasured["window_seconds"], 0.0);
  EXPECT_TRUE(unmeasured["opened_monotonic_seconds"].is_null());
  EXPECT_EQ(unmeasured["verdict"]["status"], "interrupted");
}

TEST(RecordJson, CountsStandUnderTheirNames) {
  EXPECT_EQ(counts_json({{"b", 2}, {"a", 1}}), Json({{"a", 1}, {"b", 2}}));
  EXPECT_EQ(counts_json({}), Json::object());
}

TEST(RecordJson, WithoutAWindowTheGeneratorHasNoShares) {
  GeneratorFigures generator;
  generator.lateness_share = 0.5;
  generator.threads = {{0, 1.5, 0.25}};
  EXPECT_EQ(generator_json(generator, true)["lateness_share"], 0.5);
  EXPECT_EQ(generator_json(generator, true)["threads"][0]["window_cpu_share"], 0.25);
  const Json unmeasured = generator_json(generator, false);
  EXPECT_TRUE(unmeasured["lateness_share"].is_null());
  EXPECT_TRUE(unmeasured["threads"][0]["window_cpu_share"].is_null());
  EXPECT_EQ(unmeasured["threads"][0]["cpu_seconds"], 1.5);
}

}  // namespace
}  // namespace scalemark
