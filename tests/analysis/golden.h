// Texts that tests expect, kept as files in tests/analysis/data.
//
// When a format changes on purpose, write them anew and look at the difference before committing it:
//
//   SCALEMARK_UPDATE_GOLDEN=1 BUILD/tests/web_bench/web_bench_tests --gtest_filter='WebRecord*'
//   SCALEMARK_UPDATE_GOLDEN=1 BUILD/tests/analysis/analysis_tests
//   git diff tests/analysis/data
//
// in this order: the texts and the CSV are made from web_example.json, which the first command writes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace scalemark {

[[nodiscard]] inline std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(__FILE__).parent_path() / "data" / name;
}

/// The file's contents, byte for byte; "" when there is none.
[[nodiscard]] inline std::string golden_text(const std::string& name) {
  std::ifstream file(golden_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void expect_golden(const std::string& name, const std::string& actual) {
  if (std::getenv("SCALEMARK_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden_path(name), std::ios::binary) << actual;
  }
  const std::string expected = golden_text(name);
  ASSERT_FALSE(expected.empty()) << golden_path(name) << " is missing";
  EXPECT_EQ(expected, actual) << "golden.h says how to write " << name << " anew";
}

}  // namespace scalemark
