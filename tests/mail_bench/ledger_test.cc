#include "mail_bench/ledger.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/mail_bench/ledger_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;

TEST(Ledger, AMessageThatIsFetchedWholeAndCommittedIsVerified) {
  LedgerRig rig;
  rig.send(1, 0);
  EXPECT_EQ(rig.ledger.under_way(), 1U);
  const Ledger::Sight sight = rig.fetch({.number = 1}, 3);
  EXPECT_TRUE(sight.first);
  EXPECT_TRUE(sight.erase);
  EXPECT_TRUE(sight.has_hidden);
  EXPECT_EQ(sight.hidden, 2s);  // 250 at 1, seen at 3
  EXPECT_EQ(rig.ledger.under_way(), 1U) << "nothing is committed yet";
  const auto settled = rig.ledger.session_ended(good_quit(1, second(5)));
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].number, 1U);
  EXPECT_EQ(settled[0].what, MessageClass::verified);
  EXPECT_EQ(settled[0].begun, second(0));
  EXPECT_EQ(settled[0].at, second(5));
  EXPECT_FALSE(settled[0].corrects);
  EXPECT_EQ(rig.ledger.under_way(), 0U);
  EXPECT_TRUE(rig.ledger.close(second(9), false).empty());
  EXPECT_EQ(count(rig.sums(), MessageClass::verified), 1U);
  EXPECT_TRUE(rig.sums().adds_up());
}

TEST(Ledger, AMessageBeingSentIsNotUnderWay) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  EXPECT_EQ(rig.ledger.under_way(), 0U);
  EXPECT_EQ(rig.sums().planned, 1U);
}

TEST(Ledger, AFailureOfSmtpSettlesAtOnce) {
  struct Case {
    Outcome outcome;
    int code;
    MessageClass what;
  };
  for (const Case& c : std::vector<Case>{{Outcome::bad_status, 451, MessageClass::refused_temporarily},
                                         {Outcome::bad_status, 499, MessageClass::refused_temporarily},
                                         {Outcome::bad_status, 550, MessageClass::refused},
                                         {Outcome::bad_status, 599, MessageClass::refused},
                                         {Outcome::bad_status, 421, MessageClass::closed},
                                         {Outcome::bad_status, 521, MessageClass::closed},
                                         {Outcome::bad_status, 250, MessageClass::protocol_error},
                                         {Outcome::bad_status, 0, MessageClass::protocol_error},
                                         {Outcome::closed_early, 0, MessageClass::closed},
                                         {Outcome::reset, 0, MessageClass::closed},
                                         {Outcome::connect_refused, 0, MessageClass::not_connected},
                                         {Outcome::connect_timeout, 0, MessageClass::not_connected},
                                         {Outcome::connect_reset, 0, MessageClass::not_connected},
                                         {Outcome::tls_failed, 0, MessageClass::not_connected},
                                         {Outcome::read_timeout, 0, MessageClass::timed_out},
                                         {Outcome::malformed, 0, MessageClass::protocol_error},
                                         {Outcome::local, 0, MessageClass::local}}) {
    LedgerRig rig;
    rig.ledger.plan(1, second(0));
    const auto settled = rig.ledger.sent(1, failed(c.outcome, c.code, second(4)));
    ASSERT_EQ(settled.size(), 1U);
    EXPECT_EQ(settled[0].what, c.what) << name_of(c.outcome) << " " << c.code;
    EXPECT_EQ(settled[0].at, second(4));
    EXPECT_EQ(rig.ledger.under_way(), 0U);
    EXPECT_EQ(rig.only_class(), c.what);
    EXPECT_TRUE(rig.sums().unseen.empty()) << "nothing was to be seen";
  }
}

TEST(Ledger, WithoutAReplyToTheFinalDotItIsUnderWayAndThenUnknown) {
  for (const Outcome outcome : {Outcome::read_timeout, Outcome::closed_early, Outcome::reset}) {
    LedgerRig rig;
    rig.ledger.plan(1, second(0));
    EXPECT_TRUE(rig.ledger.sent(1, unanswered(second(60), outcome)).empty());
    EXPECT_EQ(rig.ledger.under_way(), 1U);
    rig.session({}, 61);
    EXPECT_EQ(rig.only_class(), MessageClass::unknown);
  }
}

TEST(Ledger, AnUnknownMessageThatArrivesHadItsReplyLost) {
  LedgerRig rig;
  rig.send_unanswered(1);
  const Ledger::Sight sight = rig.fetch({.number = 1});
  EXPECT_TRUE(sight.first);
  EXPECT_FALSE(sight.has_hidden) << "there is no reply to count from";
  const auto settled = rig.ledger.session_ended(good_quit(1, second(3)));
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].what, MessageClass::reply_lost);
  EXPECT_EQ(rig.only_class(), MessageClass::reply_lost);
  EXPECT_TRUE(rig.sums().by_node.empty());
}

TEST(Ledger, AnUnknownMessageThatArrivesWithoutACommitHadItsReplyLostToo) {
  LedgerRig rig;
  rig.send_unanswered(1);
  rig.broken_session({{.number = 1}});
  EXPECT_EQ(rig.only_class(), MessageClass::reply_lost);
}

TEST(Ledger, AMessageThatIsFetchedBeforeItsReplyIsVerifiedWhenThatComes) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  EXPECT_FALSE(rig.fetch({.number = 1}).has_hidden);
  EXPECT_TRUE(rig.ledger.session_ended(good_quit(1, second(3))).empty());
  const auto settled = rig.ledger.sent(1, accepted(second(4)));
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].what, MessageClass::verified);
  EXPECT_EQ(settled[0].at, second(4));
  EXPECT_EQ(rig.only_class(), MessageClass::verified);
}

TEST(Ledger, AMessageSeenAfterTheLimitIsLateWhateverItEndsAs) {
  LedgerRig rig;
  rig.send(1);
  rig.session({{.number = 1}}, 61);
  EXPECT_EQ(rig.sums().late, 0U) << "just within: 250 at 1";
  rig.send(2);
  rig.session({{.number = 2}}, 62);
  EXPECT_EQ(rig.sums().late, 1U);
  rig.send(3);
  rig.broken_session({{.number = 3, .corrupt = true}}, 90);
  rig.session({{.number = 3, .corrupt = true}}, 95);
  EXPECT_EQ(rig.sums().late, 2U) << "the first sight counts";
  rig.send_unanswered(4);
  rig.session({{.number = 4}}, 90);
  EXPECT_EQ(rig.sums().late, 3U);
}

TEST(Ledger, AListThatIsOlderThanTheReplyHidesNothing) {
  LedgerRig rig;
  rig.send(1, 4);
  EXPECT_EQ(rig.fetch({.number = 1}, 4).hidden, 0s);
}

TEST(Ledger, WhatIsNotSeenGoesByTheLastSession) {
  struct Case {
    Pop3Result last;
    MessageClass what;
  };
  const TimePoint at = second(50);
  for (const Case& c : std::vector<Case>{
           {good_quit(0, at), MessageClass::lost},
           {broken(Outcome::bad_status, at, Pop3Refusal::locked), MessageClass::mailbox_locked},
           {broken(Outcome::bad_status, at, Pop3Refusal::temporary), MessageClass::mailbox_failed},
           {broken(Outcome::bad_status, at, Pop3Refusal::login), MessageClass::login_refused},
           {broken(Outcome::read_timeout, at), MessageClass::mailbox_failed},
           {broken(Outcome::malformed, at), MessageClass::mailbox_failed},
           {broken(Outcome::connect_refused, at), MessageClass::mailbox_failed},
           {broken(Outcome::local, at), MessageClass::local}}) {
    LedgerRig rig;
    rig.send(1);
    rig.ledger.session_ended(broken(Outcome::bad_status, second(40), Pop3Refusal::locked));
    rig.ledger.session_ended(c.last);
    const auto settled = rig.ledger.close(second(60), false);
    ASSERT_EQ(settled.size(), 1U);
    EXPECT_EQ(settled[0].what, c.what);
    EXPECT_EQ(settled[0].at, second(60));
    EXPECT_TRUE(rig.sums().adds_up());
    LedgerRig other;
    other.send_unanswered(1);
    other.ledger.session_ended(c.last);
    EXPECT_EQ(other.only_class(), MessageClass::unknown) << "nobody knows that it was accepted";
  }
}

TEST(Ledger, WithoutAnySessionAnAcceptedMessageIsLost) {
  LedgerRig rig;
  rig.send(1);
  EXPECT_EQ(rig.only_class(), MessageClass::lost);
}

TEST(Ledger, AUserThatMayNotLogInWaitsForNothing) {
  LedgerRig rig;
  rig.send(1);
  rig.send_unanswered(2);
  rig.send(3);
  rig.broken_session({{.number = 3}});
  rig.ledger.plan(4, second(5));
  const auto settled = rig.ledger.give_up(second(9));
  ASSERT_EQ(settled.size(), 3U);
  EXPECT_EQ(settled[0].what, MessageClass::login_refused);
  EXPECT_EQ(settled[1].what, MessageClass::unknown);
  EXPECT_EQ(settled[2].what, MessageClass::uncommitted);
  EXPECT_EQ(rig.ledger.under_way(), 0U);
  EXPECT_TRUE(rig.ledger.sent(4, accepted(second(10))).empty());
  const auto last = rig.ledger.close(second(11), false);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].what, MessageClass::login_refused);
  EXPECT_TRUE(rig.sums().adds_up());
}

TEST(Ledger, ARunThatIsCutOffLeavesMessagesUnsettled) {
  LedgerRig rig;
  rig.send(1);
  rig.send_unanswered(2);
  rig.send(3);
  rig.send(4);
  rig.ledger.plan(5, second(5));
  rig.broken_session({{.number = 3}, {.number = 4, .corrupt = true}});
  rig.ledger.close(second(9), true);
  EXPECT_EQ(count(rig.sums(), MessageClass::unsettled), 4U);
  EXPECT_EQ(count(rig.sums(), MessageClass::corrupt), 1U) << "that much was known";
  EXPECT_TRUE(rig.sums().unseen.empty()) << "they are unfinished, wherever they turn up";
  EXPECT_TRUE(rig.sums().adds_up());
}

TEST(Ledger, AMessageStillBeingSentAtTheEndIsUnsettled) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  EXPECT_EQ(rig.only_class(), MessageClass::unsettled);
}

TEST(Ledger, BadMessagesAreKnownAsSuchWhenTheSessionIsCommitted) {
  const std::vector<std::pair<Letter, MessageClass>> cases = {
      {{.number = 1, .corrupt = true}, MessageClass::corrupt},
      {{.number = 1, .truncated = true}, MessageClass::truncated},
      {{.number = 1, .recipient = "user2@example.test"}, MessageClass::wrong_mailbox},
      {{.number = 1, .by = "node2"}, MessageClass::wrong_node},
      {{.number = 1, .by = "node2", .corrupt = true}, MessageClass::corrupt}};
  for (const auto& [letter, what] : cases) {
    for (const bool answered : {true, false}) {
      LedgerRig rig("node1");
      answered ? rig.send(1) : rig.send_unanswered(1);
      const auto settled = rig.session({letter});
      ASSERT_EQ(settled.size(), 1U);
      EXPECT_EQ(settled[0].what, what) << name_of(what);
      EXPECT_EQ(rig.only_class(), what);
      EXPECT_TRUE(rig.sums().by_node.empty());
    }
    LedgerRig rig("node1");
    rig.send(1);
    EXPECT_TRUE(rig.broken_session({letter}).empty());
    EXPECT_EQ(rig.only_class(), what) << "uncommitted, but known";
  }
}

TEST(Ledger, TheTraceMustNameTheNodeOfTheAccountsFile) {
  struct Case {
    const char* account;
    const char* by;
    MessageClass what;
  };
  for (const Case& c : std::vector<Case>{{"node1", "node1", MessageClass::verified},
                                         {"node1", "NODE1", MessageClass::verified},
                                         {"node1", "node1.example.test.", MessageClass::verified},
                                         {"node1.example.test", "node1", MessageClass::verified},
                                         {"node1", "", MessageClass::verified},
                                         {"", "node2", MessageClass::verified},
                                         {"node1", "node11", MessageClass::wrong_node},
                                         {"node1", "node2", MessageClass::wrong_node},
                                         {"node1", "[192.0.2.7]", MessageClass::wrong_node},
                                         {"node1.a.test", "node1.b.test", MessageClass::wrong_node}}) {
    LedgerRig rig(c.account);
    rig.send(1);
    rig.session({{.number = 1, .by = c.by}});
    EXPECT_EQ(rig.only_class(), c.what) << c.account << " " << c.by;
  }
}

TEST(Ledger, VerifiedMessagesAreCountedByTheNodeOfTheirTrace) {
  LedgerRig rig;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    rig.send(number);
  }
  rig.session({{.number = 1, .by = "node1"},
               {.number = 2, .by = "node2"},
               {.number = 3, .by = "node2"},
               {.number = 4}});
  EXPECT_EQ(rig.sums().by_node, (std::map<std::string, std::uint64_t>{{"", 1}, {"node1", 1}, {"node2", 2}}));
}

TEST(Ledger, WithoutAGoodQuitNothingIsSettledAndItMayComeAgain) {
  LedgerRig rig;
  rig.send(1);
  EXPECT_TRUE(rig.broken_session({{.number = 1, .uid = "a"}}).empty());
  EXPECT_EQ(rig.ledger.under_way(), 1U);
  const Ledger::Sight again = rig.fetch({.number = 1, .uid = "a"}, 4);
  EXPECT_TRUE(again.erase);
  EXPECT_FALSE(again.first);
  EXPECT_FALSE(again.has_hidden);
  EXPECT_EQ(rig.ledger.session_ended(good_quit(1, second(5))).size(), 1U);
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::verified);
}

TEST(Ledger, WhatNoQuitCommitsStaysUncommitted) {
  LedgerRig rig;
  rig.send(1);
  rig.broken_session({{.number = 1}}, 2);
  rig.broken_session({{.number = 1}}, 4);
  rig.session({}, 6);
  EXPECT_EQ(rig.sums().fetched_again, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::uncommitted);
}

TEST(Ledger, DeletionsThatWereNotAnsweredAreNotCommitted) {
  LedgerRig rig;
  rig.send(1);
  rig.send(2);
  rig.fetch({.number = 1, .uid = "a"});
  rig.fetch({.number = 2, .uid = "b"});
  Pop3Result result = good_quit(1, second(3));  // DELE 2 was turned down
  result.outcome = Outcome::bad_status;
  result.refusal = Pop3Refusal::temporary;
  const auto settled = rig.ledger.session_ended(result);
  ASSERT_EQ(settled.size(), 1U);
  EXPECT_EQ(settled[0].number, 1U);
  EXPECT_EQ(rig.ledger.under_way(), 1U);
  EXPECT_EQ(rig.session({{.number = 2, .uid = "b"}}, 5).size(), 1U);
  EXPECT_EQ(count(rig.sums(), MessageClass::verified), 2U);
}

TEST(Ledger, OtherMailIsCountedAndErasedAndNoMessageOfTheRun) {
  LedgerRig rig;
  const Ledger::Sight leftover = rig.fetch({.number = 1, .run = 6});
  EXPECT_TRUE(leftover.erase);
  EXPECT_FALSE(leftover.first);
  const Ledger::Sight foreign = rig.ledger.fetched({.uid = "x", .text = "From: a@b\r\n\r\nHello\r\n"});
  EXPECT_TRUE(foreign.erase);
  EXPECT_FALSE(foreign.first);
  EXPECT_TRUE(rig.ledger.session_ended(good_quit(2, second(3))).empty());
  EXPECT_EQ(rig.sums().leftovers, 1U);
  EXPECT_EQ(rig.sums().foreign, 1U);
  EXPECT_EQ(rig.sums().planned, 0U);
  EXPECT_TRUE(rig.sums().adds_up());
}

TEST(Ledger, WhatWasRefusedAndComesAllTheSameIsSurplus) {
  LedgerRig rig;
  rig.ledger.plan(1, second(0));
  rig.ledger.sent(1, failed(Outcome::bad_status, 451, second(1)));
  const Ledger::Sight sight = rig.fetch({.number = 1});
  EXPECT_TRUE(sight.erase);
  EXPECT_FALSE(sight.first);
  EXPECT_TRUE(rig.ledger.session_ended(good_quit(1, second(3))).empty());
  EXPECT_EQ(rig.sums().surplus, 1U);
  EXPECT_EQ(rig.only_class(), MessageClass::refused_temporarily);
}

}  // namespace
}  // namespace scalemark::mail
