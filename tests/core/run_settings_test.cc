#include "core/run_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(RunSettings, OutputsAreNamedAfterTheKind) {
  std::string json;
  std::string csv;
  Settings settings;
  add_output_settings(settings, "mail", json, csv);
  find_setting(settings, "json").set({"a.json"});
  find_setting(settings, "csv").set({"a.csv"});
  EXPECT_EQ(json, "a.json");
  EXPECT_EQ(csv, "a.csv");
  EXPECT_THAT(find_setting(settings, "json").help, HasSubstr("mail-UTC.json"));
}

TEST(RunSettings, RecordAndCsvGoToDifferentFiles) {
  EXPECT_NO_THROW(check_outputs_differ("", ""));
  EXPECT_NO_THROW(check_outputs_differ("none", "none"));
  EXPECT_NO_THROW(check_outputs_differ("a", "b"));
  EXPECT_THAT(usage_error([] { check_outputs_differ("out/../a", "./a"); }), HasSubstr("'./a'"));
  EXPECT_THROW(check_outputs_differ("-", "-"), UsageError);
}

TEST(RunSettings, RequirementsAreAboutKnownMetrics) {
  const std::vector<MetricInfo> known = {{"lost", {ValueKind::number}}};
  EXPECT_NO_THROW(check_requirements({"lost==0"}, known));
  EXPECT_THAT(usage_error([&] {
                check_requirements({"lost==0", "lots==0"}, known);
              }),
              AllOf(HasSubstr("--require: "), HasSubstr("lost")));
  EXPECT_THAT(usage_error([&] { check_requirements({"lost"}, known); }), HasSubstr("--require: "));
}

TEST(RunSettings, LocalAddressesAreOfTheServersFamily) {
  EXPECT_NO_THROW(check_bind_family({"10.0.0.2-10.0.0.9"}, "10.0.0.1", "10.0.0.1:25"));
  EXPECT_NO_THROW(check_bind_family({"10.0.0.2", "fd00::2"}, "mail.example", "mail.example:25"));
  EXPECT_NO_THROW(check_bind_family({"fd00::2"}, "::1", "[::1]:25"));
  EXPECT_THAT(usage_error([] { check_bind_family({"fd00::2"}, "10.0.0.1", "10.0.0.1:25"); }),
              HasSubstr("--bind fd00::2 is an IPv6 address, from which 10.0.0.1:25 cannot be reached"));
  EXPECT_THAT(usage_error([] { check_bind_family({"10.0.0.2"}, "::1", "[::1]:25"); }),
              HasSubstr("--bind 10.0.0.2 is an IPv4 address"));
}

}  // namespace
}  // namespace scalemark
