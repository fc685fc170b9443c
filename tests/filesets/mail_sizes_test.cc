#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "core/error.h"
#include "filesets/mail_corpus.h"
#include "tests/filesets/temp_folder.h"

namespace scalemark::filesets {
namespace {

std::string complaint(const std::string& text) {
  return sentence_of<UsageError>([&text] { static_cast<void>(parse_mail_sizes(text)); });
}

TEST(MailSizes, OneSizeStandsAlone) {
  for (const auto& [text, bytes] : {std::pair{"2K", 2048U},
                                    {"2048", 2048U},
                                    {" 2k ", 2048U},
                                    {"514", 514U},
                                    {"1M", 1'048'576U},
                                    {"1024M", 1'073'741'824U},
                                    {"2K:7", 2048U}}) {
    const auto sizes = parse_mail_sizes(text);
    ASSERT_EQ(sizes.size(), 1U) << text;
    EXPECT_EQ(sizes[0].bytes, bytes) << text;
    EXPECT_GT(sizes[0].parts, 0) << text;
  }
}

TEST(MailSizes, SeveralHaveTheirParts) {
  const auto sizes = parse_mail_sizes("1K:10.2  2K:30.71\t5000:1e1");
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes[0].bytes, 1024U);
  EXPECT_EQ(sizes[0].parts, 10.2);
  EXPECT_EQ(sizes[1].bytes, 2048U);
  EXPECT_EQ(sizes[1].parts, 30.71);
  EXPECT_EQ(sizes[2].bytes, 5000U);
  EXPECT_EQ(sizes[2].parts, 10);
}

TEST(MailSizes, TheTableIsOfAHundredPerCent) {
  const auto sizes = parse_mail_sizes("table");
  ASSERT_EQ(sizes.size(), 10U);
  EXPECT_EQ(sizes.front().bytes, 1024U);
  EXPECT_EQ(sizes.back().bytes, 2675U * 1024U);
  EXPECT_EQ(sizes.back().parts, 0.18);
  const double parts = std::accumulate(sizes.begin(), sizes.end(), 0.0,
                                       [](double sum, const SizeShare& share) { return sum + share.parts; });
  EXPECT_NEAR(parts, 100, 1e-9);
}

TEST(MailSizes, AreWrittenAsTheyAreRead) {
  for (const std::string text : {"2K", "2049", "1024K", "2K:7", "1K:10.2 2K:30.71 5001:0.1", "600:1 3K:1"}) {
    EXPECT_EQ(format_mail_sizes(parse_mail_sizes(text)), text);
  }
  EXPECT_EQ(format_mail_sizes(parse_mail_sizes("table")), kMailSizeTable);
}

TEST(MailSizes, RefusesWhatIsNoSize) {
  for (const char* text : {"K", "2X", "2KB", "-2K", "2.5K", "two", "2K,3K", ":3", "0x800"}) {
    EXPECT_NE(complaint(text).find("is no message size; write one as in 2K or 2048"), std::string::npos)
        << text << ": " << complaint(text);
  }
  EXPECT_NE(complaint("").find("no message size is given"), std::string::npos);
  EXPECT_NE(complaint("  ").find("no message size is given"), std::string::npos);
}

TEST(MailSizes, RefusesSizesThatNoMessageCanHave) {
  for (const char* text : {"0", "513", "1073741825", "1025M", "99999999999999999999", "18014398509481985K"}) {
    EXPECT_EQ(complaint(text),
              "no message can have a size of '" + std::string(text) +
                  "': its head and marks take 512 bytes, so sizes go from 514 bytes to 1024M");
  }
}

TEST(MailSizes, RefusesPartsThatAreNone) {
  for (const char* text : {"1K:", "1K:0", "1K:-1", "1K:inf", "1K:nan", "1K:1x", "1K:1:2"}) {
    EXPECT_NE(complaint(text).find("it is a number above 0, as in 1K:10.2"), std::string::npos)
        << text << ": " << complaint(text);
  }
  EXPECT_NE(complaint("1K:1 2K").find("the size '2K' has no part"), std::string::npos);
}

TEST(MailSizes, RefusesASizeTwice) {
  EXPECT_EQ(complaint("1K:1 2K:1 1024:3"), "the message size 1K stands there twice; add up its parts");
}

}  // namespace
}  // namespace scalemark::filesets
