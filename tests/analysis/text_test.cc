#include "analysis/text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace scalemark::analysis {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, width_of(line));
  }
  return widest;
}

TEST(Text, CountsHaveThousandsSeparators) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1'000), "1,000");
  EXPECT_EQ(count_text(2'000'000), "2,000,000");
}

TEST(Text, WhatDoesNotExistIsADash) {
  EXPECT_EQ(count_text(std::nullopt), "-");
  EXPECT_EQ(real_text(std::nullopt, 1), "-");
  EXPECT_EQ(ms_text(std::nullopt), "-");
  EXPECT_EQ(percent_text(std::nullopt, 1), "-");
  EXPECT_EQ(kbps_text(std::nullopt), "-");
  EXPECT_EQ(bytes_text(std::nullopt), "-");
  EXPECT_EQ(seconds_text(std::nullopt), "-");
}

TEST(Text, RealNumbersAreRoundedAndGrouped) {
  EXPECT_EQ(real_text(32'799.96, 1), "32,800.0");
  EXPECT_EQ(real_text(-1'234.5, 1), "-1,234.5");
  EXPECT_EQ(real_text(0.0, 1), "0.0");
}

TEST(Text, RatesAreCutSoThatNobodyLooksConformingWhoIsNot) {
  EXPECT_EQ(kbps_text(319'999.9), "319.9");
  EXPECT_EQ(kbps_text(320'000.0), "320.0");
  EXPECT_EQ(kbps_text(400'000.0), "400.0");
  EXPECT_EQ(kbps_text(0.0), "0.0");
}

TEST(Text, MillisecondsKeepAboutThreeFigures) {
  EXPECT_EQ(ms_text(0.31), "0.31");
  EXPECT_EQ(ms_text(9.999), "10.0");
  EXPECT_EQ(ms_text(12.44), "12.4");
  EXPECT_EQ(ms_text(99.96), "100");
  EXPECT_EQ(ms_text(1'240.2), "1,240");
}

TEST(Text, BytesNeverShowAThousandOfAUnit) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1'000), "1.00 KB");
  EXPECT_EQ(bytes_text(999'999), "1.00 MB");
  EXPECT_EQ(bytes_text(12'054'700), "12.1 MB");
  EXPECT_EQ(bytes_text(746'184'400), "746 MB");
}

TEST(Text, SecondsAndShares) {
  EXPECT_EQ(seconds_text(60.0), "60 s");
  EXPECT_EQ(seconds_text(60.001), "60 s");
  EXPECT_EQ(seconds_text(12.34), "12.3 s");
  EXPECT_EQ(seconds_text(0.25), "0.25 s");
  EXPECT_EQ(seconds_text(1'200.0), "1,200 s");
  EXPECT_EQ(percent_text(0.14, 1), "14.0%");
  EXPECT_EQ(percent_text(1.0, 0), "100%");
}

TEST(Text, WidthCountsCharactersNotBytes) {
  EXPECT_EQ(width_of("Grün"), 4U);
  EXPECT_EQ(width_of(""), 0U);
}

TEST(Text, ControlCharactersOfForeignTextsDoNotReachTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31m\nb"), "a?[31m?b");
  EXPECT_EQ(printable("images/large", 9), "images...");
  EXPECT_EQ(printable("grüngrüngrün", 7), "grün...");
  EXPECT_EQ(printable("short", 9), "short");
}

TEST(Text, WrapsBetweenWordsAndIndentsLaterLines) {
  EXPECT_EQ(wrapped("  - ", "one two three four", 14), "  - one two\n    three four\n");
  EXPECT_EQ(wrapped("  - ", "one  two ", 80), "  - one two\n");
  EXPECT_EQ(wrapped("PASS  ", "", 80), "PASS\n");
}

TEST(Text, BreaksWordsThatAreWiderThanALine) {
  const std::string text = wrapped("  ", "see http://" + std::string(100, 'x') + "/ there", 40);
  EXPECT_LE(widest_line(text), 40U);
  std::string joined = text;
  std::erase_if(joined, [](char letter) { return letter == ' ' || letter == '\n'; });
  EXPECT_EQ(joined, "seehttp://" + std::string(100, 'x') + "/there");
}

}  // namespace
}  // namespace scalemark::analysis
