#include "mail_bench/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/mail_bench/books.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(MailJudge, AGoodRunPassesWithoutReasons) {
  const Verdict verdict = Books().verdict();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_THAT(verdict.reasons, IsEmpty());
}

TEST(MailJudge, BooksThatDoNotAddUpVoidTheRun) {
  using Spoil = void (*)(Books&);
  for (const auto& [words, spoil] : std::vector<std::pair<const char*, Spoil>>{
           {"the operations do not add up", [](Books& run) { ++run.tally.window.issued; }},
           {"the deliveries do not add up", [](Books& run) { ++run.tally.smtp.window.issued; }},
           {"the deliveries do not add up", [](Books& run) { ++run.tally.smtp.run.unfinished; }},
           {"the POP3 sessions do not add up", [](Books& run) { ++run.tally.pop3.run.issued; }},
           {"the classes of the ledger do not add up", [](Books& run) { ++run.tally.ledger.planned; }},
           {"ledger and accounting do not agree",
            [](Books& run) {
              ++run.tally.ledger.planned;
              ++run.class_count(MessageClass::refused);
            }},
           {"ledger and accounting do not agree", [](Books& run) {
              --run.class_count(MessageClass::verified);
              ++run.class_count(MessageClass::refused);
            }}}) {
    Books run;
    spoil(run);
    EXPECT_EQ(run.verdict().status, Status::void_run) << words;
    EXPECT_THAT(run.verdict().reasons, Contains(HasSubstr(words)));
    EXPECT_THAT(run.verdict().reasons, Contains(HasSubstr("a fault of scalemark")));
  }
}

TEST(MailJudge, AFaultOfThisMachineVoidsTheRunHoweverRare) {
  Books run;
  run.plan.most_errors = 0.5;
  run.spoil(MessageClass::local, 1);
  run.tally.smtp.run.ended[index_of(Outcome::good)] -= 1;
  run.tally.smtp.run.ended[index_of(Outcome::local)] += 1;
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons,
              ElementsAre(HasSubstr("1 delivery or POP3 session failed for lack of descriptors")));
}

TEST(MailJudge, AGeneratorThatCouldNotKeepUpIsNoServersFault) {
  Books busy;
  busy.tally.threads[0].window_cpu_share = 0.97;
  EXPECT_EQ(busy.verdict().status, Status::generator_limited);
  Books late;
  late.tally.lag_sum = 2s;  // of 100 s that ten users had
  EXPECT_EQ(late.verdict().status, Status::generator_limited);
}

TEST(MailJudge, AsManyOperationsMayFailAsThePlanAllows) {
  Books run;
  run.spoil(MessageClass::refused, 1);
  EXPECT_EQ(run.verdict().status, Status::pass);
  run.spoil(MessageClass::refused, 1);
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons,
              ElementsAre("2.0 % of the operations that ended in the window failed (at most 1% may)"));
  run.plan.most_errors = 0.02;
  EXPECT_EQ(run.verdict().status, Status::pass);
}

// A dead POP3 server: what it holds is given up when the drain ends, long after the window.
TEST(MailJudge, MessagesThatFailAfterTheWindowCountAsWell) {
  Books run;
  run.spoil(MessageClass::mailbox_failed, 3, false);
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons,
              ElementsAre("3.0 % of all messages failed (at most 1% may): 3 mailbox_failed"));
  run.plan.most_errors = 0.03;
  EXPECT_EQ(run.verdict().status, Status::pass);
}

TEST(MailJudge, UsersThatMayNotLogInAreAMatterOfConfiguration) {
  Books run;
  run.tally.users_refused = 3;
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons, ElementsAre(HasSubstr("3 of 10 users may not log in at POP3")));
}

TEST(MailJudge, ARunWithoutASuccessSaysNothing) {
  Books failed;
  failed.spoil(MessageClass::timed_out, Books::kMessages);
  EXPECT_EQ(failed.verdict().status, Status::void_run);
  EXPECT_THAT(failed.verdict().reasons, Contains("no operation succeeded in the window"));
  Books hung;
  hung.spoil(MessageClass::unknown, Books::kMessages, false);
  EXPECT_EQ(hung.verdict().status, Status::void_run);
  EXPECT_THAT(hung.verdict().reasons, ElementsAre(HasSubstr("no operation ended in the window")));
  Books idle;
  idle.empty();
  EXPECT_EQ(idle.verdict().status, Status::void_run) << "users without a pause are never idle";
}

TEST(MailJudge, WhereMessagesAreDueSeldomAnIdleWindowIsFine) {
  Books run;
  run.empty();
  run.plan.arrivals_per_hour = 10;
  EXPECT_EQ(run.verdict().status, Status::pass);
  EXPECT_EQ(run.figures().operations_per_hour, 0);
  run.plan.arrivals_per_hour = 0;
  run.plan.most_per_hour = 10;
  EXPECT_EQ(run.verdict().status, Status::pass);
}

TEST(MailJudge, AMessageThatWasMistreatedFailsTheRun) {
  for (const auto& [what, words] : std::vector<std::pair<MessageClass, const char*>>{
           {MessageClass::lost, "1 message got lost: accepted, but not seen by the end of the drain"},
           {MessageClass::corrupt, "1 message came back with other contents"},
           {MessageClass::truncated, "1 message came back without the end"},
           {MessageClass::duplicate, "1 message came back more than once"},
           {MessageClass::uncommitted, "1 message came back, but no +OK to QUIT confirmed the deletion"},
           {MessageClass::wrong_mailbox, "1 message arrived in another mailbox than the one addressed"},
           {MessageClass::wrong_node, "1 message arrived on another node than the accounts say"}}) {
    Books run;
    run.spoil(what, 1, false);
    EXPECT_EQ(run.verdict().status, Status::fail) << words;
    EXPECT_THAT(run.verdict().reasons, ElementsAre(words));
  }
}

TEST(MailJudge, WhatIsToleratedFailsNoRun) {
  Books run;
  run.spoil(MessageClass::uncommitted, 3, false);
  run.plan.tolerate = {"lost", "uncommitted"};
  EXPECT_EQ(run.verdict().status, Status::pass);
  run.spoil(MessageClass::corrupt, 1, false);
  EXPECT_THAT(run.verdict().reasons, ElementsAre("1 message came back with other contents"));
}

TEST(MailJudge, WhatTheServerRefusedOrClosedIsNoMistreatment) {
  for (const MessageClass what :
       {MessageClass::refused_temporarily, MessageClass::refused, MessageClass::closed,
        MessageClass::not_connected, MessageClass::timed_out, MessageClass::unknown, MessageClass::reply_lost,
        MessageClass::mailbox_locked, MessageClass::mailbox_failed}) {
    Books run;
    run.spoil(what, 1);
    EXPECT_EQ(run.verdict().status, Status::pass) << name_of(what);
  }
}

TEST(MailJudge, LateMessagesAndLeftoversAreCountedAndNotJudged) {
  Books run;
  run.tally.ledger.late = 5;
  run.tally.ledger.leftovers = 7;
  run.tally.ledger.foreign = 1;
  run.tally.ledger.fetched_again = 2;
  EXPECT_EQ(run.verdict().status, Status::pass);
  run.plan.require = {"late==0"};
  EXPECT_EQ(run.verdict().status, Status::fail);
}

TEST(MailJudge, AnUnsoundLoadOutranksALoss) {
  Books run;
  run.spoil(MessageClass::refused, 10);
  run.spoil(MessageClass::lost, 1, false);
  EXPECT_EQ(run.verdict().status, Status::void_run);
  EXPECT_THAT(run.verdict().reasons, SizeIs(2));
}

TEST(MailJudge, CountedApartDeliveriesAndRetrievalsAreJudgedApart) {
  Books run;
  run.plan.pairing = Pairing::independent;
  run.spoil(MessageClass::lost, 90, false);  // behind what the mailboxes were filled with
  EXPECT_EQ(run.verdict().status, Status::pass);
  Books locked = run;
  locked.tally.pop3.window.ended[index_of(Outcome::good)] -= 5;
  locked.tally.pop3.window.ended[index_of(Outcome::bad_status)] += 5;
  EXPECT_EQ(locked.verdict().status, Status::void_run);
  EXPECT_THAT(locked.verdict().reasons, ElementsAre(HasSubstr("5.0 % of the POP3 sessions")));
  Books nothing = run;
  nothing.tally.pop3.window_retrieved = 0;
  EXPECT_THAT(nothing.verdict().reasons, ElementsAre(HasSubstr("no retrieval ended in the window")));
  Books corrupt = run;
  corrupt.spoil(MessageClass::corrupt, 1);
  EXPECT_EQ(corrupt.verdict().status, Status::fail);
}

TEST(MailJudge, RequirementsComeLast) {
  Books run;
  run.plan.require = {"operations_per_hour>=36000", "errors==0"};
  EXPECT_EQ(run.verdict().status, Status::pass);
  run.plan.require = {"operations_per_hour>36000"};
  EXPECT_EQ(run.verdict().status, Status::fail);
  EXPECT_THAT(run.verdict().reasons, ElementsAre(HasSubstr("operations_per_hour is 36000")));
  run.spoil(MessageClass::lost, 1, false);
  EXPECT_THAT(run.verdict().reasons, ElementsAre(HasSubstr("got lost"), HasSubstr("operations_per_hour")));
}

TEST(MailJudge, TheScoreIsTheMedianIterations) {
  std::vector<IterationFigures> iterations;
  for (const double rate : {30'000.0, 10'000.0, 20'000.0}) {
    IterationFigures figures = Books().figures(static_cast<std::uint32_t>(iterations.size() + 1));
    figures.operations_per_hour = rate;
    iterations.push_back(figures);
  }
  EXPECT_EQ(score_of(iterations).value, 20'000);
  EXPECT_EQ(score_of(iterations).iteration, 3U);
  EXPECT_EQ(score_of(iterations).unit, "operations per hour");
  EXPECT_TRUE(std::isnan(score_of({}).value));
  EXPECT_FALSE(score_of({}).iteration);
}

TEST(MailJudge, AnyIterationCanSpeakAgainstTheRun) {
  Books bad;
  bad.spoil(MessageClass::duplicate, 2, false);
  const Verdict verdict = judge_run({Books().figures(1), bad.figures(2)}, Books().plan, false);
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_THAT(verdict.reasons, ElementsAre("iteration 2: 2 messages came back more than once"));
}

TEST(MailJudge, AnInterruptedRunSaysSoFirstAndIsNotBlamedForItsEmptyWindow) {
  Books run;
  run.empty();
  run.tally.window_length = Duration::max();  // no worker saw it open
  const IterationFigures figures = run.figures();
  EXPECT_TRUE(figures.partial);
  const Verdict verdict = judge_run({figures}, run.plan, true);
  EXPECT_EQ(verdict.status, Status::interrupted);
  EXPECT_THAT(verdict.reasons, ElementsAre(HasSubstr("ended by the user")));
  EXPECT_THAT(figures.findings.odd, IsEmpty());
}

}  // namespace
}  // namespace scalemark::mail
