// The text of a message under way, and replies that come before their time.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

constexpr std::size_t kLines = 256;

/// More than a connection's buffers hold, so that its end cannot be with the kernel while nobody reads.
std::string endless_text() {
  std::string text;
  for (std::size_t line = 0; line < kLines; ++line) {
    text += std::string(62'500, 'x') + "\r\n";
  }
  return text;
}

/// A server that reads the text's beginning and goes on with `rest`.
Script deaf(const Script& rest) {
  return smtp_opening()
      .add(smtp_envelope())
      .add(smtp_command("DATA\r\n", "354 go\r\n"))
      .expect("x")
      .add(rest);
}

TEST(SmtpText, AReplyBeforeItsEndDecidesAndCostsTheConnection) {
  struct Case {
    std::string reply;
    Outcome outcome;
    int code;
  };
  const std::string text = endless_text();
  for (const Case& one : std::vector<Case>{{"552 too long\r\n", Outcome::bad_status, 552},
                                           {"421 going down\r\n", Outcome::closed_early, 421},
                                           {"250 whatever\r\n", Outcome::malformed, 250}}) {
    Gate gate;
    ScriptedPeer peer(deaf(Script().send(one.reply).wait(gate)));
    SmtpRig rig(peer.endpoint());
    const SmtpResult result = rig.deliver(text);
    EXPECT_EQ(result.outcome, one.outcome) << one.reply;
    EXPECT_EQ(result.code, one.code);
    EXPECT_EQ(result.phase, SmtpPhase::data);
    EXPECT_FALSE(result.unknown) << "the dot was not out";
    EXPECT_FALSE(rig.session->connected());
    gate.open();
  }
}

TEST(SmtpText, AFarewellBeforeAResetIsHeard) {
  const std::string text = endless_text();
  ScriptedPeer peer(deaf(Script().send("421 going down\r\n").reset()));
  SmtpRig rig(peer.endpoint());
  const SmtpResult result = rig.deliver(text);
  EXPECT_EQ(result.outcome, Outcome::closed_early);
  EXPECT_EQ(result.code, 421);
  EXPECT_FALSE(result.unknown);
}

TEST(SmtpText, AnEndBeforeTheDotIsNotUnknown) {
  const std::string text = endless_text();
  ScriptedPeer peer(deaf(Script().reset()));
  SmtpRig rig(peer.endpoint());
  SmtpResult result = rig.deliver(text);
  EXPECT_EQ(result.outcome, Outcome::reset);
  EXPECT_EQ(result.phase, SmtpPhase::data);
  EXPECT_FALSE(result.unknown);

  Gate gate;
  ScriptedPeer silent(deaf(Script().wait(gate)));
  SmtpRig slow(silent.endpoint());
  slow.start(text);
  slow.run_until([&] { return gate.arrivals() == 1; });
  slow.settle();
  slow.pass(60s);
  result = slow.finish();
  EXPECT_EQ(result.outcome, Outcome::read_timeout);
  EXPECT_EQ(result.phase, SmtpPhase::data);
  EXPECT_FALSE(result.unknown);
}

TEST(SmtpText, ASlowReaderGetsAllOfIt) {
  const std::string text = endless_text();
  Gate gate;
  ScriptedPeer peer(
      deaf(Script().wait(gate).repeat(kLines, Script().expect("\r\n")).expect(".\r\n").send("250 ok\r\n")));
  SmtpRig rig(peer.endpoint());
  rig.start(text);
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.settle();
  gate.open();
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
  EXPECT_TRUE(peer.connections()[0].received.ends_with("DATA\r\n" + text + ".\r\n"));
}

TEST(SmtpUnasked, AReplyToWhatWasNotSaidIsMalformed) {
  ScriptedPeer peer(Script().send("220 ready\r\n250 and more\r\n"));
  SmtpRig rig(peer.endpoint());
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::malformed);
  EXPECT_EQ(result.code, 250);
  EXPECT_EQ(peer.connections()[0].received, "");

  ScriptedPeer eager(smtp_opening().add(smtp_envelope()).add(smtp_command("DATA", "354 go\r\n250 done\r\n")));
  SmtpRig other(eager.endpoint());
  EXPECT_EQ(other.deliver().outcome, Outcome::malformed);
  EXPECT_EQ(lines_at(eager).back(), "DATA") << "the text was kept back";
}

TEST(SmtpUnasked, UnlessItAnnouncesTheEnd) {
  Gate gate;
  ScriptedPeer peer(Script().send("220 ready\r\n42").wait(gate).send("1 changed my mind\r\n"));
  SmtpRig rig(peer.endpoint());
  rig.keep_in_step_with(gate);
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::closed_early);
  EXPECT_EQ(result.code, 421);
  EXPECT_EQ(result.words, "changed my mind");
  EXPECT_EQ(peer.connections()[0].received, "");
}

}  // namespace
}  // namespace scalemark::mail
