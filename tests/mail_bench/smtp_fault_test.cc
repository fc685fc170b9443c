// What a server, a network or this machine can do wrong in each phase of an SMTP dialogue: every attempt ends
// once, with the outcome that says what it was.
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"
#include "tests/support/sockets.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

const std::vector<SmtpPhase> phases = {SmtpPhase::greeting, SmtpPhase::hello, SmtpPhase::mail,
                                       SmtpPhase::rcpt,     SmtpPhase::data,  SmtpPhase::dot};

std::string phase_name(SmtpPhase phase) {
  static const std::vector<std::string> names = {"connect", "tls",  "greeting", "hello", "auth",
                                                 "mail",    "rcpt", "data",     "dot"};
  return names.at(static_cast<std::size_t>(phase));
}

/// All is well up to the reply that belongs to `phase`, which is not sent.
Script up_to(SmtpPhase phase) {
  Script script;
  const std::vector<std::tuple<SmtpPhase, std::string, std::string>> steps = {
      {SmtpPhase::greeting, "", "220 ready\r\n"},  {SmtpPhase::hello, "EHLO ", "250 mail.test\r\n"},
      {SmtpPhase::mail, "MAIL ", "250 ok\r\n"},    {SmtpPhase::rcpt, "RCPT ", "250 ok\r\n"},
      {SmtpPhase::data, "DATA\r\n", "354 go\r\n"}, {SmtpPhase::dot, "", ""},
  };
  for (const auto& [reached, command, reply] : steps) {
    if (reached == SmtpPhase::dot) {
      script.expect("\r\n.\r\n");
    } else if (reached != SmtpPhase::greeting) {
      script.expect("\r\n");
    }
    if (reached == phase) {
      break;
    }
    script.send(reply);
  }
  return script;
}

class SmtpFault : public testing::TestWithParam<SmtpPhase> {
 protected:
  /// Delivers to a server that goes on with `rest` at the phase.
  SmtpResult meet(const Script& rest) {
    peer_ = std::make_unique<ScriptedPeer>(up_to(GetParam()).add(rest));
    rig_ = std::make_unique<SmtpRig>(peer_->endpoint());
    return rig_->deliver();
  }
  bool closed_by_client() {
    return rig_->run_until([&] { return peer_->connections()[0].end == ConnectionEnd::closed_by_client; });
  }
  [[nodiscard]] bool after_the_dot() const { return GetParam() == SmtpPhase::dot; }

  std::unique_ptr<ScriptedPeer> peer_;
  std::unique_ptr<SmtpRig> rig_;
};

TEST_P(SmtpFault, FarewellEndsTheConnectionAndNothingWasDelivered) {
  for (const int code : {421, 521}) {
    const SmtpResult result = meet(Script().send(smtp_reply(code, {"4.3.2 shutting", "down"})).close());
    EXPECT_EQ(result.outcome, Outcome::closed_early);
    EXPECT_EQ(result.phase, GetParam());
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.words, "4.3.2 shutting down");
    EXPECT_FALSE(result.unknown);
    EXPECT_FALSE(rig_->session->connected());
    rig_->run_until([&] { return peer_->connections()[0].end == ConnectionEnd::closed; });
    EXPECT_EQ(rig_->closes, 0U);
  }
}

TEST_P(SmtpFault, RefusalsGoByTheirFirstDigitAndAreNotTriedAgain) {
  for (const int code : {450, 499, 550, 599}) {
    if (GetParam() == SmtpPhase::hello && code >= 500) {
      continue;  // HELO is tried
    }
    const SmtpResult result = meet(Script().send(smtp_reply(code, {"5.1.1 no"})));
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, GetParam());
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.words, "5.1.1 no");
    EXPECT_FALSE(result.unknown);
    rig_->settle();
    EXPECT_EQ(peer_->connections().size(), 1U);
    EXPECT_EQ(peer_->connections()[0].received.size(), result.sent_bytes) << "nothing more was said";
  }
}

TEST_P(SmtpFault, OnlyTheOpeningsRefusalCostsTheConnection) {
  meet(Script().send("451 no\r\n"));
  EXPECT_EQ(rig_->session->connected(), GetParam() != SmtpPhase::greeting && GetParam() != SmtpPhase::hello);
}

TEST_P(SmtpFault, ARefusalsWordsAreFitForARecord) {
  const SmtpResult result =
      meet(Script().send("450-bad \x01\x7F\xFF\tbytes\r\n450 " + std::string(500, 'x') + "\r\n"));
  EXPECT_EQ(result.words.substr(0, 17), "bad ??? bytes xxx");
  EXPECT_EQ(result.words.size(), 200U);
}

TEST_P(SmtpFault, WhatIsNoReplyIsMalformed) {
  for (const std::string bytes :
       {"what?\r\n", "250 lone line feed\n250 x\r\n", "250-a\r\n251 b\r\n", "2500\r\n", "650 x\r\n"}) {
    const SmtpResult result = meet(Script().send(bytes));
    EXPECT_EQ(result.outcome, Outcome::malformed) << bytes;
    EXPECT_EQ(result.phase, GetParam());
    EXPECT_EQ(result.unknown, after_the_dot());
    EXPECT_TRUE(closed_by_client());
  }
}

TEST_P(SmtpFault, ARightReplyAtTheWrongPlaceIsMalformed) {
  const std::string wrong = GetParam() == SmtpPhase::data ? "250 ok\r\n" : "354 go on\r\n";
  const SmtpResult result = meet(Script().send(wrong));
  EXPECT_EQ(result.outcome, Outcome::malformed);
  EXPECT_EQ(result.code, GetParam() == SmtpPhase::data ? 250 : 354);
  EXPECT_EQ(result.unknown, after_the_dot());
  EXPECT_TRUE(closed_by_client());
}

TEST_P(SmtpFault, RepliesWithoutEndAreMalformed) {
  std::string endless;
  for (int line = 0; line < 1000; ++line) {
    endless += "250-and so on\r\n";
  }
  EXPECT_EQ(meet(Script().send(endless)).outcome, Outcome::malformed);
  EXPECT_EQ(meet(Script().send("250 " + std::string(10'000, 'x'))).outcome, Outcome::malformed);
}

TEST_P(SmtpFault, TheConnectionMayEnd) {
  SmtpResult result = meet(Script().close());
  EXPECT_EQ(result.outcome, Outcome::closed_early);
  EXPECT_EQ(result.phase, GetParam());
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.unknown, after_the_dot());

  result = meet(Script().send("25").close());
  EXPECT_EQ(result.outcome, Outcome::closed_early);
  EXPECT_EQ(result.unknown, after_the_dot());

  result = meet(Script().reset());
  if (GetParam() == SmtpPhase::greeting && result.phase == SmtpPhase::connect) {
    // The reset was there before we looked whether we were connected, so that is where it is seen.
    EXPECT_EQ(result.outcome, Outcome::connect_reset);
  } else {
    EXPECT_EQ(result.outcome, Outcome::reset);
    EXPECT_EQ(result.phase, GetParam());
  }
  EXPECT_EQ(result.unknown, after_the_dot());
  EXPECT_EQ(rig_->closes, 0U);
}

TEST_P(SmtpFault, TimeMayBeUp) {
  Gate gate;
  ScriptedPeer peer(up_to(GetParam()).wait(gate));
  SmtpRig rig(peer.endpoint());
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.settle();
  rig.pass(59s);
  EXPECT_TRUE(rig.results.empty());
  rig.pass(1s);
  const SmtpResult result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::read_timeout);
  EXPECT_EQ(result.phase, GetParam());
  EXPECT_EQ(result.unknown, after_the_dot()) << "after the dot nobody knows";
  EXPECT_FALSE(rig.session->connected());
  rig.pass(100s);
  rig.settle();
  EXPECT_EQ(rig.results.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Phases, SmtpFault, testing::ValuesIn(phases),
                         [](const auto& one) { return phase_name(one.param); });

TEST(SmtpConnect, MayBeRefused) {
  const RefusedPort port;
  SmtpRig rig(port.endpoint());
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::connect_refused);
  EXPECT_EQ(result.phase, SmtpPhase::connect);
  EXPECT_TRUE(result.new_connection);
  EXPECT_FALSE(result.unknown);
  EXPECT_EQ(rig.deliver().outcome, Outcome::connect_refused) << "and can be tried again";
}

TEST(SmtpConnect, MayTakeTooLong) {
  const FullBacklogPort port;
  SmtpRig rig(port.endpoint());
  rig.start();
  rig.settle();
  rig.pass(9s);
  EXPECT_TRUE(rig.results.empty());
  rig.pass(1s);
  const SmtpResult result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::connect_timeout);
  EXPECT_EQ(result.phase, SmtpPhase::connect);
}

TEST(SmtpTimeout, IsForTheWholeAttemptHoweverOftenTheServerSpeaks) {
  Gate gate;
  Script script = smtp_greeting().wait(gate);
  script.send("250-mail.test\r\n").wait(gate).send("250-more\r\n").wait(gate);
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.start();
  for (std::size_t line = 1; line <= 3; ++line) {
    rig.run_until([&] { return gate.arrivals() == line; });
    rig.settle();
    rig.pass(19s);
    gate.open();
  }
  rig.settle();
  rig.pass(3s);
  const SmtpResult result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::read_timeout);
  EXPECT_EQ(result.phase, SmtpPhase::hello);
}

TEST(SmtpHello, WithoutEhloAndHeloThereIsNoGoingOn) {
  ScriptedPeer peer(
      smtp_greeting().add(smtp_command("EHLO ", "500 what?\r\n")).add(smtp_command("HELO ", "550 no\r\n")));
  SmtpRig rig(peer.endpoint());
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.phase, SmtpPhase::hello);
  EXPECT_EQ(result.code, 550);
  EXPECT_FALSE(rig.session->connected());
}

TEST(SmtpHello, ATemporaryRefusalOfEhloIsNoReasonForHelo) {
  ScriptedPeer peer(smtp_greeting().add(smtp_command("EHLO ", "450 later\r\n")));
  SmtpRig rig(peer.endpoint());
  EXPECT_EQ(rig.deliver().code, 450);
  EXPECT_EQ(lines_at(peer).size(), 1U);
}

}  // namespace
}  // namespace scalemark::mail
