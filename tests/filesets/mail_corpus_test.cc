#include "filesets/mail_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/filesets/temp_folder.h"

namespace scalemark::filesets {
namespace {

/// The lines of a text in wire form, without their ends.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find("\r\n", at);
    if (end == std::string::npos) {
      ADD_FAILURE() << "a line without its end";
      break;
    }
    lines.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return lines;
}

std::set<std::string> texts_of(const MailCorpus& corpus) {
  std::set<std::string> texts;
  for (const MailPayload& payload : corpus.payloads()) {
    texts.insert(payload.text);
  }
  return texts;
}

std::string message_of(const MailPayload& payload) {
  std::string text;
  append_message(text,
                 {.identity = {.run = 7, .number = 4711},
                  .sender = "user0001@example.test",
                  .recipient = "user0001@example.test",
                  .node = "",
                  .sent_unix_ms = 1764578461234},
                 payload);
  return text;
}

TEST(MailCorpus, AMessageOfTwoKIsOf2048Bytes) {
  const MailCorpus corpus({{2048, 1}}, 1);
  EXPECT_GT(corpus.payloads().size(), 1U);
  for (const MailPayload& payload : corpus.payloads()) {
    EXPECT_EQ(message_of(payload).size(), 2048U);
    EXPECT_EQ(read_message(message_of(payload)).condition, MailCondition::sound);
  }
  EXPECT_DOUBLE_EQ(corpus.mean_bytes(), 1536);
}

TEST(MailCorpus, EverySizeIsMetExactly) {
  for (std::uint64_t bytes = kLeastMailBytes; bytes < 1500; ++bytes) {
    const MailCorpus corpus({{bytes, 1}}, bytes);
    for (const MailPayload& payload : corpus.payloads()) {
      ASSERT_EQ(payload.text.size() + kMailOverhead, bytes);
      ASSERT_EQ(payload.digest, mail_digest(payload.text));
      for (const std::string& line : lines_of(payload.text)) {
        ASSERT_LE(line.size(), 76U);
      }
    }
  }
}

TEST(MailCorpus, PayloadsAreReadableTextWithDotsAndAnEmptyLine) {
  const MailCorpus corpus({{2048, 1}, {100 * 1024, 1}}, 3);
  for (const MailPayload& payload : corpus.payloads()) {
    const std::vector<std::string> lines = lines_of(payload.text);
    std::set<std::size_t> lengths;
    for (const std::string& line : lines) {
      lengths.insert(line.size());
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
          << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
    const auto dotted = [](const std::string& line) { return line.starts_with('.'); };
    EXPECT_GE(std::count_if(lines.begin(), lines.end(), dotted), 2);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "."), 1);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), ""), 1);
    EXPECT_GT(lengths.size(), 8U);
  }
}

TEST(MailCorpus, TheSameSeedGivesTheSamePayloadsAndAnotherGivesOthers) {
  const std::vector<SizeShare> sizes = {{2048, 1}, {4096, 2}};
  EXPECT_EQ(texts_of(MailCorpus(sizes, 1)), texts_of(MailCorpus(sizes, 1)));
  EXPECT_EQ(texts_of(MailCorpus(sizes, 1)).size(), MailCorpus(sizes, 1).payloads().size());
  EXPECT_NE(texts_of(MailCorpus(sizes, 1)), texts_of(MailCorpus(sizes, 2)));
}

TEST(MailCorpus, APayloadDoesNotDependOnTheOtherSizes) {
  const MailCorpus alone({{4096, 1}}, 5);
  const MailCorpus among({{2048, 1}, {4096, 1}}, 5);
  EXPECT_EQ(alone.payloads().back().text, among.payloads().back().text);
}

TEST(MailCorpus, SizesAreDrawnByTheirParts) {
  const MailCorpus corpus(parse_mail_sizes("1K:10 2K:30 3K:60"), 1);
  Random random(1);
  std::map<std::size_t, int> counts;
  std::set<std::uint64_t> digests;
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    const MailPayload& payload = corpus.draw(random);
    ++counts[(payload.text.size() + kMailOverhead) / 1024];
    digests.insert(payload.digest);
  }
  for (const auto& [size, share] : {std::pair{1U, 0.1}, {2U, 0.3}, {3U, 0.6}}) {
    EXPECT_NEAR(counts[size], kDraws * share, 5 * std::sqrt(kDraws * share * (1 - share))) << size;
  }
  EXPECT_EQ(digests.size(), corpus.payloads().size());
  EXPECT_NEAR(corpus.mean_bytes(), 0.1 * 512 + 0.3 * 1536 + 0.6 * 2560, 1e-6);
}

TEST(MailCorpus, OfALargeSizeThereAreFewerPayloads) {
  const MailCorpus corpus({{20U << 20U, 1}, {1024, 1}}, 1);
  std::map<std::size_t, int> counts;
  for (const MailPayload& payload : corpus.payloads()) {
    ++counts[payload.text.size()];
  }
  EXPECT_EQ(counts[(20U << 20U) - kMailOverhead], 3);
  EXPECT_EQ(counts[512], 8);
}

TEST(MailCorpus, RefusesSizesThatNoMessageCanHave) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, kLeastMailBytes - 1, kMostMailBytes + 1}) {
    EXPECT_THROW(MailCorpus({{bytes, 1}}, 1), UsageError) << bytes;
  }
  EXPECT_THROW(MailCorpus(std::vector<SizeShare>{}, 1), UsageError);
  EXPECT_THROW(MailCorpus({{2048, 0}}, 1), UsageError);
}

TEST(MailCorpusFolder, HoldsEveryRegularFileOfTheFolderButNotOfItsSubfolders) {
  const TempFolder folder;
  write_text(folder / "b", "second\r\n");
  write_text(folder / "a", "first\r\n.dot\r\n");
  std::filesystem::create_directory(folder / "below");
  write_text(folder / "below/c", "not this one\r\n");
  const MailCorpus corpus(folder.path());
  ASSERT_EQ(corpus.payloads().size(), 2U);
  EXPECT_EQ(corpus.payloads()[0].text, "first\r\n.dot\r\n");
  EXPECT_EQ(corpus.payloads()[1].text, "second\r\n");
  EXPECT_EQ(corpus.payloads()[1].digest, mail_digest("second\r\n"));
  EXPECT_EQ(corpus.mended_line_ends(), 0U);
  EXPECT_DOUBLE_EQ(corpus.mean_bytes(), (13 + 8) / 2.0);
}

TEST(MailCorpusFolder, FilesAreDrawnAlike) {
  const TempFolder folder;
  write_text(folder / "a", "a\r\n");
  write_text(folder / "b", "b\r\n");
  const MailCorpus corpus(folder.path());
  Random random(1);
  constexpr int kDraws = 10'000;
  int first = 0;
  for (int i = 0; i < kDraws; ++i) {
    first += corpus.draw(random).text == "a\r\n" ? 1 : 0;
  }
  EXPECT_NEAR(first, kDraws / 2, 5 * std::sqrt(kDraws / 4.0));
}

TEST(MailCorpusFolder, LineEndsAreMendedAndCounted) {
  struct Case {
    std::string text;
    std::string wire;
    std::uint64_t mended;
  };
  for (const Case& c : std::vector<Case>{{"a\nb\n", "a\r\nb\r\n", 2},
                                         {"a\rb\r", "a\r\nb\r\n", 2},
                                         {"a\r\nb", "a\r\nb\r\n", 1},
                                         {"a\r\r\nb\r\n", "a\r\n\r\nb\r\n", 1},
                                         {"a\n\r\n", "a\r\n\r\n", 1},
                                         {"a\n\rb\r\n", "a\r\n\r\nb\r\n", 2},
                                         {"\n", "\r\n", 1},
                                         {"a", "a\r\n", 1},
                                         {"\xE4 8 bit\r\n", "\xE4 8 bit\r\n", 0},
                                         {"", "", 0}}) {
    const TempFolder folder;
    write_text(folder / "message", c.text);
    const MailCorpus corpus(folder.path());
    EXPECT_EQ(corpus.payloads().at(0).text, c.wire);
    EXPECT_EQ(corpus.mended_line_ends(), c.mended) << c.wire;
    EXPECT_EQ(read_message(message_of(corpus.payloads()[0])).condition, MailCondition::sound);
  }
}

TEST(MailCorpusFolder, RefusesWhatIsNoCorpus) {
  const TempFolder folder;
  const auto complaint = [](const std::filesystem::path& path) {
    return sentence_of<UsageError>([&path] { MailCorpus{path}; });
  };
  EXPECT_NE(complaint(folder.path()).find("holds no file"), std::string::npos);
  EXPECT_NE(complaint(folder / "none").find("No such file or directory"), std::string::npos);
  write_text(folder / "zero", std::string("a\0b", 3));
  EXPECT_NE(complaint(folder.path()).find("zero' holds a NUL byte"), std::string::npos);
  EXPECT_NE(complaint(folder / "zero").find("cannot read the folder of messages"), std::string::npos);
}

TEST(MailCorpusFolder, RefusesAFileAboveAGibibyte) {
  const TempFolder folder;
  write_text(folder / "huge", "");
  std::filesystem::resize_file(folder / "huge", kMostMailBytes + 1);
  EXPECT_NE(sentence_of<UsageError>([&folder] { MailCorpus{folder.path()}; }).find("larger than 1 GiB"),
            std::string::npos);
}

}  // namespace
}  // namespace scalemark::filesets
