// What the mail sink says by POP3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "testbed/mail_sink.h"
#include "tests/testbed/mail_sink_under_test.h"

namespace scalemark::testbed {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// The log's lines without their times.
std::vector<std::string> log_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line.substr(line.find(' ') + 1));
  }
  return lines;
}

class MailSinkPop3Test : public ::testing::Test {
 protected:
  MailSinkPop3Test() : log_(logs_.path() / "log"), sink_({.log = log_}) {}

  void fill(const std::string& mailbox, const std::vector<std::string>& texts) {
    const auto client = smtp_client(sink_);
    for (const std::string& text : texts) {
      EXPECT_THAT(deliver(*client, mailbox, text), StartsWith("250 "));
    }
  }

  TempFolder logs_;
  std::string log_;
  MailSinkUnderTest sink_;
};

TEST_F(MailSinkPop3Test, ListsFetchesAndDeletes) {
  fill("a@x", {"H: 1\r\n\r\none\r\n", "H: 2\r\n\r\ntwo\r\nthree\r\n"});
  MailClient client(sink_.pop3());
  EXPECT_EQ(client.line(), "+OK sink.test scalemark sink");
  EXPECT_EQ(client.say("CAPA"), "+OK");
  EXPECT_THAT(client.to_dot(), HasSubstr("\r\nUIDL\r\n"));
  EXPECT_THAT(client.say("user A@x"), StartsWith("+OK"));
  EXPECT_EQ(client.say("PASS with blanks in it"), "+OK 2 messages");
  EXPECT_THAT(client.say("STAT"), MatchesRegex("\\+OK 2 [0-9]+"));
  EXPECT_EQ(client.say("LIST"), "+OK");
  EXPECT_THAT(client.to_dot(), MatchesRegex("1 [0-9]+\r\n2 [0-9]+\r\n"));
  EXPECT_THAT(client.say("LIST 2"), MatchesRegex("\\+OK 2 [0-9]+"));
  EXPECT_THAT(client.say("UIDL 1"), MatchesRegex("\\+OK 1 [0-9a-f]+\\.1"));
  EXPECT_EQ(client.say("TOP 2 1"), "+OK");
  EXPECT_EQ(without_received(client.to_dot()), "H: 2\r\n\r\ntwo\r\n");
  EXPECT_EQ(client.say("TOP 2 9"), "+OK");
  EXPECT_EQ(without_received(client.to_dot()), "H: 2\r\n\r\ntwo\r\nthree\r\n");
  EXPECT_THAT(client.say("DELE 1"), StartsWith("+OK"));
  EXPECT_EQ(client.say("UIDL"), "+OK");
  EXPECT_THAT(client.to_dot(), MatchesRegex("2 [0-9a-f]+\\.2\r\n"));
  EXPECT_THAT(client.say("QUIT"), StartsWith("+OK"));
  EXPECT_EQ(client.rest(), "");
  EXPECT_THAT(pop3_client(sink_, "a@x")->say("STAT"), StartsWith("+OK 1 "));
}

TEST_F(MailSinkPop3Test, StatAndListCountWhatRetrSends) {
  fill("a@x", {"..dot\r\n\r\n....\r\n"});
  const auto client = pop3_client(sink_, "a@x");
  EXPECT_THAT(client->say("RETR 1"), StartsWith("+OK "));
  const std::string wire = client->to_dot();
  const auto octets = std::to_string(wire.size() - 2);  // two doubled dots
  EXPECT_EQ(client->say("STAT"), "+OK 1 " + octets);
  EXPECT_EQ(client->say("LIST 1"), "+OK 1 " + octets);
}

TEST_F(MailSinkPop3Test, ASecondSessionOnAMailboxIsToldSo) {
  fill("a@x", {"1\r\n"});
  const auto first = pop3_client(sink_, "a@x");
  MailClient second(sink_.pop3());
  second.line();
  second.say("USER a@x");
  EXPECT_THAT(second.say("PASS p"), StartsWith("-ERR [IN-USE] "));
  EXPECT_THAT(second.say("STAT"), StartsWith("-ERR "));
  second.say("USER b@x");  // the connection is as good as before
  EXPECT_EQ(second.say("PASS p"), "+OK 0 messages");
  EXPECT_THAT(first->say("QUIT"), StartsWith("+OK"));
  EXPECT_THAT(pop3_client(sink_, "a@x")->say("STAT"), StartsWith("+OK 1 "));
  const auto done = sink_.stop();
  EXPECT_EQ(done.locked, 1U);
  EXPECT_EQ(done.sessions, 3U);
}

TEST_F(MailSinkPop3Test, OnlyQuitDeletes) {
  fill("a@x", {"1\r\n", "2\r\n"});
  for (const bool reset : {true, false}) {
    auto client = pop3_client(sink_, "a@x");
    client->send("DELE 1\r\nDELE 2\r\nSTAT\r\n");
    EXPECT_EQ(client->lines(3).back(), "+OK 0 0");
    if (reset) {
      EXPECT_EQ(client->say("RSET"), "+OK 2 messages");
      EXPECT_THAT(client->say("QUIT"), StartsWith("+OK"));
    }
    // Left without a word: the mailbox is free once the sink has seen it.
    client.reset();
    MailClient next(sink_.pop3());
    next.line();
    do {
      next.say("USER a@x");
    } while (next.say("PASS p").starts_with("-ERR [IN-USE]"));
    EXPECT_THAT(next.say("STAT"), StartsWith("+OK 2 "));
    EXPECT_THAT(next.say("QUIT"), StartsWith("+OK"));
  }
  EXPECT_EQ(sink_.stop().deleted, 0U);
}

TEST_F(MailSinkPop3Test, AnswersPipelinedCommandsInOrder) {
  fill("a@x", {"1\r\n", "2\r\n"});
  MailClient client(sink_.pop3());
  client.send("USER a@x\r\nPASS p\r\nRETR 2\r\nDELE 2\r\nRETR 2\r\nDELE 1\r\nNOOP\r\nQUIT\r\n");
  EXPECT_EQ(client.lines(3).back(), "+OK 2 messages");
  EXPECT_THAT(client.line(), StartsWith("+OK "));
  EXPECT_EQ(without_received(client.to_dot()), "2\r\n");
  std::vector<std::string> words;
  for (const std::string& line : client.lines(5)) {
    words.push_back(line.substr(0, line.find(' ')));
  }
  EXPECT_THAT(words, ElementsAre("+OK", "-ERR", "+OK", "+OK", "+OK"));
  EXPECT_EQ(client.rest(), "");
  EXPECT_EQ(sink_.stop().deleted, 2U);
}

TEST_F(MailSinkPop3Test, WaitsForAClientThatDoesNotReadWithoutKeepingCopies) {
  fill("a@x", {std::string(1'000'000, 'x') + "\r\n"});
  const auto client = pop3_client(sink_, "a@x");
  constexpr int kTimes = 50;
  for (int i = 0; i < kTimes; ++i) {
    client->send("RETR 1\r\n");
  }
  client->send("DELE 1\r\nQUIT\r\n");
  for (int i = 0; i < kTimes; ++i) {
    ASSERT_THAT(client->line(), StartsWith("+OK 1000"));
    ASSERT_GT(client->to_dot().size(), 1'000'000U);
  }
  EXPECT_THAT(client->line(), StartsWith("+OK"));
  EXPECT_THAT(client->rest(), StartsWith("+OK"));
  EXPECT_EQ(sink_.stop().deleted, 1U);
}

TEST_F(MailSinkPop3Test, RefusesWhatIsOutOfTurn) {
  MailClient client(sink_.pop3());
  client.line();
  for (const char* words :
       {"STAT", "RETR 1", "PASS p", "USER", "APOP a b", "STLS", "AUTH LOGIN", "AUTH PLAIN !"}) {
    EXPECT_THAT(client.say(words), StartsWith("-ERR ")) << words;
  }
  EXPECT_EQ(client.say("AUTH PLAIN"), "+ ");
  EXPECT_EQ(client.say("*"), "-ERR cancelled");
  EXPECT_EQ(client.say("AUTH PLAIN"), "+ ");
  EXPECT_EQ(client.say("AGFAeABw"), "+OK 0 messages");  // NUL a@x NUL p
  for (const char* words : {"USER b", "RETR 1", "RETR", "RETR 0", "RETR x", "DELE 99999999999999999999",
                            "TOP 1", "TOP 1 x", "LIST 1", "LAST"}) {
    EXPECT_THAT(client.say(words), StartsWith("-ERR ")) << words;
  }
  client.send("NOOP\n");
  EXPECT_EQ(client.line(), "-ERR a line must end in CR LF");
  EXPECT_THAT(client.say("QUIT"), StartsWith("+OK"));
}

TEST(MailSinkAccountsTest, StrangersAreRefused) {
  MailSinkUnderTest sink({.accounts = {{"a@x", "ann", "pw"}}});
  MailClient client(sink.pop3());
  client.line();
  for (const auto& [user, password] : {std::pair("nobody", "pw"), {"ann", "no"}, {"a@x", "pw"}}) {
    EXPECT_THAT(client.say(std::string("USER ") + user), StartsWith("+OK"));
    EXPECT_THAT(client.say(std::string("PASS ") + password), StartsWith("-ERR [AUTH] "));
  }
  client.say("USER ann");
  EXPECT_EQ(client.say("PASS pw"), "+OK 0 messages");
}

TEST(MailSinkDelayTest, AMessageIsHiddenForItsTime) {
  MailSinkUnderTest sink({.visible_after = std::chrono::hours(1)});
  EXPECT_THAT(deliver(*smtp_client(sink), "a@x", "1\r\n"), StartsWith("250 "));
  EXPECT_EQ(pop3_client(sink, "a@x")->say("STAT"), "+OK 0 0");
  EXPECT_EQ(sink.stop().kept, 1U);
}

TEST_F(MailSinkPop3Test, TheLogSaysWhatBecameOfEveryMessage) {
  fill("a@x", {"1\r\n", "2\r\n"});
  fill("\"b b\"@x", {"3\r\n"});
  const auto reader = pop3_client(sink_, "a@x");
  const std::string first = reader->say("UIDL 1").substr(6);
  const std::string second = reader->say("UIDL 2").substr(6);
  const std::string octets = reader->say("LIST 1").substr(6);
  reader->say("RETR 1");
  reader->to_dot();
  reader->say("DELE 2");
  reader->say("QUIT");
  sink_.stop();
  const auto lines = log_lines(file_text(log_));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "delivered a@x " + first + " " + octets);
  EXPECT_EQ(lines[1], "delivered a@x " + second + " " + octets);
  EXPECT_THAT(lines[2], StartsWith("delivered \"b%20b\"@x "));
  EXPECT_EQ(lines[3], "retrieved a@x " + first + " " + octets);
  EXPECT_EQ(lines[4], "deleted a@x " + second + " " + octets);
}

}  // namespace
}  // namespace scalemark::testbed
