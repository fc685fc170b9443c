#include "testbed/request_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST(LogTally, AddsLinesUp) {
  LogTally tally(LogFormat::status_and_bytes);
  tally.feed("200 1000\n404 153\n");
  tally.feed("200 7\n");
  EXPECT_EQ(tally.count().requests, 3U);
  EXPECT_EQ(tally.count().bytes, 1160U);
}

TEST(LogTally, PutsLinesTogetherHoweverTheyCome) {
  LogTally whole(LogFormat::status_and_bytes);
  LogTally pieces(LogFormat::status_and_bytes);
  const std::string text = "200 1000\n200 20\n\n304 180\n";
  whole.feed(text);
  for (const char c : text) {
    pieces.feed({&c, 1});
  }
  EXPECT_EQ(pieces.count().requests, 3U);
  EXPECT_EQ(pieces.count().bytes, whole.count().bytes);
}

TEST(LogTally, CountsALineOnlyWhenItHasItsEnd) {
  LogTally tally(LogFormat::status_and_bytes);
  tally.feed("200 10");
  EXPECT_EQ(tally.count().requests, 0U);
  tally.feed("00\n");
  EXPECT_EQ(tally.count().bytes, 1000U);
}

TEST(LogTally, ReadsTheBuiltInServersLines) {
  LogTally tally(LogFormat::builtin);
  tally.feed("1234567 127.0.0.1:4000 GET /a%20b 200 15250 15329 3\n1234568 127.0.0.1:4000 - - 400 0 90 4\n");
  EXPECT_EQ(tally.count().requests, 2U);
  EXPECT_EQ(tally.count().bytes, 15419U);
}

TEST(LogTally, CountsWhatPostfixDelivered) {
  LogTally tally(LogFormat::postfix);
  tally.feed(
      "Dec  1 12:00:00 n1 postfix/smtpd[7]: connect from c[10.78.0.1]\n"
      "Dec  1 12:00:00 n1 postfix/qmgr[5]: 4A: from=<u1@bench.test>, size=2345, nrcpt=1 (queue active)\n"
      "Dec  1 12:00:00 n1 postfix/virtual[8]: 4A: to=<u0@bench.test>, relay=virtual, delay=0.02, "
      "delays=0.01/0/0/0.01, dsn=2.0.0, status=sent (delivered to maildir)\n"
      "Dec  1 12:00:00 n1 postfix/smtp[9]: 4B: to=<u1@bench.test>, relay=none, dsn=4.4.1, status=deferred "
      "(connect to a.test: refused)\n"
      "Dec  1 12:00:00 n1 postfix/smtpd[7]: warning: from=<status=sent@bench.test>\n");
  EXPECT_EQ(tally.count().requests, 1U);
  EXPECT_EQ(tally.count().bytes, 0U);
}

TEST(LogTally, PassesOverWhatIsNoLine) {
  LogTally tally(LogFormat::status_and_bytes);
  tally.feed("\n200\nhello world\n200 -\n200 1x\n200 5\n");
  EXPECT_EQ(tally.count().requests, 1U);
  EXPECT_EQ(tally.count().bytes, 5U);
}

TEST(RequestLog, ReadsOnFromWhereItWas) {
  const TempFolder folder;
  const auto path = folder.path() / "access.log";
  append(path, "200 1\n200 2\n");
  RequestLog since_now(path, LogFormat::status_and_bytes, false);
  RequestLog whole(path, LogFormat::status_and_bytes, true);
  EXPECT_EQ(since_now.read().value().requests, 0U);
  EXPECT_EQ(whole.read().value().bytes, 3U);
  append(path, "200 4\n200 ");
  EXPECT_EQ(since_now.read().value().bytes, 4U);
  append(path, "8\n");
  EXPECT_EQ(since_now.read().value().bytes, 12U);
  EXPECT_EQ(whole.read().value().bytes, 15U);
  EXPECT_EQ(whole.read().value().requests, 4U);
}

TEST(RequestLog, ALogMayComeLater) {
  const TempFolder folder;
  const auto path = folder.path() / "access.log";
  RequestLog log(path, LogFormat::status_and_bytes, false);
  EXPECT_FALSE(log.read());
  append(path, "200 1\n");
  EXPECT_EQ(log.read().value().requests, 1U);
}

TEST(RequestLog, ALogThatWasCutOffTellsNothingAnyMore) {
  const TempFolder folder;
  const auto path = folder.path() / "access.log";
  append(path, "200 1\n200 1\n");
  RequestLog log(path, LogFormat::status_and_bytes, true);
  EXPECT_TRUE(log.read());
  std::filesystem::resize_file(path, 0);
  EXPECT_FALSE(log.read());
  append(path, "200 1\n200 1\n200 1\n");
  EXPECT_FALSE(log.read());
}

TEST(RequestLog, ReadsMoreThanFitsIntoOnePiece) {
  const TempFolder folder;
  const auto path = folder.path() / "access.log";
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += "200 15320\n";
  }
  append(path, text);
  RequestLog log(path, LogFormat::status_and_bytes, true);
  EXPECT_EQ(log.read().value().requests, 100'000U);
}

}  // namespace
}  // namespace scalemark::testbed
