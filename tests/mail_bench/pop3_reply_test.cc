#include "mail_bench/pop3_reply.h"

#include <gtest/gtest.h>

#include <string>

#include "mail_bench/pop3_list.h"
#include "mail_bench/pop3_login.h"

namespace scalemark::mail {
namespace {

TEST(Pop3Reply, IsOkOrErrAndNothingElse) {
  EXPECT_EQ(read_pop3_reply("+OK").status, Pop3Status::ok);
  EXPECT_EQ(read_pop3_reply("+OK").text, "");
  EXPECT_EQ(read_pop3_reply("+OK  2 320").text, "2 320");
  EXPECT_EQ(read_pop3_reply("-ERR").status, Pop3Status::error);
  EXPECT_EQ(read_pop3_reply("-ERR [AUTH] no").text, "[AUTH] no");
  EXPECT_EQ(read_pop3_reply("+ ").status, Pop3Status::go_on);
  EXPECT_EQ(read_pop3_reply("+").status, Pop3Status::go_on);
  for (const char* line : {"", " ", "OK", "+ok", "+OKAY", "-ERROR", "ERR", "* OK", "220 hello", " +OK", "-",
                           "+OK\tready", "\x16\x03\x01"}) {
    EXPECT_EQ(read_pop3_reply(line).status, Pop3Status::malformed) << line;
    EXPECT_EQ(read_pop3_reply(line).text, line);
  }
}

TEST(Pop3Reply, SaysWhyByItsCode) {
  for (const bool login : {true, false}) {
    EXPECT_EQ(refusal_of("[IN-USE] Do you have another POP session running?", login), Pop3Refusal::locked);
    EXPECT_EQ(refusal_of("[in-use]", login), Pop3Refusal::locked);
    EXPECT_EQ(refusal_of("[SYS/TEMP] Temporary internal error", login), Pop3Refusal::temporary);
    EXPECT_EQ(refusal_of("[LOGIN-DELAY 60] wait", login), Pop3Refusal::temporary);
    EXPECT_EQ(refusal_of("[SYS/PERM] no such mailbox; it is not locked", login), Pop3Refusal::login);
    EXPECT_EQ(refusal_of("[AUTH] Authentication failed.", login), Pop3Refusal::login);
  }
}

TEST(Pop3Reply, SaysThatTheMailboxIsLockedByItsWords) {
  for (const char* words :
       {"maildrop already locked", "Mailbox is locked by another POP3 session",
        "[IN-USE] Unable to lock maildrop", "unable to lock maildrop", "Your mailbox is already locked",
        "could not aquire lock for maildrop user1", "Mailbox lock busy, try later", "mailbox in use",
        "INBOX is busy", "Your account is in use, try later.", "[X-NEW] maildrop locked",
        "Is another session active? (11) lock busy!", "[IN-USE", "The mail drop is already open"}) {
    EXPECT_EQ(refusal_of(words, true), Pop3Refusal::locked) << words;
    EXPECT_EQ(refusal_of(words, false), Pop3Refusal::locked) << words;
  }
}

TEST(Pop3Reply, TakesALockedAccountForNoLockedMailbox) {
  for (const char* words : {"account is locked", "user locked out", "mailbox blocked by the administrator",
                            "your mailbox must be unlocked first", "mailbox not found"}) {
    EXPECT_EQ(refusal_of(words, true), Pop3Refusal::login) << words;
    EXPECT_EQ(refusal_of(words, false), Pop3Refusal::temporary) << words;
  }
}

TEST(Pop3Reply, TakesABareErrorForWhatWasAskedFor) {
  EXPECT_EQ(refusal_of("", true), Pop3Refusal::login);
  EXPECT_EQ(refusal_of("invalid password", true), Pop3Refusal::login);
  EXPECT_EQ(refusal_of("", false), Pop3Refusal::temporary);
  EXPECT_EQ(refusal_of("no such message", false), Pop3Refusal::temporary);
}

TEST(Pop3Reply, BelievesALoginThatIsRefusedForNow) {
  for (const char* words :
       {"internal server error", "Temporary authentication failure", "Service unavailable",
        "please try again", "Maximum number of connections from user+IP exceeded", "Too many connections"}) {
    EXPECT_EQ(refusal_of(words, true), Pop3Refusal::temporary) << words;
  }
}

TEST(Pop3Reply, FindsTheTimeStampOfAGreeting) {
  EXPECT_EQ(time_stamp_of("POP3 server ready <1896.697170952@dbc.mtview.ca.us>"),
            "<1896.697170952@dbc.mtview.ca.us>");
  EXPECT_EQ(time_stamp_of("<a@b> and more"), "<a@b>");
  for (const char* without : {"", "ready", "<no at sign>", "<never@ends", "wrong> way <"}) {
    EXPECT_EQ(time_stamp_of(without), "") << without;
  }
}

TEST(Pop3Reply, ReadsCountsAndNames) {
  EXPECT_EQ(read_message_count("2 320"), 2U);
  EXPECT_EQ(read_message_count("0 0 and words"), 0U);
  EXPECT_EQ(read_message_count("7"), 7U);
  for (const char* wrong : {"", "two 320", "-1 0", "99999999999 1", "2x 320"}) {
    EXPECT_FALSE(read_message_count(wrong)) << wrong;
  }
  const auto uid = read_uid("12 QhdPYR:00WBw1Ph7x7");
  ASSERT_TRUE(uid);
  EXPECT_EQ(uid->number, 12U);
  EXPECT_EQ(uid->uid, "QhdPYR:00WBw1Ph7x7");
  for (const char* wrong : {"", "1", "1 ", "0 uid", "x uid", "+OK", "99999999999 uid"}) {
    EXPECT_FALSE(read_uid(wrong)) << wrong;
  }
}

TEST(Pop3Reply, NotesWhatIsOffered) {
  Pop3Offers offers;
  for (const char* line : {"TOP", "UIDL", "STLSX", "SASL CRAM-MD5 PLAINX", "SASLX PLAIN"}) {
    offers.note(line);
  }
  EXPECT_FALSE(offers.stls);
  EXPECT_FALSE(offers.sasl_plain);
  offers.note("STLS");
  offers.note("sasl LOGIN plain DIGEST-MD5");
  EXPECT_TRUE(offers.stls);
  EXPECT_TRUE(offers.sasl_plain);
}

TEST(Pop3Login, DigestsAsTheStandardDoes) {
  std::string out;
  EXPECT_TRUE(append_apop(out, "<1896.697170952@dbc.mtview.ca.us>", {"mrose", "tanstaaf"}));
  EXPECT_EQ(out, "APOP mrose c4c9334bac560ecc979e58001b3e22fb\r\n");
}

TEST(Pop3Login, SaysPlainInOneLineWhereItFits) {
  std::string out;
  EXPECT_TRUE(append_auth_plain(out, {"test", "test"}));
  EXPECT_EQ(out, "AUTH PLAIN AHRlc3QAdGVzdA==\r\n");
  const std::string name(100, 'n');
  out.clear();
  EXPECT_TRUE(append_auth_plain(out, {name, std::string(78, 'p')}));
  EXPECT_LE(out.size(), 255U);
  out.clear();
  EXPECT_FALSE(append_auth_plain(out, {name, std::string(79, 'p')}));
  EXPECT_EQ(out, "AUTH PLAIN\r\n");
}

TEST(Pop3List, GivesMessagesInTheirOrderUpToALimit) {
  Pop3List list;
  list.begin(2);
  for (const std::uint32_t number : {4U, 7U, 9U}) {
    EXPECT_TRUE(list.add({number, "uid" + std::to_string(number)}));
  }
  EXPECT_EQ(list.listed(), 3U);
  const Pop3List::Message first = list.next();
  const Pop3List::Message second = list.next();
  EXPECT_TRUE(list.done());
  EXPECT_EQ(first.number, 4U);
  EXPECT_EQ(first.uid, "uid4");
  EXPECT_EQ(second.number, 7U);
  EXPECT_EQ(second.uid, "uid7");
}

TEST(Pop3List, NumbersMessagesWithoutNames) {
  Pop3List list;
  list.begin(0);
  EXPECT_TRUE(list.add_numbered(2));
  EXPECT_EQ(list.next().number, 1U);
  EXPECT_EQ(list.next().number, 2U);
  EXPECT_TRUE(list.done());
  list.begin(0);
  EXPECT_TRUE(list.done());
  EXPECT_FALSE(list.add_numbered(Pop3List::kMost + 1));
}

TEST(Pop3List, EndsAListThatNeverEnds) {
  Pop3List list;
  list.begin(1);
  for (std::uint32_t i = 1; i <= Pop3List::kMost; ++i) {
    ASSERT_TRUE(list.add({i, "x"}));
  }
  EXPECT_FALSE(list.add({1, "x"}));
}

}  // namespace
}  // namespace scalemark::mail
