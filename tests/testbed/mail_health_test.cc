#include "testbed/mail_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "testbed/mail_settle.h"

namespace scalemark::testbed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ReceivedBy, TheTopmostFieldSaysWhoTookTheMessageIn) {
  EXPECT_EQ(received_by("Return-Path: <a@b>\r\n"
                        "Received: from x1.bench.test (unknown [10.77.0.201])\r\n"
                        "\tby n2.bench.test (Postfix) with ESMTP id 1\r\n"
                        "\tfor <a@b>; Tue\r\n"
                        "Received: from c (unknown)\r\n"
                        "\tby x1.bench.test (Postfix)\r\n"
                        "\r\n"
                        "Received: by body\r\n"),
            "n2.bench.test");
}

TEST(ReceivedBy, ReadsOneLineAndBareLineEnds) {
  EXPECT_EQ(received_by("received: by n1.bench.test with LMTP\n\nbody\n"), "n1.bench.test");
  EXPECT_EQ(received_by("Received: from a by n3.bench.test"), "n3.bench.test");
}

TEST(ReceivedBy, WhatStandsInBracketsIsAComment) {
  EXPECT_EQ(received_by("Received: from a (helo by evil.test (by worse.test))\r\n by n1.bench.test;\r\n\r\n"),
            "n1.bench.test");
  EXPECT_EQ(received_by("Received: from a (by b)\r\n\r\n"), "");
}

TEST(ReceivedBy, ThereMayBeNone) {
  EXPECT_EQ(received_by(""), "");
  EXPECT_EQ(received_by("Subject: by the way\r\n\r\nReceived: by body\r\n"), "");
  EXPECT_EQ(received_by("Received: by"), "");
}

MailCheck check_at(const std::string& netns) {
  return {{netns, "127.0.0.1"}, {"user0001@bench.test", "secret0001", 1}, "n1.bench.test"};
}

TEST(MailCheckTest, ANamespaceThatIsNotThereIsNoTroubleOfTheMailServer) {
  EXPECT_THROW((void)check_mailbox(check_at("sm-no-such-one"), std::chrono::seconds(1)), RunError);
}

TEST(SettleMailboxes, SaysWhichMailboxAndHowManyOthers) {
  std::vector<MailCheck> checks(5, check_at("sm-no-such-one"));
  try {
    settle_mailboxes(checks, 3, std::chrono::seconds(1));
    FAIL() << "mailboxes without servers settled";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("user0001@bench.test, which is on n1.bench.test"),
                                    HasSubstr("no network namespace 'sm-no-such-one'"),
                                    HasSubstr("4 more mailboxes have trouble")));
  }
  EXPECT_NO_THROW(settle_mailboxes({}, 3, std::chrono::seconds(1)));
}

}  // namespace
}  // namespace scalemark::testbed
