#include "mail_bench/dot_stuffing.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"

namespace scalemark::mail {
namespace {

/// What is said after DATA for a text that is given in pieces of `length`.
std::string on_the_wire(std::string_view text, std::size_t length) {
  std::string wire;
  DotStuffer stuffer;
  for (std::size_t at = 0; at < text.size(); at += length) {
    stuffer.append(wire, text.substr(at, length));
  }
  stuffer.finish(wire);
  return wire;
}

/// Feeds in pieces of `length`; returns how many bytes were taken.
std::size_t feed_in_pieces(DotReader& reader, std::string_view bytes, std::size_t length) {
  std::size_t used = 0;
  while (used < bytes.size() && !reader.finished() && !reader.too_long()) {
    used += reader.feed(bytes.substr(used, length));
  }
  return used;
}

struct Case {
  std::string text;
  std::string wire;
};

const std::vector<Case> cases = {
    {"hello\r\n", "hello\r\n.\r\n"},
    {".first\r\n", "..first\r\n.\r\n"},
    {"a\r\n.last\r\n", "a\r\n..last\r\n.\r\n"},
    {".\r\n", "..\r\n.\r\n"},
    {"a\r\n.\r\nb\r\n", "a\r\n..\r\nb\r\n.\r\n"},
    {"..\r\n...\r\n", "...\r\n....\r\n.\r\n"},
    {"a.b\r\nc.\r\n", "a.b\r\nc.\r\n.\r\n"},
    {"\r\n.\r\n\r\n", "\r\n..\r\n\r\n.\r\n"},
    {"\r\n", "\r\n.\r\n"},
    {"", ".\r\n"},
};

TEST(DotStuffing, EveryDotAtALinesStartIsDoubledWhereverTheTextIsCut) {
  for (const Case& one : cases) {
    for (std::size_t length = 1; length <= one.text.size() + 1; ++length) {
      EXPECT_EQ(on_the_wire(one.text, length), one.wire) << "in pieces of " << length;
    }
  }
}

TEST(DotStuffing, TheTextEndsInExactlyOneLineEnd) {
  EXPECT_EQ(on_the_wire("no end", 100), "no end\r\n.\r\n");
  EXPECT_EQ(on_the_wire("half an end\r", 100), "half an end\r\n.\r\n");
  EXPECT_EQ(on_the_wire("half an end\r", 1), "half an end\r\n.\r\n");
  EXPECT_EQ(on_the_wire("empty last line\r\n\r\n", 1), "empty last line\r\n\r\n.\r\n");
  EXPECT_EQ(on_the_wire("\r", 1), "\r\n.\r\n");
}

TEST(DotStuffing, AStufferCanBeUsedAgain) {
  DotStuffer stuffer;
  std::string wire;
  stuffer.append(wire, "no end");
  stuffer.finish(wire);
  stuffer.append(wire, ".x\r\n");
  stuffer.finish(wire);
  EXPECT_EQ(wire, "no end\r\n.\r\n..x\r\n.\r\n");
}

TEST(DotStuffing, AppendsToWhatIsThere) {
  std::string text = "DATA\r\n";
  append_stuffed(text, ".a\r\n.b\r\n");
  EXPECT_EQ(text, "DATA\r\n..a\r\n..b\r\n");
}

TEST(DotReader, TakesOneDotAwayWhereverTheBytesAreCut) {
  for (const Case& one : cases) {
    for (std::size_t length = 1; length <= one.wire.size(); ++length) {
      DotReader reader;
      EXPECT_EQ(feed_in_pieces(reader, one.wire, length), one.wire.size());
      EXPECT_TRUE(reader.finished()) << one.wire;
      EXPECT_EQ(reader.text(), one.text) << "in pieces of " << length;
    }
  }
}

TEST(DotReader, OnlyALoneDotBetweenLineEndsIsTheEnd) {
  // Nothing of this may end the text; a dot that begins a line is taken away, and no other.
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"a\n.\r\nb\r\n", "a\n.\r\nb\r\n"},
      {"a\r\n.\nb\r\n", "a\r\n\nb\r\n"},
      {"a\r\n.\rb\r\n", "a\r\n\rb\r\n"},
      {"a\r\n.\r\r\nb\r\n", "a\r\n\r\r\nb\r\n"},
      {"a.\r\nb\r\n", "a.\r\nb\r\n"},
      {"a\r\n. \r\nb\r\n", "a\r\n \r\nb\r\n"},
      {"a\r\r\n.b\r\n", "a\r\r\nb\r\n"},
      {"a\r.\r\nb\r\n", "a\r.\r\nb\r\n"},
      {"a\r\n.\r.\r\nb\r\n", "a\r\n\r.\r\nb\r\n"},
  };
  for (const auto& [wire, text] : texts) {
    for (std::size_t length = 1; length <= wire.size() + 3; ++length) {
      DotReader reader;
      feed_in_pieces(reader, wire + ".\r\n", length);
      EXPECT_TRUE(reader.finished());
      EXPECT_EQ(reader.text(), text) << "in pieces of " << length;
    }
  }
}

TEST(DotReader, WhatComesAfterTheEndIsNotItsOwn) {
  DotReader reader;
  EXPECT_EQ(reader.feed("a\r\n.\r\n+OK\r\n"), 6U);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.feed("+OK\r\n"), 0U);
  EXPECT_EQ(reader.text(), "a\r\n");
}

TEST(DotReader, CanBeUsedAgain) {
  DotReader reader;
  reader.feed("a\r\n.\r\n");
  reader.reset();
  EXPECT_FALSE(reader.finished());
  reader.feed("b\r\n.");
  EXPECT_FALSE(reader.finished());
  reader.feed("\r\n");
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.text(), "b\r\n");
}

TEST(DotReader, ATextHasALimit) {
  for (std::size_t length = 1; length <= 20; ++length) {
    DotReader reader(6);
    feed_in_pieces(reader, "abcd\r\n.\r\n", length);
    EXPECT_TRUE(reader.finished());
    reader.reset();
    feed_in_pieces(reader, "abcde\r\n.\r\n", length);
    EXPECT_TRUE(reader.too_long()) << "in pieces of " << length;
    EXPECT_FALSE(reader.finished());
    EXPECT_LE(reader.text().size(), 6U);
  }
}

TEST(DotReader, GivesBackWhatWasStuffed) {
  constexpr std::uint64_t kSeed = 20240611;
  Random random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint64_t bytes = random.below(40); bytes > 0; --bytes) {
      constexpr std::string_view kPieces[] = {".", "\r\n", "x"};
      text += kPieces[random.below(3)];
    }
    text += "\r\n";
    const std::string wire = on_the_wire(text, 1 + random.below(12));
    DotReader reader;
    ASSERT_EQ(feed_in_pieces(reader, wire + "tail", 1 + random.below(12)), wire.size())
        << "seed " << kSeed << ", round " << round;
    ASSERT_EQ(reader.text(), text) << "seed " << kSeed << ", round " << round;
  }
}

}  // namespace
}  // namespace scalemark::mail
