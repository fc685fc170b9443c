// One SMTP connection over time: reused, reset, given up by the server, ended by QUIT.
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

/// Waits until a script stands at the gate, without turning the loop.
void await(const Gate& gate) {
  pollfd arrival{gate.arrival_fd(), POLLIN, 0};
  ASSERT_EQ(poll(&arrival, 1, 10'000), 1);
}

/// A connection on which one message is accepted and everything after it is `rest`.
Script after_a_message(const Script& rest) {
  return smtp_opening().add(smtp_message()).add(rest);
}

TEST(SmtpIdle, AConnectionThatTheServerGaveUpIsReplacedWithoutAFailure) {
  for (const Script& end : {Script().send("421 idle for too long\r\n").close(), Script().close(),
                            Script().reset(), Script().send("421 idle for too long\r\n").stall()}) {
    Gate gate;
    ScriptedPeer peer({after_a_message(Script().wait(gate).add(end)), smtp_server()});
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
    gate.open();
    rig.run_until([&] { return rig.closes == 1; });
    EXPECT_FALSE(rig.session->connected());
    const SmtpResult second = rig.deliver();
    EXPECT_EQ(second.outcome, Outcome::good);
    EXPECT_TRUE(second.new_connection);
    EXPECT_EQ(lines_at(peer).back(), ".") << "nothing was said to the one that was going";
    EXPECT_EQ(rig.closes, 1U);
  }
}

TEST(SmtpIdle, WhatIsPendingIsSeenBeforeTheConnectionIsUsedAgain) {
  for (const Script& end : {Script().send("421 idle for too long\r\n"), Script().half_close()}) {
    Gate before;
    Gate after;
    Script first = smtp_opening().add(smtp_message()).wait(before).add(end).wait(after);
    ScriptedPeer peer({first, smtp_server()});
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
    before.open();
    await(after);
    const SmtpResult second = rig.deliver();
    EXPECT_EQ(second.outcome, Outcome::good);
    EXPECT_TRUE(second.new_connection);
    EXPECT_EQ(lines_at(peer).back(), ".");
    EXPECT_EQ(rig.closes, 0U) << "nobody was told";
    after.open();
  }
}

TEST(SmtpIdle, AFarewellTogetherWithTheLastReplyLeavesTheMessageDelivered) {
  ScriptedPeer peer({smtp_opening().add(smtp_message("250 queued\r\n421 and good-bye\r\n")), smtp_server()});
  SmtpRig rig(peer.endpoint());
  const SmtpResult first = rig.deliver();
  EXPECT_EQ(first.outcome, Outcome::good);
  EXPECT_EQ(first.code, 250);
  EXPECT_FALSE(rig.session->connected());
  EXPECT_TRUE(rig.deliver().new_connection);
}

TEST(SmtpIdle, AFarewellToTheNextCommandIsThatMessagesFailure) {
  ScriptedPeer peer({after_a_message(smtp_command("MAIL", "421 too many\r\n")), smtp_server()});
  SmtpRig rig(peer.endpoint());
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  const SmtpResult second = rig.deliver();
  EXPECT_EQ(second.outcome, Outcome::closed_early);
  EXPECT_EQ(second.code, 421);
  EXPECT_FALSE(second.new_connection);
  EXPECT_EQ(peer.connections().size(), 1U) << "no hidden retry";
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

struct Refusal {
  const char* command;
  SmtpPhase phase;
};
const std::vector<Refusal> refusals = {
    {"MAIL", SmtpPhase::mail}, {"RCPT", SmtpPhase::rcpt}, {"DATA", SmtpPhase::data}};

/// The envelope's commands are accepted up to `command`, which is refused.
Script refusing(const std::string& command) {
  Script script;
  for (const Refusal& one : refusals) {
    if (command == one.command) {
      return script.add(smtp_command(command, "452 4.2.2 full\r\n"));
    }
    script.add(smtp_command(one.command, "250 ok\r\n"));
  }
  return script;
}

TEST(SmtpReset, ComesBetweenARefusalAndTheNextMessage) {
  for (const Refusal& one : refusals) {
    ScriptedPeer peer(smtp_opening()
                          .add(refusing(one.command))
                          .add(smtp_command("RSET\r\n", "250 2.0.0 flushed\r\n"))
                          .repeat(2, smtp_message())
                          .add(smtp_quit()));
    SmtpRig rig(peer.endpoint());
    const SmtpResult first = rig.deliver();
    EXPECT_EQ(first.outcome, Outcome::bad_status);
    EXPECT_EQ(first.phase, one.phase);
    EXPECT_EQ(first.code, 452) << "the first error is the one reported";
    const SmtpResult second = rig.deliver();
    EXPECT_EQ(second.outcome, Outcome::good) << second.words;
    EXPECT_FALSE(second.new_connection);
    EXPECT_EQ(rig.deliver().outcome, Outcome::good) << "once is enough";
  }
}

TEST(SmtpReset, IsNotNeededAfterARefusedText) {
  ScriptedPeer peer(smtp_opening().add(smtp_message("554 no\r\n")).add(smtp_message()));
  SmtpRig rig(peer.endpoint());
  EXPECT_EQ(rig.deliver().code, 554);
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

TEST(SmtpReset, WhereItDoesNotWorkTheConnectionIsReplaced) {
  const std::vector<Script> answers = {
      smtp_command("RSET", "500 what?\r\n"), smtp_command("RSET", "421 bye\r\n"),
      smtp_command("RSET", "251 odd\r\n"),   smtp_command("RSET", "nonsense\r\n"),
      Script().expect("RSET\r\n").close(),   Script().expect("RSET\r\n").reset()};
  for (const Script& answer : answers) {
    ScriptedPeer peer({smtp_opening().add(refusing("RCPT")).add(answer), smtp_server()});
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver().code, 452);
    const SmtpResult second = rig.deliver();
    EXPECT_EQ(second.outcome, Outcome::good);
    EXPECT_TRUE(second.new_connection);
    EXPECT_EQ(peer.connections().size(), 2U);
  }
}

TEST(SmtpReset, SilenceIsATimeOut) {
  Gate gate;
  ScriptedPeer peer(smtp_opening().add(refusing("RCPT")).expect("RSET\r\n").wait(gate));
  SmtpRig rig(peer.endpoint());
  rig.deliver();
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.pass(60s);
  EXPECT_EQ(rig.finish().outcome, Outcome::read_timeout);
  EXPECT_EQ(peer.connections().size(), 1U);
}

TEST(SmtpQuit, EndsHoweverTheServerTakesIt) {
  const std::vector<Script> answers = {
      smtp_quit(), Script().expect("QUIT\r\n").close(), Script().expect("QUIT\r\n").reset(),
      Script().expect("QUIT\r\n").send("what?\r\n").close(), Script().close()};
  for (const Script& answer : answers) {
    ScriptedPeer peer(after_a_message(answer));
    SmtpRig rig(peer.endpoint());
    rig.on_end = [&] { rig.session->quit(); };
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
    rig.run_until([&] { return rig.closes == 1; });
    EXPECT_FALSE(rig.session->connected());
    rig.settle();
    EXPECT_EQ(rig.closes, 1U);
  }
}

TEST(SmtpQuit, WaitsTwoSecondsAtMost) {
  for (const std::string answer : {"", "221 bye\r\n"}) {
    Gate gate;
    ScriptedPeer peer(after_a_message(Script().expect("QUIT\r\n").send(answer).wait(gate)));
    SmtpRig rig(peer.endpoint());
    rig.deliver();
    rig.session->quit();
    rig.run_until([&] { return gate.arrivals() == 1; });
    rig.settle();
    rig.pass(1900ms);
    EXPECT_EQ(rig.closes, 0U);
    EXPECT_TRUE(rig.session->connected());
    rig.pass(100ms);
    EXPECT_EQ(rig.closes, 1U);
    EXPECT_FALSE(rig.session->connected());
    gate.open();
  }
}

TEST(SmtpQuit, TheNextMessageDoesNotWaitForIt) {
  Gate gate;
  ScriptedPeer peer({after_a_message(Script().expect("QUIT\r\n").wait(gate).close()), smtp_server()});
  SmtpRig rig(peer.endpoint());
  rig.deliver();
  rig.session->quit();
  const SmtpResult second = rig.deliver();
  EXPECT_EQ(second.outcome, Outcome::good);
  EXPECT_TRUE(second.new_connection);
  EXPECT_EQ(rig.closes, 0U);
  gate.open();
  rig.run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; });
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::closed) << "but lets the server close first";
}

TEST(SmtpQuit, WithoutAConnectionNothingHappens) {
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  rig.session->quit();
  rig.settle();
  EXPECT_EQ(rig.closes, 0U);
  EXPECT_TRUE(peer.connections().empty());
}

TEST(SmtpAbandon, ClosesAtOnceAndReportsNothing) {
  Gate gate;
  ScriptedPeer peer({smtp_opening().expect("MAIL").wait(gate), smtp_server()});
  SmtpRig rig(peer.endpoint());
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.session->abandon();
  EXPECT_FALSE(rig.session->busy());
  EXPECT_FALSE(rig.session->connected());
  gate.open();
  rig.run_until([&] { return peer.connections()[0].end == ConnectionEnd::closed_by_client; });
  rig.pass(100s);
  EXPECT_TRUE(rig.results.empty());
  EXPECT_EQ(rig.closes, 0U);
  rig.session->send({kSender, kRecipient, kLetter}, {});
  rig.run_until([&] { return !rig.results.empty(); });
  EXPECT_EQ(rig.results[0].outcome, Outcome::good);
}

}  // namespace
}  // namespace scalemark::mail
