#include "filesets/mail_message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace scalemark::filesets {
namespace {

MailPayload payload_of(std::string text) {
  MailPayload payload{std::move(text), 0};
  payload.digest = mail_digest(payload.text);
  return payload;
}

MailFacts facts() {
  return {.identity = {.run = 0xC0FFEE, .number = 123456},
          .sender = "user0001@example.test",
          .recipient = "user0002@example.test",
          .node = "node1.example.test",
          .sent_unix_ms = 1764578461234};
}

const MailPayload& payload() {
  static const MailPayload made = payload_of("Some words.\r\n.a dot\r\n\r\n.\r\nand the end\r\n");
  return made;
}

std::string message(const MailFacts& what = facts(), const MailPayload& carried = payload()) {
  std::string text;
  append_message(text, what, carried);
  return text;
}

/// The message with `added` before the line that begins with `line`.
std::string with_lines(std::string text, std::string_view line, std::string_view added) {
  const std::size_t at = text.starts_with(line) ? 0 : text.find("\r\n" + std::string(line)) + 2;
  return text.insert(at, added);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

void expect_sound(std::string_view text) {
  const MailReading reading = read_message(text);
  EXPECT_EQ(reading.condition, MailCondition::sound) << text;
  EXPECT_EQ(reading.identity, facts().identity) << text;
  EXPECT_EQ(reading.recipient, "user0002@example.test");
  EXPECT_EQ(reading.node, "node1.example.test");
}

TEST(MailDigest, IsXxh3) {
  EXPECT_EQ(mail_digest(""), 0x2D06800538D394C2U);
  EXPECT_NE(mail_digest("a"), mail_digest("b"));
}

TEST(MailMessage, IsReadAsItWasWritten) {
  expect_sound(message());
  EXPECT_EQ(read_message(message()).seen_node, "");
}

TEST(MailMessage, SaysWhoItIsInTheUsualHeadLines) {
  const std::string text = message();
  for (const char* line : {"From: user0001@example.test\r\n", "To: user0002@example.test\r\n",
                           "Date: Mon, 01 Dec 2025 08:41:01 +0000\r\n", "Subject: scalemark 123456\r\n",
                           "Message-ID: <0000000000c0ffee.123456@scalemark.test>\r\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(MailMessage, DatesAreThoseOfTheCalendar) {
  MailFacts what = facts();
  what.sent_unix_ms = 951827696000;
  EXPECT_NE(message(what).find("Date: Tue, 29 Feb 2000 12:34:56 +0000\r\n"), std::string::npos);
  what.sent_unix_ms = 0;
  EXPECT_NE(message(what).find("Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n"), std::string::npos);
}

TEST(MailMessage, IdsAreUniqueByRunAndNumber) {
  std::set<std::string> ids;
  for (std::uint64_t run = 1; run <= 3; ++run) {
    for (std::uint64_t number = 1; number <= 20; ++number) {
      MailFacts what = facts();
      what.identity = {run, number};
      const std::string text = message(what);
      const std::size_t at = text.find("Message-ID: ");
      ids.insert(text.substr(at, text.find("\r\n", at) - at));
    }
  }
  EXPECT_EQ(ids.size(), 60U);
}

TEST(MailMessage, TheOverheadIsTrueForUsualAddressesAndNodes) {
  for (const char* node : {"", "node1", "node1.example.test"}) {
    for (const std::uint64_t number : {0U, 1U, 99'999'999U}) {
      MailFacts what = facts();
      what.node = node;
      what.identity.number = number;
      EXPECT_EQ(message(what).size(), payload().text.size() + kMailOverhead) << node << " " << number;
    }
  }
}

TEST(MailMessage, LongAddressesMakeItLongerByThemselvesOnly) {
  const std::string address = std::string(200, 'u') + "@a-rather-long-domain-of-a-firm.example.test";
  MailFacts what = facts();
  what.recipient = address;
  const std::string text = message(what);
  EXPECT_LT(text.size(), payload().text.size() + kMailOverhead + 2 * address.size());
  EXPECT_EQ(read_message(text).condition, MailCondition::sound);
  EXPECT_EQ(read_message(text).recipient, address);
}

TEST(MailMessage, IsInWireForm) {
  const std::string text = message();
  EXPECT_TRUE(text.ends_with("\r\n"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      EXPECT_EQ(text[at - 1], '\r') << at;
    } else if (text[at] == '\r') {
      EXPECT_EQ(text[at + 1], '\n') << at;
    }
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find("\r\n", at);
    EXPECT_LE(end - at, 998U) << "RFC 5322 allows no longer lines";
    at = end + 2;
  }
}

TEST(MailMessage, IsAppended) {
  std::string text = "before";
  append_message(text, facts(), payload());
  EXPECT_EQ(text, "before" + message());
}

TEST(MailMessage, AnEmptyPayloadIsOneToo) {
  expect_sound(message(facts(), payload_of("")));
  expect_sound(message(facts(), payload_of("\r\n")));
}

TEST(MailMessage, APayloadMayHoldMarksAndHeads) {
  expect_sound(message(facts(), payload_of(message())));
  const std::string inner = message();
  expect_sound(message(facts(), payload_of(inner.substr(inner.find("\r\n\r\n") + 4))));
}

TEST(MailReading, LinesThatServersAddDoNotMatter) {
  const std::string added =
      "Return-Path: <user0001@example.test>\r\nDelivered-To: other@example.test\r\n"
      "Received: from client (client [192.0.2.1])\r\n\tby node7.example.test (Postfix) with ESMTP id 4F\r\n"
      "\tfor <other@example.test>; Mon,  1 Dec 2025 08:41:01 +0000 (UTC)\r\nX-Spam: " +
      std::string(5000, 's') + "\r\n X-Scalemark: folded, so no line of ours\r\n";
  for (const char* line : {"From:", "To:", "Date:", "Message-ID:", "Subject:", "X-Scalemark:", "\r\n"}) {
    const std::string text = with_lines(message(), line, added);
    expect_sound(text);
    EXPECT_EQ(read_message(text).seen_node, "node7.example.test") << line;
  }
}

TEST(MailReading, ALineOfOursThatWasFoldedAnewIsStillRead) {
  std::string text = message();
  const std::size_t line = text.find("X-Scalemark: ") + 12;
  for (std::size_t at = text.rfind(' ', text.find("\r\n", line)); at >= line; at = text.rfind(' ', at - 1)) {
    text.insert(at, "\r\n");
    expect_sound(text);
  }
  expect_sound(replaced(message(), "X-Scalemark: ", "x-scalemark:"));
}

TEST(MailReading, TheFirstLineOfOursCounts) {
  MailFacts other = facts();
  other.identity.number = 99;
  const std::string text = message(other);
  const std::size_t begin = text.find("X-Scalemark: ");
  expect_sound(with_lines(message(), "\r\n", text.substr(begin, text.find("\r\n", begin) + 2 - begin)));
}

TEST(MailReading, WhatFollowsTheEndMarkDoesNotMatter) {
  expect_sound(message() + "\r\n\r\n");
  expect_sound(message() + "\r\n-- \r\nThis list is read by many.\r\n");
}

TEST(MailReading, WithoutTheLastLineEndItIsNotWhole) {
  const std::string text = message();
  EXPECT_EQ(read_message(text.substr(0, text.size() - 2)).condition, MailCondition::truncated);
}

TEST(MailReading, NoBeginningOfAMessageIsTakenForAnotherMessage) {
  const std::string text = message();
  const std::size_t known = text.find("\r\n", text.find("X-Scalemark: "));
  for (std::size_t length = 0; length < text.size(); ++length) {
    const MailReading reading = read_message(std::string_view(text).substr(0, length));
    EXPECT_EQ(reading.condition, length < known ? MailCondition::foreign : MailCondition::truncated)
        << length;
    EXPECT_EQ(reading.identity, length < known ? MailIdentity{} : facts().identity) << length;
  }
}

TEST(MailReading, AnyOtherByteOfThePayloadIsCorruption) {
  const std::string text = message();
  const std::size_t begin = text.find(payload().text);
  for (std::size_t at = begin; at < begin + payload().text.size(); ++at) {
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_EQ(read_message(other).condition, MailCondition::corrupt) << at;
    EXPECT_EQ(read_message(other).identity, facts().identity) << at;
  }
}

TEST(MailReading, ALostOrAnAddedLineIsCorruption) {
  EXPECT_EQ(read_message(replaced(message(), ".a dot\r\n", "")).condition, MailCondition::corrupt);
  EXPECT_EQ(read_message(replaced(message(), ".a dot\r\n", ".a dot\r\n\r\n")).condition,
            MailCondition::corrupt);
  EXPECT_EQ(read_message(replaced(message(), payload().text, "")).condition, MailCondition::corrupt);
}

TEST(MailReading, ADotThatWasStuffedAndNotTakenAwayIsCorruption) {
  EXPECT_EQ(read_message(replaced(message(), ".a dot", "..a dot")).condition, MailCondition::corrupt);
}

TEST(MailReading, WithoutItsMarksItIsTruncated) {
  EXPECT_EQ(read_message(replaced(message(), "-- scalemark payload ends --\r\n", "")).condition,
            MailCondition::truncated);
  EXPECT_EQ(read_message(replaced(message(), "-- scalemark payload begins", "")).condition,
            MailCondition::truncated);
}

TEST(MailReading, OtherMailIsForeign) {
  for (const char* text :
       {"", "\r\n", "\r\n\r\n", "no head at all", "From: a@b\r\nTo: c@d\r\n\r\nHello\r\n",
        "From: a@b\r\nX-Scalemark: yes\r\n\r\nHello\r\n", "X-Scalemark:\r\n\r\n", ":\r\n:\r\n\r\n"}) {
    const MailReading reading = read_message(text);
    EXPECT_EQ(reading.condition, MailCondition::foreign) << text;
    EXPECT_EQ(reading.identity, MailIdentity{}) << text;
    EXPECT_EQ(reading.recipient, "") << text;
  }
}

TEST(MailReading, ANoticeThatQuotesOneOfOursIsForeign) {
  const std::string notice =
      "From: MAILER-DAEMON@node1\r\nSubject: Undelivered\r\n\r\nYour mail:\r\n" + message();
  EXPECT_EQ(read_message(notice).condition, MailCondition::foreign);
}

TEST(MailReading, AnyOtherByteOfOurOwnHeadLineMakesItForeign) {
  const std::string text = message();
  const std::size_t begin = text.find("run=", text.find("X-Scalemark: "));
  for (std::size_t at = begin; at < text.find("\r\n", begin); ++at) {
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_EQ(read_message(other).condition, MailCondition::foreign) << at;
  }
}

/// The host that a Received line with this value names.
std::string host_of(const std::string& value) {
  return std::string(read_message("Received: " + value + "\r\n" + message()).seen_node);
}

TEST(MailReading, TheNodeIsTheHostAfterByInTheTopmostTrace) {
  EXPECT_EQ(host_of("by node1 with LMTP; Mon, 1 Dec 2025 08:41:01 +0000"), "node1");
  EXPECT_EQ(host_of("from front ([192.0.2.1])\r\n\tby node2.example.test\r\n\twith LMTP"),
            "node2.example.test");
  EXPECT_EQ(host_of("from a\r\n\tBY\r\n\tnode3;\r\n\tMon"), "node3");
  EXPECT_EQ(host_of("from a (by way of (by b) \\) by c) by node4(Postfix)"), "node4");
  EXPECT_EQ(host_of("from by.example by node5 for <x@y>"), "node5");
  EXPECT_EQ(host_of("from a by [192.0.2.7]; Mon"), "[192.0.2.7]");
  EXPECT_EQ(host_of("(qmail 123 invoked for bounce); 1 Dec 2025"), "");
  EXPECT_EQ(host_of("from a by"), "");
  EXPECT_EQ(host_of("from a (by b"), "");
  EXPECT_EQ(host_of(""), "");
}

TEST(MailReading, ALowerTraceIsNotTheTopmost) {
  const std::string traces = "Received: by node9; Mon\r\nReceived: by front; Mon\r\n";
  EXPECT_EQ(read_message(traces + message()).seen_node, "node9");
  EXPECT_EQ(read_message("Received: somehow\r\n" + traces + message()).seen_node, "");
}

TEST(MailReading, AnUnknownNodeIsNone) {
  MailFacts what = facts();
  what.node = "";
  EXPECT_EQ(read_message(message(what)).node, "");
  EXPECT_EQ(read_message(message(what)).condition, MailCondition::sound);
}

}  // namespace
}  // namespace scalemark::filesets
