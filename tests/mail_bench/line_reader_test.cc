#include "mail_bench/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace scalemark::mail {
namespace {

using Found = LineReader::Found;

/// The lines of a text that comes in pieces of `length` bytes; the last one is "?" when it was malformed.
std::vector<std::string> lines_in(std::string_view text, std::size_t length) {
  LineReader reader;
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view piece = text.substr(0, length);
    text.remove_prefix(piece.size());
    while (!piece.empty()) {
      const Found found = reader.take(piece);
      if (found == Found::malformed) {
        lines.emplace_back("?");
        return lines;
      }
      if (found == Found::line) {
        lines.emplace_back(reader.line());
      }
    }
  }
  return lines;
}

TEST(LineReader, FindsTheSameLinesWhereverTheyAreCut) {
  const std::string text = "+OK ready\r\n\r\n.\r\n+OK\r\n";
  for (std::size_t length = 1; length <= text.size(); ++length) {
    EXPECT_THAT(lines_in(text, length), testing::ElementsAre("+OK ready", "", ".", "+OK"))
        << "in pieces of " << length;
  }
}

TEST(LineReader, EndsALineAtCrlfOnly) {
  for (const char* text : {"+OK\n", "\n", "+OK a\rb\r\n", "+OK\r\r\n", "\r+OK\r\n"}) {
    for (const std::size_t length : {1U, 100U}) {
      EXPECT_THAT(lines_in(text, length), testing::ElementsAre("?")) << testing::PrintToString(text);
    }
  }
}

TEST(LineReader, TakesNoLineThatNeverEnds) {
  const std::string longest(LineReader::kMostLine - 2, 'x');
  for (const std::size_t length : {1U, 1000U, 100'000U}) {
    EXPECT_THAT(lines_in(longest + "\r\n", length), testing::ElementsAre(longest));
    EXPECT_THAT(lines_in(longest + "x\r\n", length), testing::ElementsAre("?"));
    EXPECT_THAT(lines_in(std::string(100'000, 'x'), length), testing::ElementsAre("?"));
  }
}

TEST(LineReader, ForgetsABegunLine) {
  LineReader reader;
  std::string_view bytes = "+OK half a li";
  EXPECT_EQ(reader.take(bytes), Found::part);
  reader.reset();
  bytes = "-ERR\r\n";
  EXPECT_EQ(reader.take(bytes), Found::line);
  EXPECT_EQ(reader.line(), "-ERR");
}

}  // namespace
}  // namespace scalemark::mail
