#include "testbed/mail_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/testbed/mail_sink_under_test.h"

namespace scalemark::testbed {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// What the first message of a mailbox is, as POP3 sends it.
std::string first_message(const MailSinkUnderTest& sink, const std::string& mailbox) {
  const auto client = pop3_client(sink, mailbox);
  if (!client->say("RETR 1").starts_with("+OK")) {
    return "(none)";
  }
  std::string text = client->to_dot();
  client->say("QUIT");
  return text;
}

TEST(MailSinkTest, DeliversWithOneReceivedLine) {
  MailSinkUnderTest sink({.name = "mx.test"});
  MailClient client(sink.smtp());
  EXPECT_EQ(client.line(), "220 mx.test ESMTP scalemark sink");
  client.send("EHLO client.test\r\n");
  EXPECT_THAT(client.reply(), ElementsAre("250-mx.test", "250-PIPELINING", "250-8BITMIME", "250-SMTPUTF8",
                                          "250-ENHANCEDSTATUSCODES", "250 SIZE 1073741824"));
  EXPECT_EQ(client.say("MAIL FROM:<a@client.test> SIZE=30"), "250 2.1.0 sender ok");
  EXPECT_EQ(client.say("RCPT TO:<Bob@mx.test>"), "250 2.1.5 recipient ok");
  EXPECT_THAT(client.say("DATA"), StartsWith("354 "));
  EXPECT_THAT(client.say("Subject: x\r\n\r\nbody\r\n."), MatchesRegex("250 2.0.0 kept as [0-9a-f]+\\.1"));
  EXPECT_EQ(client.say("QUIT"), "221 2.0.0 good bye");
  EXPECT_EQ(client.rest(), "");
  EXPECT_THAT(
      first_message(sink, "bob@mx.test"),
      MatchesRegex("Received: from client.test \\(\\[127.0.0.1\\]\\) by mx.test \\(scalemark sink\\) with "
                   "ESMTP; [A-Z][a-z]+, .* \\+0000\r\nSubject: x\r\n\r\nbody\r\n"));
}

TEST(MailSinkTest, TakesSeveralMessagesForSeveralMailboxesOnOneConnection) {
  MailSinkUnderTest sink;
  const auto client = smtp_client(sink);
  EXPECT_THAT(deliver(*client, "a@x", "1\r\n"), StartsWith("250 "));
  EXPECT_THAT(client->say("MAIL FROM:<>"), StartsWith("250 "));
  for (const char* address : {"a@x", "b@x", "A@X"}) {  // the third is the first again
    EXPECT_THAT(client->say(std::string("RCPT TO:<") + address + ">"), StartsWith("250 "));
  }
  EXPECT_THAT(client->say("DATA"), StartsWith("354 "));
  EXPECT_THAT(client->say("2\r\n."), StartsWith("250 "));
  const auto a = pop3_client(sink, "a@x");
  const auto b = pop3_client(sink, "b@x");
  EXPECT_THAT(a->say("STAT"), StartsWith("+OK 2 "));
  EXPECT_THAT(b->say("STAT"), StartsWith("+OK 1 "));
  const auto done = sink.stop();
  EXPECT_EQ(done.smtp_connections, 1U);
  EXPECT_EQ(done.messages, 2U);
  EXPECT_EQ(done.deliveries, 3U);
  EXPECT_EQ(done.kept, 3U);
}

TEST(MailSinkTest, DotsComeBackAsTheyWentHoweverTheyAreCut) {
  MailSinkUnderTest sink;
  const auto client = smtp_client(sink);
  const std::string wire = "..first\r\n\r\n...\r\nin.side.\r\n..\r\n.. \r\nlast..\r\n..\r\n";
  for (std::size_t cut = 0; cut <= wire.size() + 3; ++cut) {
    client->send("MAIL FROM:<s@x>\r\nRCPT TO:<a" + std::to_string(cut) + "@x>\r\nDATA\r\n");
    EXPECT_THAT(client->lines(3).back(), StartsWith("354 "));
    const std::string whole = wire + ".\r\n";
    client->send(whole.substr(0, cut));
    client->send(whole.substr(cut));
    EXPECT_THAT(client->line(), StartsWith("250 ")) << cut;
    const std::string mailbox = "a" + std::to_string(cut) + "@x";
    EXPECT_EQ(without_received(first_message(sink, mailbox)), wire) << cut;
  }
  // Five dots, of the lines that begin with one, are the protocol's own.
  const auto pop3 = pop3_client(sink, "a0@x");
  const std::string answer = pop3->say("RETR 1");
  const std::size_t octets = pop3->line().size() + 2 + wire.size() - 5;
  EXPECT_EQ(answer, "+OK " + std::to_string(octets) + " octets");
}

TEST(MailSinkTest, NothingElseEndsAMessage) {
  MailSinkUnderTest sink;
  const auto client = smtp_client(sink);
  const std::string text = "a\n.\nb\r.\rc\n.\r\nd\r\n.\n\r\n";  // one line that begins with a single dot
  EXPECT_THAT(deliver(*client, "a@x", text), StartsWith("250 "));
  EXPECT_EQ(without_received(first_message(sink, "a@x")), text);
  EXPECT_EQ(sink.stop().messages, 1U);
}

TEST(MailSinkTest, AnswersPipelinedCommandsInOrder) {
  MailSinkUnderTest sink;
  MailClient client(sink.smtp());
  client.send(
      "EHLO c\r\nMAIL FROM:<s@x>\r\nRCPT TO:<a@x>\r\nRCPT TO:bad\r\nDATA\r\n1\r\n.\r\nMAIL FROM:<s@x>\r\n"
      "RSET\r\nDATA\r\nNOOP\r\nQUIT\r\n");
  client.line();
  EXPECT_EQ(client.reply().size(), 6U);
  std::vector<std::string> codes;
  for (const std::string& line : client.lines(9)) {
    codes.push_back(line.substr(0, 3));
  }
  EXPECT_THAT(codes, ElementsAre("250", "250", "501", "354", "250", "250", "250", "503", "250"));
  EXPECT_THAT(client.rest(), StartsWith("221 "));
}

TEST(MailSinkTest, RefusesWhatIsOutOfTurnAndStaysInStep) {
  MailSinkUnderTest sink;
  MailClient client(sink.smtp());
  client.line();
  EXPECT_THAT(client.say("MAIL FROM:<a@x>"), StartsWith("503 "));
  EXPECT_THAT(client.say("EHLO"), StartsWith("501 "));
  EXPECT_THAT(client.say("HELO client"), "250 sink.test");
  EXPECT_THAT(client.say("RCPT TO:<a@x>"), StartsWith("503 "));
  EXPECT_THAT(client.say("DATA"), StartsWith("503 "));
  EXPECT_THAT(client.say("MAIL FROM: <a@x>"), StartsWith("501 "));
  EXPECT_THAT(client.say("MAIL FROM:<a@x> FUTURE=1"), StartsWith("555 "));
  EXPECT_THAT(client.say("mail from:<a@x>"), StartsWith("250 "));
  EXPECT_THAT(client.say("MAIL FROM:<a@x>"), StartsWith("503 "));
  EXPECT_THAT(client.say("DATA"), StartsWith("554 "));
  EXPECT_THAT(client.say("RCPT TO:<j\xc3\xa4@x>"), StartsWith("553 "));
  EXPECT_THAT(client.say("STARTTLS"), StartsWith("500 "));
  EXPECT_THAT(client.say("AUTH PLAIN AGEAYg=="), StartsWith("503 "));
  EXPECT_THAT(client.say("VRFY a"), StartsWith("252 "));
  client.send("NOOP\n");
  EXPECT_EQ(client.line(), "500 5.5.2 a line must end in CR LF");
  EXPECT_THAT(client.say("RSET"), StartsWith("250 "));
  EXPECT_THAT(client.say("MAIL FROM:<j\xc3\xa4@x> SMTPUTF8"), StartsWith("250 "));
  EXPECT_THAT(client.say("RCPT TO:<j\xc3\xa4@x>"), StartsWith("250 "));
  client.send(std::string(13'000, 'a'));
  EXPECT_THAT(client.rest(), StartsWith("500 5.5.2 the line is too long"));
}

TEST(MailSinkTest, KnowsItsAccountsWhenThereAreSome) {
  MailSinkUnderTest sink({.accounts = {{"a@x", "ann", "pw"}}, .auth = true});
  MailClient client(sink.smtp());
  client.send("EHLO c\r\nMAIL FROM:<a@x>\r\nAUTH PLAIN AGFubgBubw==\r\nAUTH PLAIN\r\n*\r\n");
  client.line();
  EXPECT_THAT(client.reply(), testing::Contains("250-AUTH PLAIN LOGIN"));
  EXPECT_THAT(client.line(), StartsWith("530 5.7.0"));
  EXPECT_THAT(client.line(), StartsWith("535 5.7.8"));
  EXPECT_EQ(client.line(), "334 ");
  EXPECT_THAT(client.line(), StartsWith("501 "));
  EXPECT_EQ(client.say("AUTH LOGIN"), "334 VXNlcm5hbWU6");
  EXPECT_EQ(client.say("YW5u"), "334 UGFzc3dvcmQ6");
  EXPECT_THAT(client.say("cHc="), StartsWith("235 "));
  EXPECT_THAT(client.say("AUTH PLAIN AGFubgBwdw=="), StartsWith("503 "));
  EXPECT_THAT(client.say("MAIL FROM:<a@x>"), StartsWith("250 "));
  EXPECT_THAT(client.say("RCPT TO:<nobody@x>"), StartsWith("550 5.1.1"));
  EXPECT_THAT(client.say("RCPT TO:<A@x>"), StartsWith("250 "));
  MailClient plain(sink.smtp());
  plain.send("EHLO c\r\nAUTH PLAIN AGFubgBwdw==\r\n");
  plain.line();
  plain.reply();
  EXPECT_THAT(plain.line(), StartsWith("235 "));
}

TEST(MailSinkTest, KeepsNoMoreThanItsMemoryAllows) {
  MailSinkUnderTest sink({.max_memory = 100'000});
  const auto client = smtp_client(sink);
  const std::string large(60'000, 'x');
  EXPECT_THAT(deliver(*client, "a@x", large + "\r\n"), StartsWith("250 "));
  EXPECT_THAT(deliver(*client, "a@x", large + "\r\n"), StartsWith("452 4.3.1"));
  EXPECT_THAT(deliver(*client, "a@x", large + large + "\r\n"), StartsWith("552 5.3.4"));
  EXPECT_THAT(client->say("MAIL FROM:<s@x> SIZE=50000"), StartsWith("452 4.3.1"));
  EXPECT_THAT(client->say("MAIL FROM:<s@x> SIZE=100001"), StartsWith("552 5.3.4"));
  const auto reader = pop3_client(sink, "a@x");
  EXPECT_THAT(reader->say("DELE 1"), StartsWith("+OK"));
  EXPECT_THAT(reader->say("QUIT"), StartsWith("+OK"));
  EXPECT_THAT(deliver(*client, "a@x", large + "\r\n"), StartsWith("250 "));
  const auto done = sink.stop();
  EXPECT_EQ(done.messages, 2U);
  EXPECT_EQ(done.refused_messages, 2U);
}

TEST(MailSinkTest, CarriesAHugeMessageBothWays) {
  MailSinkUnderTest sink;
  const auto client = smtp_client(sink);
  std::string huge;
  for (int i = 0; huge.size() < 40'000'000; ++i) {
    huge += "..line " + std::to_string(i) + " of many\r\n";
  }
  EXPECT_THAT(deliver(*client, "a@x", huge), StartsWith("250 "));
  EXPECT_TRUE(without_received(first_message(sink, "a@x")) == huge);  // no diff of so much
}

TEST(MailSinkTest, ThrowsAwayWhereOnlySendingIsMeasured) {
  const TempFolder logs;
  const std::string log = logs.path() / "log";
  MailSinkUnderTest sink({.discard = true, .max_memory = 1000, .log = log});
  EXPECT_EQ(sink.pop3(), "");
  const auto client = smtp_client(sink);
  EXPECT_THAT(deliver(*client, "a@x", std::string(5000, 'x') + "\r\n..\r\n"), StartsWith("250 "));
  const auto done = sink.stop();
  EXPECT_EQ(done.messages, 1U);
  EXPECT_EQ(done.message_octets, 5005U);
  EXPECT_EQ(done.kept, 0U);
  EXPECT_THAT(file_text(log), MatchesRegex("[0-9]+ discarded a@x - 5005\n"));
}

TEST(MailSinkTest, NothingIsDeliveredBeforeTheDot) {
  MailSinkUnderTest sink;
  {
    const auto left = smtp_client(sink);
    left->send("MAIL FROM:<s@x>\r\nRCPT TO:<a@x>\r\nDATA\r\nhalf a message\r\n");
    left->lines(3);
    const auto broken = smtp_client(sink);
    broken->send("MAIL FROM:<s@x>\r\nRCPT TO:<a@x>\r\nDATA\r\nhalf a message\r\n.\r");
    broken->lines(3);
    broken->reset();
  }
  EXPECT_EQ(first_message(sink, "a@x"), "(none)");
  EXPECT_EQ(sink.stop().messages, 0U);
}

TEST(MailSinkTest, ServesManyConnectionsAtOnce) {
  MailSinkUnderTest sink;
  std::vector<std::unique_ptr<MailClient>> clients;
  for (int i = 0; i < 400; ++i) {
    clients.push_back(std::make_unique<MailClient>(sink.smtp()));
    clients.back()->send("EHLO c\r\nMAIL FROM:<s@x>\r\nRCPT TO:<u" + std::to_string(i % 7) +
                         "@x>\r\nDATA\r\n");
  }
  for (const auto& client : clients) {
    client->line();
    client->reply();
    EXPECT_THAT(client->lines(3), Each(MatchesRegex("(250|354) .*")));
    client->send("text\r\n.\r\n");
  }
  for (const auto& client : clients) {
    EXPECT_THAT(client->line(), StartsWith("250 "));
  }
  EXPECT_EQ(sink.stop().deliveries, 400U);
}

TEST(MailSinkTest, SaysWhatIsWrongWithItsPlan) {
  EXPECT_THROW(MailSink({.smtp = "nowhere"}), UsageError);
  EXPECT_THROW(MailSink({.smtp = "127.0.0.1:0", .pop3 = "127.0.0.1:0", .name = "two words"}), UsageError);
  EXPECT_THROW(MailSink({.smtp = "127.0.0.1:0", .pop3 = "127.0.0.1:0", .log = "/nonexistent/log"}),
               UsageError);
  const MailSink first({.smtp = "127.0.0.1:0", .pop3 = "127.0.0.1:0"});
  try {
    const MailSink second({.smtp = "127.0.0.1:0", .pop3 = first.pop3_address()});
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in use"));
  }
}

}  // namespace
}  // namespace scalemark::testbed
