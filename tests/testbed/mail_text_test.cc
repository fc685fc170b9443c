#include "testbed/mail_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace scalemark::testbed {
namespace {

/// What a scanner makes of pieces.
struct Scan {
  std::size_t used = 0;
  bool ended = false;
  std::uint64_t stuffed = 0;
  friend bool operator==(const Scan&, const Scan&) = default;
};

Scan scan(const std::vector<std::string_view>& pieces) {
  DotScanner scanner;
  Scan scan;
  for (const auto piece : pieces) {
    if (!scanner.ended()) {
      scan.used += scanner.scan(piece);
    }
  }
  scan.ended = scanner.ended();
  scan.stuffed = scanner.stuffed();
  return scan;
}

TEST(DotScannerTest, EndsAtADotOnALineOfItsOwnOnly) {
  EXPECT_EQ(scan({".\r\n"}), (Scan{3, true, 0}));
  EXPECT_EQ(scan({"a\r\n.\r\nQUIT\r\n"}), (Scan{6, true, 0}));
  EXPECT_EQ(scan({"a.\r\n.\r\n"}), (Scan{7, true, 0}));
  for (const std::string_view text : {"a\n.\r\n", "a\r.\r\n", "a\r\n.\n", "a\r\n.\r", "a\r\n.\r\r\n",
                                      "a\r\n.", "a\r\n..\r\n", "a\r\n. \r\n", "a\n.\n", ""}) {
    EXPECT_FALSE(scan({text}).ended) << text;
  }
}

TEST(DotScannerTest, CountsTheDotsThatTheReceiverTakesAway) {
  EXPECT_EQ(scan({"..\r\n.\r\n"}), (Scan{7, true, 1}));
  EXPECT_EQ(scan({"..a\r\n...\r\nb..\r\n.\r\n"}).stuffed, 2U);
  EXPECT_EQ(scan({".\r.\r\n.\r\n"}), (Scan{8, true, 1}));
  EXPECT_EQ(scan({".\rx\r\n..\r\n.\r\n"}).stuffed, 2U);
}

TEST(DotScannerTest, DoesNotMindHowBytesAreCut) {
  const std::string_view text = "..head\r\n\r\n.\r.\r\r\n..\r\n...\r\na\r.\r\nb\n.\r\n\r\n.\r\nRSET\r\n";
  const Scan whole = scan({text});
  EXPECT_TRUE(whole.ended);
  EXPECT_EQ(text.substr(whole.used), "RSET\r\n");
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      EXPECT_EQ(scan({text.substr(0, first), text.substr(first, second - first), text.substr(second)}), whole)
          << first << ", " << second;
    }
  }
}

TEST(MailMemoryTest, IsTakenWholeOrNotAtAll) {
  MailMemory memory(10);
  EXPECT_TRUE(memory.take(7));
  EXPECT_FALSE(memory.take(4));
  EXPECT_EQ(memory.used(), 7U);
  EXPECT_TRUE(memory.take(3));
  EXPECT_EQ(memory.left(), 0U);
  memory.give_back(10);
  EXPECT_EQ(memory.left(), 10U);
}

class MailTextTest : public ::testing::Test {
 protected:
  MailText& text(const std::string& bytes, std::uint64_t stuffed = 0) {
    text_ = std::make_unique<MailText>(memory_);
    EXPECT_TRUE(text_->append(bytes));
    text_->finish(stuffed);
    return *text_;
  }

  MailMemory memory_{1000};
  std::unique_ptr<MailText> text_;
};

TEST_F(MailTextTest, KeepsTheBytesAndKnowsTheirNumberWithoutTheDots) {
  const MailText& kept = text("H: 1\r\n\r\n..a\r\n.\r\n", 1);
  EXPECT_EQ(kept.wire(), "H: 1\r\n\r\n..a\r\n.\r\n");
  EXPECT_EQ(kept.octets(), 12U);
}

TEST_F(MailTextTest, GivesItsTopInWholeLines) {
  const std::string whole = "H: 1\r\nI: 2\r\n\r\none\r\ntwo\r\n.\r\n";
  const MailText& kept = text(whole);
  EXPECT_EQ(whole.substr(0, kept.top(0)), "H: 1\r\nI: 2\r\n\r\n");
  EXPECT_EQ(whole.substr(0, kept.top(1)), "H: 1\r\nI: 2\r\n\r\none\r\n");
  EXPECT_EQ(whole.substr(0, kept.top(2)), "H: 1\r\nI: 2\r\n\r\none\r\ntwo\r\n");
  EXPECT_EQ(kept.top(3), whole.size());
  EXPECT_EQ(kept.top(~0ULL), whole.size());
  const std::string head_only = "H: 1\r\n.\r\n";
  EXPECT_EQ(text(head_only).top(0), head_only.size());
}

TEST_F(MailTextTest, TakesNoMoreMemoryThanThereIsAndGivesItBack) {
  text_ = std::make_unique<MailText>(memory_);
  EXPECT_TRUE(text_->append(std::string(600, 'a')));
  EXPECT_TRUE(text_->append(std::string(300, 'b')));
  EXPECT_TRUE(text_->append(std::string(100, 'c')));  // to the last byte, although it grows in steps
  EXPECT_EQ(memory_.left(), 0U);
  EXPECT_FALSE(text_->append("d"));
  EXPECT_EQ(text_->wire(), std::string(600, 'a') + std::string(300, 'b') + std::string(100, 'c'));
  text_.reset();
  EXPECT_EQ(memory_.used(), 0U);
}

}  // namespace
}  // namespace scalemark::testbed
