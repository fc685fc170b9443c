#include "core/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/error.h"
#include "core/random.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(Duration, IsReadInEveryUnit) {
  EXPECT_EQ(parse_duration("7ns"), 7ns);
  EXPECT_EQ(parse_duration("250us"), 250us);
  EXPECT_EQ(parse_duration("10ms"), 10ms);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("20m"), 20min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("0"), 0s);
  EXPECT_EQ(parse_duration("0s"), 0s);
  EXPECT_EQ(parse_duration("0.1s"), 100ms);
  EXPECT_EQ(parse_duration(".5h"), 30min);
  EXPECT_EQ(parse_duration(" 10 ms "), 10ms);
  EXPECT_EQ(parse_duration("1000000.000000001s"), 1'000'000s + 1ns);
}

TEST(Duration, RefusesEveryOtherForm) {
  for (const char* text :
       {"",     " ",   "5",     "1.5",   "s",   "ms",  "5x",   "5 sec", "5S",     "-5s", "+5s",   "1e5",
        "1,5s", "5s5", "1m30s", "0x10s", "nan", "inf", "infs", "nans",  "1e999s", "٣s",  "5mbit", "5%"}) {
    EXPECT_THAT(usage_error([&] { (void)parse_duration(text); }), HasSubstr("5s, 250ms or 20m")) << text;
  }
  EXPECT_THAT(usage_error([] { (void)parse_duration("9e99h"); }), HasSubstr("too long"));
  EXPECT_THAT(usage_error([] { (void)parse_duration("300000000000s"); }), HasSubstr("too long"));
}

TEST(Duration, IsWrittenInTheUnitThatSuitsIt) {
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(7ns), "7ns");
  EXPECT_EQ(format_duration(250us), "250us");
  EXPECT_EQ(format_duration(10ms), "10ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_duration(20min), "20m");
  EXPECT_EQ(format_duration(2h), "2h");
  EXPECT_EQ(format_duration(1ms + 1ns), "1.000001ms");
  EXPECT_EQ(format_duration(1s + 10ms), "1.01s");
}

TEST(Duration, WhatIsWrittenReadsBackToTheSameValue) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    auto value = Duration(static_cast<Duration::rep>(random() >> (1 + random.below(63))));
    for (const Duration unit : {Duration(1us), Duration(1ms), Duration(1s), Duration(1min)}) {
      if (random.below(3) == 0 && value > unit) {
        value -= value % unit;
      }
    }
    if (value <= Duration(9'200'000'000'000'000'000)) {
      ASSERT_EQ(parse_duration(format_duration(value)), value) << format_duration(value);
    }
  }
}

TEST(Rate, IsReadInEveryUnit) {
  EXPECT_EQ(parse_rate("400000"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("400000bit"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("400kbit"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("400Kbit"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("400kbit/s"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("400Kb/s"), BitsPerSecond{400'000});
  EXPECT_EQ(parse_rate("100mbit"), BitsPerSecond{100e6});
  EXPECT_EQ(parse_rate("100 Mb/s"), BitsPerSecond{100e6});
  EXPECT_EQ(parse_rate("1gbit"), BitsPerSecond{1e9});
  EXPECT_EQ(parse_rate("2.5Gb/s"), BitsPerSecond{2.5e9});
  EXPECT_EQ(parse_rate("117.815kbit"), BitsPerSecond{117'815});
}

TEST(Rate, RefusesEveryOtherForm) {
  // KB/s and kbps among them: bytes, or not said which.
  for (const char* text : {"", "kbit", "x", "400k", "400KB/s", "400kB/s", "400kbps", "400 k bit", "-400kbit",
                           "0", "0kbit", "1e400", "1e300gbit", "nan", "inf", "400kbit400", "10ms", "5%"}) {
    EXPECT_THAT(usage_error([&] { (void)parse_rate(text); }), HasSubstr("400kbit")) << text;
  }
}

TEST(Rate, IsWrittenInTheUnitThatSuitsIt) {
  EXPECT_EQ(format_rate({400'000}), "400kbit");
  EXPECT_EQ(format_rate({100e6}), "100mbit");
  EXPECT_EQ(format_rate({2.5e9}), "2.5gbit");
  EXPECT_EQ(format_rate({999}), "999");
  EXPECT_EQ(format_rate({0.25}), "0.25");
}

TEST(Rate, WhatIsWrittenReadsBackToTheSameValue) {
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    BitsPerSecond rate{static_cast<double>(1 + (random() >> (1 + random.below(63))))};
    if (i % 2 == 0) {
      rate.value *= random.unit() + 1e-9;
    }
    ASSERT_EQ(parse_rate(format_rate(rate)), rate) << format_rate(rate);
  }
}

TEST(Rate, TimeOnTheLineIsBitsOverRate) {
  EXPECT_EQ(time_on_line(75'000, {400'000}), 1500ms);
  EXPECT_EQ(time_on_line(921'600, {400'000}), 18'432ms);
  EXPECT_EQ(time_on_line(102, {400'000}), 2'040us);
  EXPECT_EQ(time_on_line(0, {400'000}), 0s);
  EXPECT_EQ(time_on_line(1, {3e9}), 3ns);
  EXPECT_EQ(time_on_line(1'000'000'000'000, {1e9}), 8000s);
}

TEST(Share, IsReadInPerCentOrAsAFraction) {
  EXPECT_EQ(parse_share("95%"), 0.95);
  EXPECT_EQ(parse_share("95 %"), 0.95);
  EXPECT_EQ(parse_share("0.95"), 0.95);
  EXPECT_EQ(parse_share("0"), 0);
  EXPECT_EQ(parse_share("1"), 1);
  EXPECT_EQ(parse_share("1%"), 0.01);
  EXPECT_EQ(parse_share("100%"), 1);
}

TEST(Share, PerCentIsTheSameNumberAsTheQuotientThatItIsComparedWith) {
  for (int per_mille = 0; per_mille <= 1000; ++per_mille) {
    const auto text = std::to_string(per_mille / 10) + "." + std::to_string(per_mille % 10) + "%";
    ASSERT_EQ(parse_share(text), per_mille / 1000.0) << text;
  }
}

TEST(Share, RefusesEveryOtherForm) {
  for (const char* text : {"", "%", "x", "95", "1.01", "101%", "100.0001%", "-1%", "-0.5", "0.5x", "5%%",
                           "nan", "inf", "nan%", "50ms"}) {
    EXPECT_THAT(usage_error([&] { (void)parse_share(text); }), HasSubstr("95% or 0.95")) << text;
  }
}

TEST(Share, WhatIsWrittenReadsBackToTheSameValue) {
  EXPECT_EQ(format_share(0), "0%");
  EXPECT_EQ(format_share(0.95), "95%");
  EXPECT_EQ(format_share(0.07), "7%");
  EXPECT_EQ(format_share(0.001), "0.1%");
  EXPECT_EQ(format_share(1), "100%");
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    double share = random.unit();
    if (i % 3 == 0) {
      share = static_cast<double>(random.below(10001)) / 10000;
    } else if (i % 3 == 1) {
      share *= 1e-12;
    }
    ASSERT_EQ(parse_share(format_share(share)), share) << format_share(share);
  }
}

TEST(Count, IsAWholeNumberWithinItsLimits) {
  EXPECT_EQ(parse_count("1", "connections", 1, 9), 1U);
  EXPECT_EQ(parse_count("9", "connections", 1, 9), 9U);
  EXPECT_EQ(parse_count(" 5 ", "connections", 1, 9), 5U);
  EXPECT_EQ(parse_count("18446744073709551615", "seed", 0, std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Count, RefusesEveryOtherForm) {
  for (const char* text : {"", "0", "10", "-1", "+1", "1.0", "1e0", "1k", "0x1", "1 2", "one", "1,000",
                           "18446744073709551616", "99999999999999999999999"}) {
    EXPECT_EQ(usage_error([&] { (void)parse_count(text, "connections", 1, 9); }),
              std::string("connections: '") + text + "' is no whole number from 1 to 9");
  }
}

TEST(Human, Bytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(512), "512 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.00 KB");
  EXPECT_EQ(human_bytes(15'250), "15.2 KB");
  EXPECT_EQ(human_bytes(999'499), "999 KB");
  EXPECT_EQ(human_bytes(999'500), "1.00 MB");
  EXPECT_EQ(human_bytes(1'460'000'000), "1.46 GB");
  EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(Human, Rates) {
  EXPECT_EQ(human_rate({0}), "0 b/s");
  EXPECT_EQ(human_rate({12}), "12.0 b/s");
  EXPECT_EQ(human_rate({391'234}), "391 Kb/s");
  EXPECT_EQ(human_rate({98.3e6}), "98.3 Mb/s");
  EXPECT_EQ(human_rate({9.996e6}), "10.0 Mb/s");
  EXPECT_EQ(human_rate({1e9}), "1.00 Gb/s");
  EXPECT_EQ(human_rate({5e15}), "5000 Tb/s");
}

TEST(Human, Durations) {
  EXPECT_EQ(human_duration(0s), "0 s");
  EXPECT_EQ(human_duration(15ns), "15 ns");
  EXPECT_EQ(human_duration(1500ns), "1.50 us");
  EXPECT_EQ(human_duration(12'300us), "12.3 ms");
  EXPECT_EQ(human_duration(999'600us), "1.00 s");
  EXPECT_EQ(human_duration(1200ms), "1.20 s");
  EXPECT_EQ(human_duration(59'400ms), "59.4 s");
  EXPECT_EQ(human_duration(59'700ms), "1 min");
  EXPECT_EQ(human_duration(90s), "1 min 30 s");
  EXPECT_EQ(human_duration(20min), "20 min");
  EXPECT_EQ(human_duration(2h), "2 h");
  EXPECT_EQ(human_duration(2h + 5min + 31s), "2 h 6 min");
  EXPECT_EQ(human_duration(-12'300us), "-12.3 ms");
}

}  // namespace
}  // namespace scalemark
