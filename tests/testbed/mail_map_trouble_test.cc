#include "testbed/mail_map_trouble.h"

#include <gtest/gtest.h>

namespace scalemark::testbed {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint kStart{std::chrono::hours(1)};
constexpr const char* kBack = "the database is back";

TEST(MailMapTroubleTest, LossAndReturnAreSaidOnce) {
  MailMapTrouble trouble;
  EXPECT_EQ(trouble.connected(), "");
  EXPECT_EQ(trouble.away("refused"), "the database is lost: refused; trying again");
  EXPECT_EQ(trouble.away("refused"), "");
  EXPECT_EQ(trouble.connected(), kBack);
  EXPECT_EQ(trouble.connected(), "");
  EXPECT_EQ(trouble.away("ended"), "the database is lost: ended; trying again");
}

TEST(MailMapTroubleTest, FailingLookUpsAreSaidOnce) {
  MailMapTrouble trouble;
  EXPECT_EQ(trouble.failed(kStart, "no table"), "the database fails look-ups: no table");
  EXPECT_EQ(trouble.failed(kStart, "no table"), "");
  EXPECT_EQ(trouble.succeeded(kStart + MailMapTrouble::kCalm), kBack);
  EXPECT_EQ(trouble.succeeded(kStart + MailMapTrouble::kCalm), "");
}

TEST(MailMapTroubleTest, ErrorsWithSomeMailboxesDoNotComeAndGo) {
  MailMapTrouble trouble;
  TimePoint now = kStart;
  EXPECT_NE(trouble.failed(now, "bad"), "");
  for (int i = 0; i < 10; ++i) {
    now += milliseconds(900);
    EXPECT_EQ(trouble.succeeded(now), "");
    EXPECT_EQ(trouble.failed(now, "bad"), "");
  }
  EXPECT_EQ(trouble.succeeded(now + milliseconds(999)), "");
  EXPECT_EQ(trouble.succeeded(now + milliseconds(1000)), kBack);
}

TEST(MailMapTroubleTest, AConnectionAloneDoesNotMendFailingLookUps) {
  MailMapTrouble trouble;
  EXPECT_NE(trouble.failed(kStart, "bad"), "");
  EXPECT_EQ(trouble.away("ended"), "");
  EXPECT_EQ(trouble.connected(), "");
  EXPECT_EQ(trouble.succeeded(kStart + std::chrono::seconds(5)), kBack);
}

TEST(MailMapTroubleTest, SuccessWithoutTroubleIsNoNews) {
  MailMapTrouble trouble;
  EXPECT_EQ(trouble.succeeded(kStart), "");
  EXPECT_NE(trouble.away("refused"), "");
  EXPECT_EQ(trouble.failed(kStart, "bad"), "the database fails look-ups: bad");
}

}  // namespace
}  // namespace scalemark::testbed
