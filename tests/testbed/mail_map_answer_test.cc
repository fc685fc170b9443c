#include "testbed/mail_map_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace scalemark::testbed {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Outcome = MailMapOutcome;

MailMapHeaders recipient(const std::string& command) {
  return {"smtp", "none", "", "", command};
}

MailMapHeaders login(const std::string& protocol, const std::string& user, const std::string& password) {
  return {protocol, "plain", user, password, ""};
}

MailMapQuestion question(const MailMapHeaders& headers) {
  const auto read = understand(headers);
  const auto* question = std::get_if<MailMapQuestion>(&read);
  EXPECT_NE(question, nullptr) << headers.recipient << headers.user;
  return question == nullptr ? MailMapQuestion{} : *question;
}

MailMapAnswer refusal(const MailMapHeaders& headers) {
  const auto read = understand(headers);
  const auto* answer = std::get_if<MailMapAnswer>(&read);
  EXPECT_NE(answer, nullptr) << headers.recipient << headers.user;
  return answer == nullptr ? MailMapAnswer{} : *answer;
}

MailMapRow row(const std::string& node, const std::optional<std::string>& password = "secret") {
  return {Outcome::found, node, password};
}

MailMapRow no_row(Outcome outcome) {
  return {outcome, "", std::nullopt};
}

const MailMapPorts kPorts{2525, 1110};

TEST(MailMapAnswerTest, SmtpWithoutLoginGoesByTheRecipient) {
  const MailMapQuestion asked = question(recipient("RCPT TO:<u1@bench.test>"));
  EXPECT_EQ(asked.protocol, MailMapProtocol::smtp);
  EXPECT_EQ(asked.name, "u1@bench.test");
  EXPECT_EQ(asked.password, std::nullopt);
}

TEST(MailMapAnswerTest, RecipientsAreReadAsClientsWriteThem) {
  for (const char* command :
       {"RCPT TO:<u1@bench.test>", "rcpt to:<U1@Bench.TEST> NOTIFY=NEVER", "RCPT TO: <u1@bench.test>",
        "Rcpt  To:<u1@bench.test> SIZE=5 BODY=8BITMIME", "RCPT TO:<u1@bench.test> "}) {
    EXPECT_EQ(question(recipient(command)).name, "u1@bench.test") << command;
  }
  EXPECT_EQ(question(recipient("RCPT TO:<\"a >b\"@bench.test>")).name, "\"a >b\"@bench.test");
  EXPECT_EQ(question(recipient("RCPT TO:<\xc3\x84@bench.test>")).name, "\xc3\x84@bench.test");
}

TEST(MailMapAnswerTest, WhatIsNoRecipientIsRefused) {
  for (const char* command :
       {"", "RCPT", "RCPT TO:", "RCPT TO:<>", "RCPT TO:u1@bench.test", "RCPT TO:<u1@bench.test",
        "MAIL FROM:<u1@bench.test>", "RCPT FROM:<u1@bench.test>", "RCPT TO:<a b@bench.test>",
        "RCPT TO:<a@b.test>x"}) {
    const MailMapAnswer answer = refusal(recipient(command));
    EXPECT_EQ(answer.outcome, Outcome::refused) << command;
    EXPECT_THAT(answer.headers, ElementsAre(Pair("Auth-Status", "bad recipient address"),
                                            Pair("Auth-Error-Code", "501 5.1.3")));
  }
}

TEST(MailMapAnswerTest, LoginsGoByNameAndPassword) {
  const MailMapQuestion pop3 = question(login("pop3", "U1@Bench.test", "Secret"));
  EXPECT_EQ(pop3.protocol, MailMapProtocol::pop3);
  EXPECT_EQ(pop3.name, "u1@bench.test");
  EXPECT_EQ(pop3.password, "Secret");
  const MailMapQuestion smtp = question(login("smtp", "u1@bench.test", ""));
  EXPECT_EQ(smtp.protocol, MailMapProtocol::smtp);
  EXPECT_EQ(smtp.password, "");
}

TEST(MailMapAnswerTest, LoginsAreUrlDecoded) {
  const MailMapQuestion asked = question(login("pop3", "A%20b%25%c3%84@bench.test", "%20a+b%zz%41"));
  EXPECT_EQ(asked.name, "a b%\xc3\x84@bench.test");
  EXPECT_EQ(asked.password, " a+b%zzA");
}

TEST(MailMapAnswerTest, ANameWithAZeroByteIsNobodys) {
  for (const char* user : {"", "u1@bench.test%00x", "%00"}) {
    const MailMapAnswer answer = refusal(login("pop3", user, "x"));
    EXPECT_EQ(answer.outcome, Outcome::refused);
    EXPECT_THAT(answer.headers, ElementsAre(Pair("Auth-Status", "Invalid login or password")));
  }
  EXPECT_THAT(
      refusal(login("smtp", "", "x")).headers,
      ElementsAre(Pair("Auth-Status", "Invalid login or password"), Pair("Auth-Error-Code", "535 5.7.8")));
}

TEST(MailMapAnswerTest, OtherLoginsAndProtocolsAreRefused) {
  for (const char* method : {"apop", "cram-md5", "external", "", "none"}) {
    const MailMapAnswer answer = refusal({"pop3", method, "u1@bench.test", "x", "RCPT TO:<u1@bench.test>"});
    EXPECT_EQ(answer.outcome, Outcome::refused) << method;
    EXPECT_THAT(answer.headers, ElementsAre(Pair("Auth-Status", "this way to log in is not supported")));
  }
  EXPECT_THAT(refusal({"smtp", "cram-md5", "u1@bench.test", "x", ""}).headers,
              ElementsAre(Pair("Auth-Status", "this way to log in is not supported"),
                          Pair("Auth-Error-Code", "504 5.5.4")));
  for (const char* protocol : {"", "imap", "SMTP"}) {
    EXPECT_THAT(refusal(login(protocol, "u1@bench.test", "x")).headers,
                ElementsAre(Pair("Auth-Status", "this mail map knows smtp and pop3 alone")));
  }
}

TEST(MailMapAnswerTest, FoundNamesNodeAndPort) {
  const MailMapAnswer smtp =
      answer_to(question(recipient("RCPT TO:<u1@bench.test>")), row("10.0.0.7"), kPorts);
  EXPECT_EQ(smtp.outcome, Outcome::found);
  EXPECT_THAT(smtp.headers, ElementsAre(Pair("Auth-Status", "OK"), Pair("Auth-Server", "10.0.0.7"),
                                        Pair("Auth-Port", "2525")));
  const MailMapAnswer pop3 =
      answer_to(question(login("pop3", "u1@b.test", "secret")), row("fd00::7"), kPorts);
  EXPECT_THAT(pop3.headers, ElementsAre(Pair("Auth-Status", "OK"), Pair("Auth-Server", "fd00::7"),
                                        Pair("Auth-Port", "1110")));
}

TEST(MailMapAnswerTest, ARecipientNeedsNoPassword) {
  const auto asked = question(recipient("RCPT TO:<u1@bench.test>"));
  EXPECT_EQ(answer_to(asked, row("10.0.0.7", std::nullopt), kPorts).outcome, Outcome::found);
}

TEST(MailMapAnswerTest, UnknownRecipientsAreTold) {
  const MailMapAnswer answer =
      answer_to(question(recipient("RCPT TO:<u1@bench.test>")), no_row(Outcome::unknown), kPorts);
  EXPECT_EQ(answer.outcome, Outcome::unknown);
  EXPECT_THAT(answer.headers,
              ElementsAre(Pair("Auth-Status", "no such mailbox"), Pair("Auth-Error-Code", "550 5.1.1")));
}

TEST(MailMapAnswerTest, UnknownLoginsHearTheSameAsWrongPasswords) {
  for (const char* protocol : {"pop3", "smtp"}) {
    const auto asked = question(login(protocol, "u1@bench.test", "other"));
    const MailMapAnswer unknown = answer_to(asked, no_row(Outcome::unknown), kPorts);
    const MailMapAnswer wrong = answer_to(asked, row("10.0.0.7"), kPorts);
    EXPECT_EQ(unknown.outcome, Outcome::unknown);
    EXPECT_EQ(wrong.outcome, Outcome::wrong_password);
    EXPECT_EQ(unknown.headers, wrong.headers);
    EXPECT_THAT(wrong.headers.at(0), Pair("Auth-Status", "Invalid login or password"));
  }
}

TEST(MailMapAnswerTest, PasswordsAreComparedWhole) {
  const auto outcome = [](const std::string& said, const std::optional<std::string>& kept) {
    return answer_to(question(login("pop3", "u1@bench.test", said)), row("10.0.0.7", kept), kPorts).outcome;
  };
  EXPECT_EQ(outcome("secret", "secret"), Outcome::found);
  for (const char* wrong : {"Secret", "secre", "secrets", "secret%00", "", "secret%20"}) {
    EXPECT_EQ(outcome(wrong, "secret"), Outcome::wrong_password) << wrong;
  }
  EXPECT_EQ(outcome("", std::nullopt), Outcome::wrong_password);
}

TEST(MailMapAnswerTest, TroubleIsATemporaryFailure) {
  for (const Outcome cause :
       {Outcome::timed_out, Outcome::line_full, Outcome::away, Outcome::failed, Outcome::stopping}) {
    const MailMapAnswer smtp =
        answer_to(question(recipient("RCPT TO:<u1@bench.test>")), no_row(cause), kPorts);
    EXPECT_EQ(smtp.outcome, cause);
    EXPECT_TRUE(is_temporary(smtp.outcome));
    EXPECT_THAT(smtp.headers, ElementsAre(Pair("Auth-Status", "temporary failure"),
                                          Pair("Auth-Error-Code", "451 4.3.0"), Pair("Auth-Wait", "1")));
    const MailMapAnswer pop3 =
        answer_to(question(login("pop3", "u1@b.test", "secret")), no_row(cause), kPorts);
    EXPECT_EQ(pop3.outcome, cause);
    EXPECT_THAT(pop3.headers,
                ElementsAre(Pair("Auth-Status", "[SYS/TEMP] temporary failure"), Pair("Auth-Wait", "1")));
  }
}

TEST(MailMapAnswerTest, ANodeThatIsNoAddressIsATemporaryFailure) {
  for (const char* node : {"", "node7", "10.0.0.7/24", "10.0.0", "10.0.0.7 ", "10.0.0.7\r\nAuth-Port: 1"}) {
    const auto answer = answer_to(question(recipient("RCPT TO:<u1@bench.test>")), row(node), kPorts);
    EXPECT_EQ(answer.outcome, Outcome::no_node) << node;
    EXPECT_THAT(answer.headers.at(1), Pair("Auth-Error-Code", "451 4.3.0"));
  }
}

TEST(MailMapAnswerTest, EveryOutcomeHasItsWords) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < kMailMapOutcomes; ++i) {
    words.insert(words_of(static_cast<Outcome>(i)));
  }
  EXPECT_EQ(words.size(), kMailMapOutcomes);
  EXPECT_EQ(words_of(Outcome::away), std::string("database away"));
  EXPECT_EQ(words_of(Outcome::stopping), std::string("service ending"));
  EXPECT_FALSE(is_temporary(Outcome::refused));
}

}  // namespace
}  // namespace scalemark::testbed
