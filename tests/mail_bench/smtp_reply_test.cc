#include "mail_bench/smtp_reply.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace scalemark::mail {
namespace {

using State = ReplyReader::State;

/// Feeds the bytes in pieces of `length`.
std::size_t feed_in_pieces(ReplyReader& reader, std::string_view bytes, std::size_t length) {
  std::size_t used = 0;
  while (used < bytes.size() && reader.state() == State::reading) {
    used += reader.feed(bytes.substr(used, length));
  }
  return used;
}

TEST(SmtpReply, OneLine) {
  ReplyReader reader;
  const std::string_view bytes = "250 2.1.0 Ok\r\n";
  EXPECT_EQ(reader.feed(bytes), bytes.size());
  ASSERT_EQ(reader.state(), State::complete);
  EXPECT_EQ(reader.reply().code, 250);
  EXPECT_EQ(reader.reply().text, "2.1.0 Ok");
}

TEST(SmtpReply, SeveralLinesInAnyPieces) {
  const std::string bytes = "250-mail.test\r\n250-\r\n250-SIZE 1000\r\n250 HELP\r\n";
  for (std::size_t length = 1; length <= bytes.size(); ++length) {
    ReplyReader reader;
    EXPECT_EQ(feed_in_pieces(reader, bytes, length), bytes.size()) << "pieces of " << length;
    ASSERT_EQ(reader.state(), State::complete) << "pieces of " << length;
    EXPECT_EQ(reader.reply().code, 250);
    EXPECT_EQ(reader.reply().text, "mail.test\n\nSIZE 1000\nHELP") << "pieces of " << length;
  }
}

TEST(SmtpReply, ABareCodeIsAReply) {
  ReplyReader reader;
  reader.feed("220\r\n");
  ASSERT_EQ(reader.state(), State::complete);
  EXPECT_EQ(reader.reply().code, 220);
  EXPECT_EQ(reader.reply().text, "");
  reader.reset();
  reader.feed("220-first\r\n220\r\n");
  ASSERT_EQ(reader.state(), State::complete);
  EXPECT_EQ(reader.reply().text, "first\n");
}

TEST(SmtpReply, WhatComesAfterItIsNotItsOwn) {
  const std::string bytes = "250 a\r\n550 b\r\n354 c\r\n";
  for (std::size_t length = 1; length <= bytes.size(); ++length) {
    ReplyReader reader;
    std::string_view rest = bytes;
    for (const int code : {250, 550, 354}) {
      rest.remove_prefix(feed_in_pieces(reader, rest, length));
      ASSERT_EQ(reader.state(), State::complete);
      EXPECT_EQ(reader.reply().code, code);
      reader.reset();
    }
    EXPECT_TRUE(rest.empty());
  }
}

TEST(SmtpReply, IsNotCompleteBeforeItsLastByte) {
  const std::string_view bytes = "220-mail.test\r\n220 ready\r\n";
  ReplyReader reader;
  for (const char byte : bytes.substr(0, bytes.size() - 1)) {
    reader.feed({&byte, 1});
    ASSERT_EQ(reader.state(), State::reading);
  }
  reader.feed(bytes.substr(bytes.size() - 1));
  EXPECT_EQ(reader.state(), State::complete);
}

TEST(SmtpReply, MalformedOnes) {
  const std::vector<std::string> wrong = {
      "hello\r\n",
      "\r\n",
      "25\r\n",
      "25x ok\r\n",
      "250ok\r\n",
      "250_ok\r\n",
      " 250 ok\r\n",
      "150 preliminary\r\n",
      "650 beyond\r\n",
      "+OK ready\r\n",
      "250 lone line feed\n",
      "250 lone\rreturn\r\n",
      "250 two returns\r\r\n",
      "220-first\r\n221 another code\r\n",
      "220-first\r\n220-second\r\n250-another code\r\n",
  };
  for (const std::string& bytes : wrong) {
    for (std::size_t length = 1; length <= bytes.size(); ++length) {
      ReplyReader reader;
      feed_in_pieces(reader, bytes, length);
      EXPECT_EQ(reader.state(), State::malformed) << bytes << " in pieces of " << length;
      EXPECT_EQ(reader.reply().code, 0) << bytes;
    }
  }
}

TEST(SmtpReply, AMalformedOneShowsTheLine) {
  ReplyReader reader;
  reader.feed("HTTP/1.1 400 Bad Request\r\n");
  EXPECT_EQ(reader.reply().text, "HTTP/1.1 400 Bad Request");
}

TEST(SmtpReply, LinesAndTheirNumberHaveALimit) {
  ReplyReader reader;
  const std::string longest = "250 " + std::string(LineReader::kMostLine - 6, 'x') + "\r\n";
  reader.feed(longest);
  EXPECT_EQ(reader.state(), State::complete);
  reader.reset();
  reader.feed("250 x" + longest.substr(4));
  EXPECT_EQ(reader.state(), State::malformed);
  reader.reset();
  reader.feed(std::string(LineReader::kMostLine, '2'));
  EXPECT_EQ(reader.state(), State::malformed) << "a line without an end is not waited for";

  reader.reset();
  for (std::size_t line = 1; line < ReplyReader::kMostLines; ++line) {
    reader.feed("250-more\r\n");
  }
  EXPECT_EQ(reader.state(), State::reading);
  reader.feed("250 last\r\n");
  EXPECT_EQ(reader.state(), State::complete);
  reader.reset();
  for (std::size_t line = 0; line < ReplyReader::kMostLines; ++line) {
    reader.feed("250-more\r\n");
  }
  reader.feed("250 last\r\n");
  EXPECT_EQ(reader.state(), State::malformed);
}

}  // namespace
}  // namespace scalemark::mail
