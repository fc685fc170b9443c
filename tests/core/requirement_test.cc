#include "core/requirement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/error.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<MetricInfo> kKnown = {{"conforming", {ValueKind::share, ValueKind::number}},
                                        {"ttfb_p99", {ValueKind::duration}},
                                        {"errors", {ValueKind::share}},
                                        {"operations_per_second", {ValueKind::number}},
                                        {"bits_per_second_min", {ValueKind::rate}}};

/// A lookup that knows one figure, whatever is asked for.
MetricLookup always(std::optional<Metric> metric) {
  return [metric](std::string_view, ValueKind) { return metric; };
}

std::optional<std::string> judge(const std::string& text, double value) {
  const Requirement requirement = parse_requirement(text);
  return unmet(requirement, always(Metric{value, requirement.required.kind}));
}

TEST(ParseRequirement, ReadsEveryKindOfValue) {
  EXPECT_EQ(parse_requirement("conforming>=95%").required, (Metric{0.95, ValueKind::share}));
  EXPECT_EQ(parse_requirement("ttfb_p99<50ms").required, (Metric{0.05, ValueKind::duration}));
  EXPECT_EQ(parse_requirement("operations_per_second>=100").required, (Metric{100, ValueKind::number}));
  EXPECT_EQ(parse_requirement("slope>=-0.5").required, (Metric{-0.5, ValueKind::number}));
  EXPECT_EQ(parse_requirement("errors<=0.1%").required, (Metric{0.001, ValueKind::share}));
  EXPECT_EQ(parse_requirement("bits_per_second_min>320kbit").required, (Metric{320'000, ValueKind::rate}));
  EXPECT_EQ(parse_requirement("bits_per_second_min>320 Kb/s").required, (Metric{320'000, ValueKind::rate}));
}

TEST(ParseRequirement, ReadsEveryComparison) {
  EXPECT_EQ(parse_requirement("a<1").comparison, Comparison::less);
  EXPECT_EQ(parse_requirement("a<=1").comparison, Comparison::at_most);
  EXPECT_EQ(parse_requirement("a>1").comparison, Comparison::greater);
  EXPECT_EQ(parse_requirement("a>=1").comparison, Comparison::at_least);
  EXPECT_EQ(parse_requirement("a==1").comparison, Comparison::equal);
}

TEST(ParseRequirement, AllowsSpaces) {
  const Requirement requirement = parse_requirement("  conforming  >=  95 % ");
  EXPECT_EQ(requirement.metric, "conforming");
  EXPECT_EQ(requirement.comparison, Comparison::at_least);
  EXPECT_EQ(requirement.required, (Metric{0.95, ValueKind::share}));
  EXPECT_EQ(requirement.value_text, "95 %");
}

TEST(ParseRequirement, RefusesEveryOtherForm) {
  for (const char* text :
       {"", "conforming", "conforming 95%", ">=95%", "conforming>=", "conforming=95%", "conforming=>95%",
        "conforming>=95%%", "conforming>=101%", "conforming>==95%", "conforming>=a",
        "conforming>=95% and errors<1%", "a<nan", "a<inf", "a<5 furlongs"}) {
    EXPECT_THAT(usage_error([&] { (void)parse_requirement(text); }), HasSubstr("conforming>=95%")) << text;
  }
}

TEST(CheckRequirement, AcceptsKnownMetricsInTheirKinds) {
  for (const char* text :
       {"conforming>=95%", "conforming>=100", "conforming>=1", "conforming>0", "ttfb_p99<50ms",
        "errors<=0.1%", "operations_per_second>0.5", "bits_per_second_min>=320kbit"}) {
    EXPECT_NO_THROW(check_requirement(parse_requirement(text), kKnown)) << text;
  }
}

TEST(CheckRequirement, NamesTheNearestMetricAndAllOfThem) {
  const auto error = usage_error([] { check_requirement(parse_requirement("ttfb_p9<50ms"), kKnown); });
  EXPECT_THAT(error, AllOf(HasSubstr("no metric 'ttfb_p9'"), HasSubstr("did you mean 'ttfb_p99'?"),
                           HasSubstr("conforming, ttfb_p99, errors")));
  const auto far = usage_error([] { check_requirement(parse_requirement("colour==5"), kKnown); });
  EXPECT_THAT(far, AllOf(HasSubstr("no metric 'colour'"), Not(HasSubstr("did you mean"))));
}

TEST(CheckRequirement, SaysWhichKindOfValueTheMetricHas) {
  EXPECT_THAT(usage_error([] { check_requirement(parse_requirement("ttfb_p99<50"), kKnown); }),
              AllOf(HasSubstr("'ttfb_p99'"), HasSubstr("a time (as in 50ms)")));
  EXPECT_THAT(usage_error([] { check_requirement(parse_requirement("conforming>50ms"), kKnown); }),
              HasSubstr("a share (as in 95%) or a plain number"));
  EXPECT_THAT(usage_error([] { check_requirement(parse_requirement("errors<1mbit"), kKnown); }),
              HasSubstr("a share (as in 95%)"));
  EXPECT_THAT(usage_error([] { check_requirement(parse_requirement("bits_per_second_min>5%"), kKnown); }),
              HasSubstr("a rate (as in 320kbit)"));
}

TEST(CheckRequirement, AFractionOfSomethingCountableIsAShareWithoutItsSign) {
  EXPECT_THAT(usage_error([] { check_requirement(parse_requirement("conforming>=0.95"), kKnown); }),
              HasSubstr("a share (as in 95%)"));
}

TEST(Unmet, ComparesAtTheEdge) {
  EXPECT_FALSE(judge("a<5", 4.999));
  EXPECT_TRUE(judge("a<5", 5));
  EXPECT_FALSE(judge("a<=5", 5));
  EXPECT_TRUE(judge("a<=5", 5.001));
  EXPECT_FALSE(judge("a>5", 5.001));
  EXPECT_TRUE(judge("a>5", 5));
  EXPECT_FALSE(judge("a>=5", 5));
  EXPECT_TRUE(judge("a>=5", 4.999));
  EXPECT_FALSE(judge("a==5", 5));
  EXPECT_TRUE(judge("a==5", 5.001));
  EXPECT_FALSE(judge("conforming>=95%", 19.0 / 20));
  EXPECT_FALSE(judge("errors<=0.7%", 7.0 / 1000));
}

TEST(Unmet, SaysWhatIsAndWhatWasRequired) {
  EXPECT_EQ(judge("conforming >= 95 %", 0.87), "conforming is 87.0 %, required >= 95 %");
  EXPECT_EQ(judge("ttfb_p99<50ms", 0.0612), "ttfb_p99 is 61.2 ms, required < 50ms");
  EXPECT_EQ(judge("operations_per_second>=100", 87.25), "operations_per_second is 87.25, required >= 100");
  EXPECT_EQ(judge("bits_per_second_min>=320kbit", 298'700),
            "bits_per_second_min is 299 Kb/s, required >= 320kbit");
}

TEST(Unmet, ShowsAllDigitsWhereFewWouldHideTheDifference) {
  EXPECT_EQ(judge("conforming>=95%", 0.94999), "conforming is 94.999 %, required >= 95%");
  EXPECT_EQ(judge("ttfb_p99<50ms", 0.0500001), "ttfb_p99 is 0.0500001 s, required < 50ms");
  EXPECT_EQ(judge("rate>=320kbit", 319'999), "rate is 319999 b/s, required >= 320kbit");
  EXPECT_EQ(judge("n==3000000", 3'000'000.5), "n is 3000000.5, required == 3000000");
}

TEST(Unmet, AMetricWithoutAValueIsNotMet) {
  const Requirement requirement = parse_requirement("ttfb_p99<50ms");
  const std::string sentence = "ttfb_p99 has no value, required < 50ms";
  EXPECT_EQ(unmet(requirement, always(std::nullopt)), sentence);
  EXPECT_EQ(unmet(requirement, always(Metric{std::nan(""), ValueKind::duration})), sentence);
  EXPECT_EQ(unmet(requirement, always(Metric{-std::numeric_limits<double>::infinity(), ValueKind::duration})),
            sentence);
  EXPECT_EQ(unmet(requirement, always(Metric{0.001, ValueKind::number})), sentence);
}

TEST(Unmet, AsksForTheMetricAsTheKindThatIsRequired) {
  const MetricLookup lookup = [](std::string_view name, ValueKind wanted) -> std::optional<Metric> {
    EXPECT_EQ(name, "conforming");
    return wanted == ValueKind::share ? Metric{0.96, wanted} : Metric{96, wanted};
  };
  EXPECT_FALSE(unmet(parse_requirement("conforming>=95%"), lookup));
  EXPECT_FALSE(unmet(parse_requirement("conforming>=96"), lookup));
  EXPECT_TRUE(unmet(parse_requirement("conforming>=97%"), lookup));
  EXPECT_TRUE(unmet(parse_requirement("conforming>=97"), lookup));
}

}  // namespace
}  // namespace scalemark
