// Envelopes that are said in one go (RFC 2920).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"

namespace scalemark::mail {
namespace {

using namespace test_support;

SmtpSettings pipelining() {
  SmtpSettings settings;
  settings.pipelining = true;
  return settings;
}

/// Waits for the three commands in one go, then answers.
Script envelope_at_once(const std::string& replies) {
  return Script()
      .expect("MAIL FROM:<sender@mail.test>\r\nRCPT TO:<user1@mail.test>\r\nDATA\r\n")
      .send(replies);
}

TEST(SmtpPipelining, IsOffUnlessAskedForAndOffered) {
  ScriptedPeer offering(smtp_server({"PIPELINING"}));
  SmtpRig modest(offering.endpoint());
  EXPECT_EQ(modest.deliver().outcome, Outcome::good);

  ScriptedPeer plain(smtp_server());
  SmtpRig asking(plain.endpoint(), pipelining());
  EXPECT_EQ(asking.deliver().outcome, Outcome::good);
}

TEST(SmtpPipelining, SendsTheEnvelopeAtOnceAndTheTextAfter354) {
  Gate gate;
  Script script = smtp_opening({"PIPELINING"});
  script.add(envelope_at_once("250 ok\r\n")).wait(gate).send("250 ok\r\n").wait(gate).send("354 go\r\n");
  script.expect("\r\n.\r\n").send("250 queued\r\n");
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint(), pipelining());
  rig.start();
  for (std::size_t reply = 1; reply <= 2; ++reply) {
    rig.run_until([&] { return gate.arrivals() == reply; });
    rig.settle();
    EXPECT_EQ(lines_at(peer).back(), "DATA") << "no text before 354";
    gate.open();
  }
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
}

TEST(SmtpPipelining, RepliesAreCountedAgainstCommandsHoweverTheyCome) {
  Gate gate;
  Script script = smtp_opening({"PIPELINING"});
  script.add(envelope_at_once("")).send_byte_by_byte("250-a\r\n250 ok\r\n250 ok\r\n354 go\r\n", gate);
  script.expect("\r\n.\r\n").send("250 queued\r\n");
  script.add(envelope_at_once("250 ok\r\n250 ok\r\n354 go\r\n")).expect("\r\n.\r\n").send("250 queued\r\n");
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint(), pipelining());
  rig.keep_in_step_with(gate);
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

TEST(SmtpPipelining, TheFirstRefusalIsReportedAfterAllReplies) {
  struct Case {
    std::string replies;
    SmtpPhase phase;
    int code;
  };
  for (const Case& one : std::vector<Case>{
           {"451 a\r\n503 b\r\n503 c\r\n", SmtpPhase::mail, 451},
           {"250 a\r\n550 b\r\n554 c\r\n", SmtpPhase::rcpt, 550},
           {"250 a\r\n250 b\r\n451 c\r\n", SmtpPhase::data, 451},
       }) {
    ScriptedPeer peer(smtp_opening({"PIPELINING"})
                          .add(envelope_at_once(one.replies))
                          .add(smtp_command("RSET\r\n", "250 ok\r\n"))
                          .add(envelope_at_once("250 ok\r\n250 ok\r\n354 go\r\n"))
                          .expect("\r\n.\r\n")
                          .send("250 ok\r\n"));
    SmtpRig rig(peer.endpoint(), pipelining());
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, one.phase);
    EXPECT_EQ(result.code, one.code);
    EXPECT_TRUE(rig.session->connected());
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  }
}

TEST(SmtpPipelining, A354WithoutARecipientIsAnsweredByALoneDot) {
  for (const std::string answer : {"554 no valid recipients\r\n", "250 queued nothing\r\n"}) {
    ScriptedPeer peer(smtp_opening({"PIPELINING"})
                          .add(envelope_at_once("250 ok\r\n550 5.1.1 unknown\r\n354 go\r\n"))
                          .add(smtp_command(".\r\n", answer))
                          .add(smtp_command("RSET\r\n", "250 ok\r\n"))
                          .add(envelope_at_once("250 ok\r\n250 ok\r\n354 go\r\n"))
                          .expect("\r\n.\r\n")
                          .send("250 ok\r\n"));
    SmtpRig rig(peer.endpoint(), pipelining());
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, SmtpPhase::rcpt);
    EXPECT_EQ(result.code, 550);
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  }
}

TEST(SmtpPipelining, ARefusalIsReportedEvenIfTheRestNeverComes) {
  for (const Script& end :
       {Script().close(), Script().send("421 bye\r\n"), Script().send("354 go\r\n").close()}) {
    ScriptedPeer peer(smtp_opening({"PIPELINING"}).add(envelope_at_once("250 ok\r\n550 no\r\n")).add(end));
    SmtpRig rig(peer.endpoint(), pipelining());
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.code, 550);
    EXPECT_FALSE(result.unknown);
    EXPECT_FALSE(rig.session->connected());
  }
}

}  // namespace
}  // namespace scalemark::mail
