#include "mail_bench/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/mail_bench/crowd_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using Kind = MemoryMail::Call::Kind;

std::uint64_t in_class(const Tally& tally, MessageClass what) {
  return tally.ledger.classes.at(static_cast<std::size_t>(what));
}

void expect_sound_books(const Tally& tally) {
  for (const Accounting* books : {&tally.window, &tally.run, &tally.smtp.window, &tally.smtp.run,
                                  &tally.pop3.window, &tally.pop3.run}) {
    EXPECT_TRUE(books->adds_up());
  }
  EXPECT_TRUE(tally.ledger.adds_up());
  EXPECT_EQ(tally.ledger.planned, tally.run.issued);
  EXPECT_EQ(tally.ledger.planned, tally.smtp.run.issued);
}

TEST(MailCrowd, AUserSendsThenCollectsAndNeverIdles) {
  CrowdRig rig;  // 10 ms to deliver, 10 ms to fetch
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().run.good(), 500U);  // 10 s of 20 ms each
  EXPECT_EQ(in_class(rig.tally(), MessageClass::verified), 500U);
  EXPECT_EQ(rig.tally().pop3.empty_polls, 0U);
  ASSERT_GE(rig.transport.calls.size(), 4U);
  EXPECT_EQ(rig.transport.calls[0].kind, Kind::send);
  EXPECT_EQ(rig.transport.calls[1].kind, Kind::hang_up);  // one message a connection
  EXPECT_EQ(rig.transport.calls[2].kind, Kind::collect);
  EXPECT_EQ(rig.transport.calls[3].kind, Kind::send);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, OnlyOperationsThatEndInsideTheWindowCountForIt) {
  CrowdRig rig;
  rig.plan.phases = {0s, 5s, 10s, 0s};
  rig.transport.smtp_time = 1s;
  rig.transport.pop3_time = 2s;  // operations end at 3, 6, 9, 12, 15, ... s
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().window.carried_in, 1U);
  EXPECT_EQ(rig.tally().window.good(), 3U);  // 6, 9, 12: at 15 s the window is closed
  EXPECT_EQ(rig.tally().window.unfinished, 1U);
  EXPECT_EQ(rig.tally().run.good(), 5U);
  EXPECT_EQ(rig.tally().window_length, 10s);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, AMessageThatIsSlowToAppearIsFetchedByALaterSession) {
  CrowdRig rig;
  rig.transport.hidden = 35ms;
  rig.begin();
  rig.run();
  EXPECT_GT(rig.tally().pop3.empty_polls, 0U);
  EXPECT_EQ(rig.tally().run.good(), rig.tally().run.issued);
  const Histogram& visible = rig.tally().steps.at(static_cast<std::size_t>(Step::visible));
  EXPECT_GE(visible.min(), 35'000U);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, WithItsShareUnderWayAUserOnlyPolls) {
  CrowdRig rig;
  rig.plan.most_under_way = 3;
  rig.transport.deliver = [](auto&) { return false; };
  rig.begin();
  rig.run_until(9s);
  EXPECT_EQ(rig.transport.count(Kind::send), 3U);
  // 50, 100, ... 800 ms, then one a second: a mailbox that stays empty is not hammered.
  EXPECT_LT(rig.transport.count(Kind::collect), 25U);
  EXPECT_GT(rig.transport.count(Kind::collect), 10U);
}

TEST(MailCrowd, WhatIsNotSeenByTheEndOfTheDrainIsLost) {
  CrowdRig rig;
  rig.plan.most_under_way = 2;
  rig.transport.deliver = [](auto&) { return false; };
  rig.begin();
  rig.run();
  EXPECT_EQ(in_class(rig.tally(), MessageClass::lost), 2U);
  EXPECT_EQ(rig.tally().window.unfinished, 2U);  // it was not known in the window yet
  EXPECT_EQ(rig.tally().run.failed(), 2U);
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(rig.clock.now(), TimePoint{} + 16s);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, TheDrainEndsAsSoonAsNothingIsUnderWay) {
  CrowdRig rig;
  rig.plan.drain = 60s;
  rig.transport.hidden = 2s;
  rig.begin();
  rig.run_until(14s);
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(in_class(rig.tally(), MessageClass::lost), 0U);
  EXPECT_EQ(rig.tally().run.good(), rig.tally().run.issued);
}

TEST(MailCrowd, ARefusedMessageTakesItsTimeAndIsNotSentAgain) {
  CrowdRig rig;
  rig.transport.change_sent = [](LocalUser, SmtpResult& result) {
    result.outcome = Outcome::bad_status;
    result.phase = SmtpPhase::rcpt;
    result.code = 452;
  };
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().run.issued, 40U);  // 10 s of one each 250 ms
  EXPECT_EQ(in_class(rig.tally(), MessageClass::refused_temporarily), 40U);
  EXPECT_EQ(rig.tally().smtp.replies.at("rcpt 452"), 40U);
  EXPECT_EQ(rig.transport.count(Kind::collect), 0U);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, ALockedMailboxIsTriedAgainAfterAPauseThatVaries) {
  CrowdRig rig;
  int refusals = 3;
  rig.transport.change_collected = [&](LocalUser, Pop3Result& result) {
    if (refusals > 0) {
      --refusals;
      result = {.outcome = Outcome::bad_status,
                .refusal = Pop3Refusal::locked,
                .phase = Pop3Phase::auth,
                .begun = result.begun,
                .ended = result.ended};
    }
  };
  rig.begin();
  rig.run_until(3s);
  EXPECT_EQ(rig.tally().pop3.locked, 3U);
  EXPECT_EQ(rig.tally().pop3.refusals.at("auth locked"), 3U);
  std::vector<TimePoint> sessions;
  for (const auto& call : rig.transport.calls) {
    if (call.kind == Kind::collect && sessions.size() < 4) {
      sessions.push_back(call.at);
    }
  }
  for (std::size_t i = 1; i < sessions.size(); ++i) {
    const Duration pause = sessions[i] - sessions[i - 1] - rig.transport.pop3_time;
    EXPECT_GE(pause, rig.plan.lock_pause / 2);
    EXPECT_LT(pause, rig.plan.lock_pause * 3 / 2);
  }
  EXPECT_NE(sessions[2] - sessions[1], sessions[3] - sessions[2]);
  rig.run();
  EXPECT_EQ(rig.tally().run.good(), rig.tally().run.issued);
}

TEST(MailCrowd, AUserThatMayNotLogInStopsAndTheOthersGoOn) {
  CrowdRig rig;
  rig.plan.users = 2;
  rig.transport.change_collected = [](LocalUser user, Pop3Result& result) {
    if (user == 0) {
      result.outcome = Outcome::bad_status;
      result.refusal = Pop3Refusal::login;
      result.committed = false;
    }
  };
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().users_refused, 1U);
  EXPECT_EQ(in_class(rig.tally(), MessageClass::login_refused), 1U);
  EXPECT_EQ(rig.tally().run.good(), 500U);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, SeveralMessagesShareAConnectionUntilOneFails) {
  CrowdRig rig;
  rig.plan.messages_per_connection = 4;
  int sent = 0;
  rig.transport.change_sent = [&](LocalUser, SmtpResult& result) {
    if (++sent == 2) {
      result.outcome = Outcome::closed_early;
    }
  };
  rig.begin();
  rig.run_until(600ms);
  const auto hang_up = std::find_if(rig.transport.calls.begin(), rig.transport.calls.end(),
                                    [](const auto& call) { return call.kind == Kind::hang_up; });
  ASSERT_NE(hang_up, rig.transport.calls.end());
  EXPECT_EQ(std::count_if(rig.transport.calls.begin(), hang_up,
                          [](const auto& call) { return call.kind == Kind::send; }),
            6);  // two before the fault, four on the new connection
}

TEST(MailCrowd, OpenArrivalsCountLatencyFromThePlannedStart) {
  CrowdRig rig;
  rig.plan.users = 4;
  rig.plan.phases = {0s, 0s, 1000s, 0s};
  rig.plan.arrivals_per_hour = 14'400;  // one a second for each user
  rig.transport.smtp_time = 900ms;      // with the session, longer than the mean gap at times
  rig.transport.pop3_time = 10ms;
  rig.begin();
  rig.run();
  const auto issued = static_cast<double>(rig.tally().run.issued);
  EXPECT_GT(issued, 3'400);  // a Poisson process of 4,000 expected, at 91 % use of its users
  EXPECT_LT(issued, 4'300);
  const Histogram& operation = rig.tally().steps.at(static_cast<std::size_t>(Step::operation));
  EXPECT_GE(operation.min(), 910'000U);
  EXPECT_GT(operation.mean(), 1'500'000);  // those that wait their turn wait long: M/D/1 at 91 %
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, ACapIsKeptAndNothingIsMadeUpFor) {
  CrowdRig rig;
  rig.plan.users = 2;
  rig.plan.most_per_hour = 7'200;  // one a second for each user
  rig.begin();
  rig.run();
  EXPECT_EQ(rig.tally().run.issued, 20U);
}

TEST(MailCrowd, ACutEndsEverythingSoonAndSaysWhatIsNotKnown) {
  CrowdRig rig;
  rig.plan.users = 3;
  rig.transport.answers = false;
  rig.begin();
  rig.run_until(2s);
  rig.crowd->cut(TimePoint{} + 2500ms);
  rig.run_until(5s);
  EXPECT_TRUE(rig.crowd->done());
  EXPECT_EQ(in_class(rig.tally(), MessageClass::unsettled), 3U);
  EXPECT_EQ(rig.tally().run.unfinished, 3U);
  EXPECT_EQ(rig.tally().smtp.run.unfinished, 3U);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, ADuplicateIsNotTwoOperations) {
  CrowdRig rig;
  rig.plan.users = 1;
  rig.transport.deliver = [&rig](MemoryMail::Stored& stored) {
    auto copy = stored;
    copy.uid += "again";
    rig.transport.mailboxes[0].push_back(copy);
    return true;
  };
  rig.begin();
  rig.run();
  EXPECT_EQ(in_class(rig.tally(), MessageClass::duplicate), rig.tally().run.issued);
  EXPECT_EQ(in_class(rig.tally(), MessageClass::verified), 0U);
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, ADuplicateThatComesAfterTheCommitTakesItsOperationBack) {
  CrowdRig rig;
  bool copied = false;
  rig.transport.deliver = [&](MemoryMail::Stored& stored) {
    if (!copied) {
      auto copy = stored;
      copy.uid += "again";
      copy.visible += 1s;  // long after the first was fetched and deleted
      rig.transport.mailboxes[0].push_back(copy);
      copied = true;
    }
    return true;
  };
  rig.begin();
  rig.run();
  EXPECT_EQ(in_class(rig.tally(), MessageClass::duplicate), 1U);
  EXPECT_EQ(rig.tally().run.good(), rig.tally().run.issued - 1);
  EXPECT_EQ(rig.tally().window.failed(), 1U);
  std::uint64_t good = 0;
  for (const SecondTally& second : rig.tally().seconds) {
    good += second.good;
  }
  EXPECT_EQ(good, rig.tally().run.good());
  expect_sound_books(rig.tally());
}

TEST(MailCrowd, IndependentPairingReadsAPrefilledMailboxMessageByMessage) {
  CrowdRig rig;
  rig.plan.pairing = Pairing::independent;
  rig.begin();
  for (int i = 0; i < 100; ++i) {
    rig.transport.mailboxes[0].push_back({std::to_string(i), "Subject: old\r\n\r\nolder\r\n", TimePoint{}});
  }
  rig.run_until(1s);
  EXPECT_EQ(rig.tally().pop3.run_retrieved, 50U);
  EXPECT_EQ(rig.tally().smtp.run.good(), 50U);
  EXPECT_EQ(rig.tally().ledger.foreign, 0U);  // a user's own sums are entered when it stops
}

TEST(MailCrowd, UsersStartEvenlyOverTheRampUp) {
  CrowdRig rig;
  rig.plan.users = 10;
  rig.plan.phases = {10s, 0s, 10s, 0s};
  rig.begin();
  rig.run_until(5s);
  EXPECT_EQ(rig.crowd->active(), 6U);  // those of 0, 1, ... 5 s
}

}  // namespace
}  // namespace scalemark::mail
