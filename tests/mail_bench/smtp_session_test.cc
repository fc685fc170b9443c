// What an SMTP session says to a server that keeps to the rules, and when.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/mail_bench/smtp_rig.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using Lines = std::vector<std::string>;

const Lines one_message = {"EHLO scalemark.test",
                           "MAIL FROM:<sender@mail.test>",
                           "RCPT TO:<user1@mail.test>",
                           "DATA",
                           "Subject: test",
                           "",
                           "hello",
                           "."};

TEST(SmtpSession, DeliversAMessage) {
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.phase, SmtpPhase::dot);
  EXPECT_EQ(result.code, 250);
  EXPECT_EQ(result.words, "2.0.0 queued");
  EXPECT_FALSE(result.unknown);
  EXPECT_TRUE(result.new_connection);
  EXPECT_EQ(lines_at(peer), one_message);
  EXPECT_EQ(result.sent_bytes, peer.connections()[0].received.size());
  EXPECT_FALSE(rig.session->busy());
  EXPECT_TRUE(rig.session->connected());

  rig.quit();
  EXPECT_EQ(lines_at(peer).back(), "QUIT");
  EXPECT_TRUE(peer.wait_until([](const auto& log) { return log[0].end == ConnectionEnd::closed; }))
      << "the server closes first";
  EXPECT_FALSE(rig.session->connected());
}

TEST(SmtpSession, SendsSeveralMessagesOverOneConnection) {
  ScriptedPeer peer(smtp_server({}, 3));
  SmtpRig rig(peer.endpoint());
  EXPECT_TRUE(rig.deliver().new_connection);
  EXPECT_FALSE(rig.deliver().new_connection);
  EXPECT_FALSE(rig.deliver().new_connection);
  rig.quit();
  ASSERT_EQ(peer.connections().size(), 1U);
  Lines expected = one_message;
  for (int further = 0; further < 2; ++further) {
    expected.insert(expected.end(), one_message.begin() + 1, one_message.end());
  }
  expected.emplace_back("QUIT");
  EXPECT_EQ(lines_at(peer), expected);
}

TEST(SmtpSession, CanBeToldToSendFromWithinTheEnd) {
  ScriptedPeer peer(smtp_server({}, 3));
  SmtpRig rig(peer.endpoint());
  rig.on_end = [&] {
    if (rig.results.size() < 3) {
      rig.session->send({kSender, kRecipient, kLetter}, {});
    }
  };
  rig.start();
  rig.run_until([&] { return rig.results.size() == 3; });
  for (const SmtpResult& result : rig.results) {
    EXPECT_EQ(result.outcome, Outcome::good);
  }
  EXPECT_EQ(peer.connections().size(), 1U);
}

TEST(SmtpSession, CanBeDestroyedFromWithinTheEnd) {
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  rig.on_end = [&] { rig.session.reset(); };
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  rig.settle();
}

TEST(SmtpSession, GreetingsAndRepliesOfSeveralLinesInAnySegments) {
  Gate gate;
  Script script;
  script.send_byte_by_byte("220-mail.test says\r\n220-\r\n220 ESMTP\r\n", gate)
      .expect("EHLO scalemark.test\r\n")
      .send_byte_by_byte("250-mail.test\r\n250-SIZE\r\n250 HELP\r\n", gate)
      .add(smtp_command("MAIL", "250-2.1.0 sender\r\n250 ok\r\n"))
      .add(smtp_command("RCPT", "250\r\n"))
      .add(smtp_command("DATA", "354\r\n"))
      .expect("\r\n.\r\n")
      .send_byte_by_byte("250-2.0.0 queued\r\n250 as 12\r\n", gate);
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.keep_in_step_with(gate);
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.words, "2.0.0 queued as 12");
}

TEST(SmtpSession, ABareGreetingWillDo) {
  ScriptedPeer peer(smtp_greeting("220\r\n").add(smtp_hello()).add(smtp_message()));
  SmtpRig rig(peer.endpoint());
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

TEST(SmtpSession, SaysNothingBeforeTheGreetingIsWhole) {
  Gate gate;
  Script script;
  script.send("220-mail.test\r\n220 rea").wait(gate).send("dy\r\n").add(smtp_hello()).add(smtp_message());
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.settle();
  EXPECT_EQ(peer.connections()[0].received, "");
  gate.open();
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
}

TEST(SmtpSession, SaysNothingMoreBeforeAReplyIsWhole) {
  Gate gate;
  Script script = smtp_opening();
  script.expect("MAIL FROM:<sender@mail.test>\r\n").send("250-first\r\n250 las").wait(gate).send("t\r\n");
  script.add(smtp_command("RCPT", "250 ok\r\n")).add(smtp_text()).send("250 ok\r\n");
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.settle();
  EXPECT_EQ(lines_at(peer).back(), "MAIL FROM:<sender@mail.test>");
  gate.open();
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
}

TEST(SmtpSession, DotsAtLineStartsAreDoubled) {
  const std::string text = ".first\r\nin. the middle.\r\n.\r\n..\r\n.last\r\n";
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  EXPECT_EQ(rig.deliver(text).outcome, Outcome::good);
  const std::string received = peer.connections()[0].received;
  EXPECT_EQ(received.substr(received.find("DATA\r\n") + 6),
            "..first\r\nin. the middle.\r\n..\r\n...\r\n..last\r\n.\r\n");
}

TEST(SmtpSession, ALongTextArrivesWholeAndStuffed) {
  std::string text;
  std::string stuffed;
  for (int line = 0; text.size() < 5'000'000; ++line) {
    const std::string rest =
        std::to_string(line) + std::string(static_cast<std::size_t>(line % 97), 'x') + "\r\n";
    text += "." + rest;
    stuffed += ".." + rest;
  }
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  const SmtpResult result = rig.deliver(text);
  EXPECT_EQ(result.outcome, Outcome::good);
  const std::string received = peer.connections()[0].received;
  EXPECT_TRUE(received.substr(received.find("DATA\r\n") + 6) == stuffed + ".\r\n");
  EXPECT_EQ(result.sent_bytes, received.size());
}

TEST(SmtpSession, TheTextEndsInExactlyOneLineEndBeforeTheDot) {
  for (const std::string text : {"no end", "an end\r\n", "an empty line\r\n\r\n"}) {
    ScriptedPeer peer(smtp_server());
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver(text).outcome, Outcome::good);
    const std::string received = peer.connections()[0].received;
    EXPECT_EQ(received.substr(received.find("DATA\r\n") + 6),
              (text == "no end" ? text + "\r\n" : text) + ".\r\n");
  }
}

TEST(SmtpSession, ParametersAreSaidOnlyWhereOfferedAndNeeded) {
  struct Case {
    Lines offers;
    std::string text;
    std::string parameters;
  };
  const std::vector<Case> cases = {
      {{}, "caf\xC3\xA9\r\n", ""},
      {{"SIZE"}, "cafe\r\n", " SIZE=6"},
      {{"size 1000000"}, ".cafe\r\n", " SIZE=7"},
      {{"8BITMIME"}, "cafe\r\n", ""},
      {{"8BITMIME"}, "caf\xC3\xA9\r\n", " BODY=8BITMIME"},
      {{"SMTPUTF8", "8BITMIME", "SIZE 0", "XUNKNOWN a b"}, "caf\xC3\xA9\r\n", " SIZE=7 BODY=8BITMIME"},
      {{"SIZELESS", "X8BITMIME", "NOSIZE"}, "caf\xC3\xA9\r\n", ""},
  };
  for (const Case& one : cases) {
    ScriptedPeer peer(smtp_server(one.offers));
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver(one.text).outcome, Outcome::good);
    EXPECT_EQ(lines_at(peer).at(1), "MAIL FROM:<sender@mail.test>" + one.parameters);
  }
}

TEST(SmtpSession, Smtputf8IsSaidOnlyForAddressesThatNeedIt) {
  ScriptedPeer peer(smtp_server({"SMTPUTF8"}, 2));
  SmtpRig rig(peer.endpoint());
  rig.recipient = "j\xC3\xBCrgen@mail.test";
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(lines_at(peer).at(1), "MAIL FROM:<sender@mail.test> SMTPUTF8");
  EXPECT_EQ(lines_at(peer).at(2), "RCPT TO:<j\xC3\xBCrgen@mail.test>");
  rig.recipient = kRecipient;
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(lines_at(peer).at(8), "MAIL FROM:<sender@mail.test>");
}

TEST(SmtpSession, AnAddressThatCannotBeSaidIsRefusedHereAndTheConnectionGoesOn) {
  ScriptedPeer peer(smtp_server());
  SmtpRig rig(peer.endpoint());
  rig.recipient = "j\xC3\xBCrgen@mail.test";
  for (int attempt = 0; attempt < 2; ++attempt) {
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.phase, SmtpPhase::mail);
    EXPECT_EQ(result.code, 0);
    EXPECT_NE(result.words.find("SMTPUTF8"), std::string::npos);
    EXPECT_EQ(result.new_connection, attempt == 0);
  }
  EXPECT_EQ(lines_at(peer), Lines{"EHLO scalemark.test"});
  rig.recipient = kRecipient;
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(lines_at(peer), one_message);
}

TEST(SmtpSession, FallsBackToHeloWhereEhloIsNotKnown) {
  for (const int code : {500, 502, 504, 550}) {
    ScriptedPeer peer(smtp_greeting()
                          .add(smtp_command("EHLO ", smtp_reply(code, {"what?"})))
                          .add(smtp_command("HELO scalemark.test\r\n", "250 mail.test\r\n"))
                          .add(smtp_message()));
    SmtpRig rig(peer.endpoint());
    EXPECT_EQ(rig.deliver("caf\xC3\xA9\r\n").outcome, Outcome::good);
    EXPECT_EQ(lines_at(peer).at(2), "MAIL FROM:<sender@mail.test>");
  }
}

TEST(SmtpSession, TimesItsSteps) {
  Gate gate;
  Script script;
  script.wait(gate).send("220 ready\r\n");
  for (const std::string reply : {"250 mail.test\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n"}) {
    script.expect("\r\n").wait(gate).send(reply);
  }
  script.expect("\r\n.\r\n").wait(gate).send("250 ok\r\n");
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.start();
  for (std::size_t reply = 1; reply <= 6; ++reply) {
    rig.run_until([&] { return gate.arrivals() == reply && rig.steps.all.size() >= reply; });
    rig.clock.advance(reply * 10ms);
    gate.open();
  }
  const SmtpResult result = rig.finish();
  const std::vector<Step> steps = {Step::smtp_connect, Step::smtp_greeting, Step::smtp_hello,
                                   Step::smtp_mail,    Step::smtp_rcpt,     Step::smtp_data,
                                   Step::smtp_dot,     Step::smtp_total};
  EXPECT_EQ(rig.steps.order(), steps);
  for (std::size_t reply = 1; reply <= 6; ++reply) {
    EXPECT_EQ(rig.steps.last(steps[reply]), reply * 10ms) << name_of(steps[reply]);
  }
  EXPECT_EQ(rig.steps.last(Step::smtp_total), 210ms);
  EXPECT_EQ(result.ended - result.begun, 210ms);
}

TEST(SmtpSession, TextAndFinalDotGoOutTogether) {
  // The server reads nothing but what is there when it wakes up: had the dot been a packet of its own, it
  // could be missing.
  Gate gate;
  Script script = smtp_opening().add(smtp_envelope());
  script.add(smtp_command("DATA\r\n", "354 go ahead\r\n")).expect("h").wait(gate).expect("\r\n.\r\n");
  script.send("250 ok\r\n");
  ScriptedPeer peer(script);
  SmtpRig rig(peer.endpoint());
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  EXPECT_TRUE(peer.connections()[0].received.ends_with("hello\r\n.\r\n"));
  gate.open();
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
}

}  // namespace
}  // namespace scalemark::mail
