// Logging in before the first message (RFC 4954).
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

SmtpSettings with(SmtpAuth auth) {
  SmtpSettings settings;
  settings.auth = auth;
  return settings;
}

TEST(SmtpLogins, Plain) {
  ScriptedPeer peer(smtp_opening({"AUTH LOGIN plain"})
                        .add(smtp_command("AUTH PLAIN AHVzZXIxAHNlY3JldA==\r\n", "235 welcome\r\n"))
                        .repeat(2, smtp_message()));
  SmtpRig rig(peer.endpoint(), with(SmtpAuth::plain));
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(rig.deliver().outcome, Outcome::good) << "once for a connection";
  EXPECT_EQ(rig.steps.order().at(3), Step::smtp_auth);
}

TEST(SmtpLogins, PlainWhereTheInitialResponseIsOverlooked) {
  ScriptedPeer peer(smtp_opening({"AUTH=PLAIN"})
                        .add(smtp_command("AUTH PLAIN AHVzZXIxAHNlY3JldA==\r\n", "334\r\n"))
                        .add(smtp_command("AHVzZXIxAHNlY3JldA==\r\n", "235 welcome\r\n"))
                        .add(smtp_message()));
  SmtpRig rig(peer.endpoint(), with(SmtpAuth::plain));
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

TEST(SmtpLogins, Login) {
  Gate gate;
  Script script = smtp_opening({"AUTH PLAIN LOGIN"}).expect("AUTH LOGIN\r\n").wait(gate);
  script.send("334 VXNlcm5hbWU6\r\n").add(smtp_command("dXNlcjE=\r\n", "334 UGFzc3dvcmQ6\r\n"));
  script.expect("c2VjcmV0\r\n").wait(gate).send("235 welcome\r\n").add(smtp_message());
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint(), with(SmtpAuth::login));
  rig.start();
  for (std::size_t half = 1; half <= 2; ++half) {
    rig.run_until([&] { return gate.arrivals() == half; });
    rig.clock.advance(10ms);
    gate.open();
  }
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
  EXPECT_EQ(rig.steps.last(Step::smtp_auth), 20ms) << "from AUTH to its last reply";
}

TEST(SmtpLogins, MayBeRefused) {
  for (const SmtpAuth auth : {SmtpAuth::plain, SmtpAuth::login}) {
    ScriptedPeer peer(smtp_opening({"AUTH PLAIN LOGIN"}).add(smtp_command("AUTH", "535 5.7.8 wrong\r\n")));
    SmtpRig rig(peer.endpoint(), with(auth));
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, SmtpPhase::auth);
    EXPECT_EQ(result.code, 535);
    EXPECT_FALSE(rig.session->connected());
  }
}

TEST(SmtpLogins, MustBeOffered) {
  for (const SmtpAuth auth : {SmtpAuth::plain, SmtpAuth::login}) {
    ScriptedPeer peer(smtp_opening({"AUTH CRAM-MD5"}));
    SmtpRig rig(peer.endpoint(), with(auth));
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, SmtpPhase::auth);
    EXPECT_EQ(result.code, 0);
    EXPECT_NE(result.words.find("does not offer AUTH"), std::string::npos);
    EXPECT_EQ(lines_at(peer).size(), 1U) << "no password was sent";
  }
}

TEST(SmtpLogins, DoNotGoOnForEver) {
  ScriptedPeer peer(smtp_opening({"AUTH PLAIN LOGIN"}).repeat_forever(smtp_command("", "334 again\r\n")));
  for (const SmtpAuth auth : {SmtpAuth::plain, SmtpAuth::login}) {
    SmtpRig rig(peer.endpoint(), with(auth));
    EXPECT_EQ(rig.deliver().outcome, Outcome::malformed);
  }
}

TEST(SmtpLogins, HeloIsNoWayRoundThem) {
  ScriptedPeer peer(smtp_greeting().add(smtp_command("EHLO", "500 what?\r\n")));
  SmtpRig rig(peer.endpoint(), with(SmtpAuth::plain));
  EXPECT_EQ(rig.deliver().code, 500);
  EXPECT_EQ(lines_at(peer).size(), 1U);
}

}  // namespace
}  // namespace scalemark::mail
