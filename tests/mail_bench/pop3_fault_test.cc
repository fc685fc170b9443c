// Everything that a POP3 server, a network or the time can do wrong: each ends the session once, with what it
// was and where, and never leaves deletions for committed that are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "mail_bench/line_reader.h"
#include "mail_bench/pop3_session.h"
#include "tests/mail_bench/pop3_rig.h"
#include "tests/support/mail_peer.h"
#include "tests/support/sockets.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::vector<PeerMail> one_mail{{"uid1", "text\r\n"}};

/// What a server does in order up to a command, which it has read and has not answered.
Script up_to(Pop3Phase phase) {
  Script script;
  if (phase == Pop3Phase::connect || phase == Pop3Phase::greeting) {
    return script;
  }
  script.add(pop3_greeting()).add(pop3_command("USER "));
  if (phase == Pop3Phase::auth) {
    return script.expect("PASS secret\r\n");
  }
  script.add(pop3_command("PASS "));
  if (phase == Pop3Phase::list) {
    return script.expect("UIDL\r\n");
  }
  script.add(pop3_command("UIDL\r\n", pop3_uids(one_mail)));
  if (phase == Pop3Phase::retrieve) {
    return script.expect("RETR 1\r\n");
  }
  script.add(pop3_command("RETR 1\r\n", pop3_text(one_mail[0].text)));
  if (phase == Pop3Phase::remove) {
    return script.expect("DELE 1\r\n");
  }
  return script.add(pop3_command("DELE 1\r\n")).expect("QUIT\r\n");
}

struct Fault {
  std::string name;
  Pop3Phase phase;
  std::string reply;  ///< what comes instead of the right answer
  /// Where the session ends: bytes too many are found when the next command is to be said.
  Pop3Phase end = phase;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.name;
}

template <class Case>
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class Pop3Malformed : public testing::TestWithParam<Fault> {};

TEST_P(Pop3Malformed, EndsTheSessionAtOnce) {
  const Fault& fault = GetParam();
  const ScriptedPeer peer(up_to(fault.phase).send(fault.reply).stall());
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::malformed);
  EXPECT_EQ(result.refusal, Pop3Refusal::none);
  EXPECT_EQ(result.phase, fault.end);
  EXPECT_FALSE(result.committed);
  EXPECT_NE(result.words, "");
  EXPECT_LE(result.words.size(), 200U);
  if (fault.phase != Pop3Phase::quit) {
    EXPECT_THAT(said_to(peer), Not(HasSubstr("QUIT")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Replies, Pop3Malformed,
    testing::Values(
        Fault{"smtp_greeting", Pop3Phase::greeting, "220 mail.test ESMTP\r\n"},
        Fault{"imap_greeting", Pop3Phase::greeting, "* OK ready\r\n"},
        Fault{"empty_greeting", Pop3Phase::greeting, "\r\n"},
        Fault{"challenge_for_a_greeting", Pop3Phase::greeting, "+ \r\n"},
        Fault{"lower_case", Pop3Phase::greeting, "+ok ready\r\n"},
        Fault{"lone_line_feed", Pop3Phase::greeting, "+OK ready\n"},
        Fault{"line_never_ends", Pop3Phase::greeting, "+OK " + std::string(1'000'000, 'x')},
        Fault{"long_line", Pop3Phase::greeting, "+OK " + std::string(LineReader::kMostLine, 'x') + "\r\n"},
        Fault{"two_replies_to_a_login", Pop3Phase::auth, "+OK\r\n+OK\r\n", Pop3Phase::list},
        Fault{"challenge_for_a_password", Pop3Phase::auth, "+ go on\r\n"},
        Fault{"http_for_a_login", Pop3Phase::auth, "HTTP/1.1 400 Bad Request\r\n\r\n"},
        Fault{"list_without_status", Pop3Phase::list, "1 uid1\r\n.\r\n"},
        Fault{"list_line_without_number", Pop3Phase::list, "+OK\r\nuid1\r\n.\r\n"},
        Fault{"list_line_without_name", Pop3Phase::list, "+OK\r\n1\r\n.\r\n"},
        Fault{"list_line_of_message_0", Pop3Phase::list, "+OK\r\n0 uid1\r\n.\r\n"},
        Fault{"status_in_a_list", Pop3Phase::list, "+OK\r\n-ERR disk failed\r\n"},
        Fault{"more_after_a_text", Pop3Phase::retrieve, "+OK\r\ntext\r\n.\r\nmore", Pop3Phase::remove},
        Fault{"text_without_status", Pop3Phase::retrieve, "Subject: x\r\n\r\nx\r\n.\r\n"},
        Fault{"deleted_twice", Pop3Phase::remove, "+OK\r\n+OK\r\n", Pop3Phase::quit},
        Fault{"number_for_a_deletion", Pop3Phase::remove, "250 deleted\r\n"},
        Fault{"number_for_quit", Pop3Phase::quit, "221 bye\r\n"}),
    name_of_case<Fault>);

/// A refusal, and what it must be taken for.
struct Refusal {
  std::string name;
  Pop3Phase phase;
  std::string words;
  Pop3Refusal refusal;
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << refusal.name;
}

class Pop3Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Pop3Refused, SaysQuitAndWaitsForItsReply) {
  const Refusal& refusal = GetParam();
  Gate gate;
  const ScriptedPeer peer(up_to(refusal.phase)
                              .send("-ERR " + refusal.words + "\r\n")
                              .expect("QUIT\r\n")
                              .wait(gate)
                              .send("+OK\r\n")
                              .close());
  Pop3Rig rig(peer.endpoint());
  rig.begin();
  ASSERT_TRUE(rig.mail.run_until([&] { return gate.arrivals() == 1; }));
  rig.mail.settle();
  EXPECT_TRUE(rig.session.busy());
  gate.open();
  const Pop3Result result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.refusal, refusal.refusal);
  EXPECT_EQ(result.phase, refusal.phase);
  EXPECT_EQ(result.words, refusal.words);
  EXPECT_EQ(result.committed, refusal.phase > Pop3Phase::auth);
  EXPECT_THAT(said_to(peer), EndsWith("QUIT\r\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, Pop3Refused,
    testing::Values(Refusal{"in_use", Pop3Phase::auth, "[IN-USE] busy", Pop3Refusal::locked},
                    Refusal{"locked_by_its_words", Pop3Phase::auth, "maildrop already locked",
                            Pop3Refusal::locked},
                    Refusal{"temporary", Pop3Phase::auth, "[SYS/TEMP] try later", Pop3Refusal::temporary},
                    Refusal{"too_soon", Pop3Phase::auth, "[LOGIN-DELAY] slowly", Pop3Refusal::temporary},
                    Refusal{"wrong_password", Pop3Phase::auth, "[AUTH] no", Pop3Refusal::login},
                    Refusal{"for_good", Pop3Phase::auth, "[SYS/PERM] gone", Pop3Refusal::login},
                    Refusal{"bare", Pop3Phase::auth, "", Pop3Refusal::login},
                    Refusal{"greeting", Pop3Phase::greeting, "too many connections", Pop3Refusal::temporary},
                    Refusal{"list", Pop3Phase::list, "[SYS/TEMP] disk", Pop3Refusal::temporary},
                    Refusal{"list_locked", Pop3Phase::list, "[IN-USE] syncing", Pop3Refusal::locked},
                    Refusal{"text", Pop3Phase::retrieve, "no such message", Pop3Refusal::temporary},
                    Refusal{"deletion", Pop3Phase::remove, "", Pop3Refusal::temporary}),
    name_of_case<Refusal>);

TEST(Pop3Fault, CommitsWhatWasDeletedBeforeARefusal) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({{"a", ""}, {"b", ""}})))
                              .add(pop3_fetch(1, "a\r\n"))
                              .add(pop3_command("RETR 2\r\n", "-ERR disk failed\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.refusal, Pop3Refusal::temporary);
  EXPECT_EQ(result.deleted, 1U);
  EXPECT_TRUE(result.committed);
  EXPECT_THAT(
      rig.mail.steps.order(),
      testing::ElementsAre(Step::pop3_connect, Step::pop3_greeting, Step::pop3_auth, Step::pop3_list,
                           Step::pop3_first_byte, Step::pop3_last_byte, Step::pop3_delete, Step::pop3_quit));
}

TEST(Pop3Fault, AsksNoFurtherWhenNeitherUidlNorStatIsKnown) {
  const ScriptedPeer peer(up_to(Pop3Phase::list)
                              .send("-ERR unknown\r\n")
                              .add(pop3_command("STAT\r\n", "-ERR unknown\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.refusal, Pop3Refusal::temporary);
  EXPECT_EQ(result.phase, Pop3Phase::list);
}

TEST(Pop3Fault, ReportsTheRefusalWhenTheServerHangsUpOnIt) {
  const ScriptedPeer peer({up_to(Pop3Phase::auth).send("-ERR [IN-USE] locked\r\n").close(),
                           up_to(Pop3Phase::auth).send("-ERR [IN-USE] locked\r\n").reset()});
  Pop3Rig rig(peer.endpoint());
  for (int session = 0; session < 2; ++session) {
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.outcome, Outcome::bad_status);
    EXPECT_EQ(result.refusal, Pop3Refusal::locked);
    EXPECT_EQ(result.phase, Pop3Phase::auth);
  }
}

TEST(Pop3Fault, WaitsTwoSecondsForTheGoodByeOfAServerThatTurnsItAway) {
  const ScriptedPeer peer(up_to(Pop3Phase::auth).send("-ERR [IN-USE] locked\r\n").expect("QUIT\r\n").stall());
  Pop3Rig rig(peer.endpoint());
  rig.begin();
  ASSERT_TRUE(rig.mail.run_until([&] { return said_to(peer).ends_with("QUIT\r\n"); }));
  rig.pass(1999ms);
  EXPECT_TRUE(rig.session.busy());
  rig.pass(1ms);
  EXPECT_FALSE(rig.session.busy());
  EXPECT_EQ(rig.results.at(0).refusal, Pop3Refusal::locked);
}

TEST(Pop3Fault, NeedsATimeStampForApop) {
  const ScriptedPeer peer(pop3_greeting("+OK ready\r\n").add(pop3_quit()));
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::apop});
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.refusal, Pop3Refusal::login);
  EXPECT_THAT(result.words, HasSubstr("APOP"));
}

TEST(Pop3Fault, SaysNoPlainLoginThatIsNotOffered) {
  for (const std::string capability : {"SASL LOGIN", "UIDL"}) {
    const ScriptedPeer peer(pop3_greeting().add(pop3_capabilities({capability})).add(pop3_quit()));
    Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::plain});
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.refusal, Pop3Refusal::login);
    EXPECT_EQ(said_to(peer), "CAPA\r\nQUIT\r\n");
  }
}

TEST(Pop3Fault, AnswersOneChallengeOnly) {
  const ScriptedPeer peer(pop3_greeting()
                              .add(pop3_capabilities({"SASL PLAIN"}))
                              .add(pop3_command("AUTH PLAIN ", "+ and what else?\r\n"))
                              .stall());
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::plain});
  EXPECT_EQ(rig.run().outcome, Outcome::malformed);
}

TEST(Pop3Fault, EndsAListOfCapabilitiesThatDoesNotEnd) {
  const ScriptedPeer peer(
      pop3_greeting().add(pop3_capabilities(std::vector<std::string>(1000, "X-AND-SO-ON"))).stall());
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::plain});
  EXPECT_EQ(rig.run().outcome, Outcome::malformed);
}

constexpr Pop3Phase kPhases[] = {Pop3Phase::greeting, Pop3Phase::auth,   Pop3Phase::list,
                                 Pop3Phase::retrieve, Pop3Phase::remove, Pop3Phase::quit};

TEST(Pop3Fault, SaysWhereTheServerClosedOrReset) {
  for (const Pop3Phase phase : kPhases) {
    Gate gate;
    const ScriptedPeer peer({up_to(phase).wait(gate).close(), up_to(phase).wait(gate).reset()});
    Pop3Rig rig(peer.endpoint());
    rig.mail.keep_in_step_with(gate);
    for (const Outcome outcome : {Outcome::closed_early, Outcome::reset}) {
      const Pop3Result result = rig.run();
      EXPECT_EQ(result.outcome, outcome) << static_cast<int>(phase);
      EXPECT_EQ(result.phase, phase);
      EXPECT_EQ(result.refusal, Pop3Refusal::none);
      EXPECT_FALSE(result.committed);
    }
  }
}

TEST(Pop3Fault, EndsOnceTheTimeOfAWholeSessionIsOver) {
  for (const Pop3Phase phase : kPhases) {
    Gate gate;
    const ScriptedPeer peer(up_to(phase).wait(gate).stall());
    Pop3Rig rig(peer.endpoint(), {.timeout = 30s});
    rig.begin();
    ASSERT_TRUE(rig.mail.run_until([&] { return gate.arrivals() == 1; }));
    rig.mail.settle();
    rig.pass(29'999ms);
    ASSERT_TRUE(rig.session.busy());
    rig.pass(1ms);
    ASSERT_FALSE(rig.session.busy()) << static_cast<int>(phase);
    EXPECT_EQ(rig.results[0].outcome, Outcome::read_timeout);
    EXPECT_EQ(rig.results[0].phase, phase);
    EXPECT_FALSE(rig.results[0].committed);
    EXPECT_EQ(rig.results[0].ended - rig.results[0].begun, 30s);
  }
}

TEST(Pop3Fault, GivesAServerThatTricklesNoMoreTime) {
  Gate gate;
  const ScriptedPeer peer(up_to(Pop3Phase::retrieve)
                              .send("+OK\r\n")
                              .repeat_forever(Script().wait(gate).send("one more line\r\n")));
  Pop3Rig rig(peer.endpoint(), {.timeout = 30s});
  rig.begin();
  for (int second = 0; second < 30; ++second) {
    ASSERT_TRUE(rig.session.busy());
    ASSERT_TRUE(rig.mail.run_until([&] { return gate.open_if_awaited(); }));
    rig.pass(1s);
  }
  ASSERT_FALSE(rig.session.busy());
  EXPECT_EQ(rig.results[0].outcome, Outcome::read_timeout);
  EXPECT_EQ(rig.results[0].phase, Pop3Phase::retrieve);
}

TEST(Pop3Fault, SaysThatThereIsNoConnection) {
  const RefusedPort refused;
  Pop3Rig nobody(refused.endpoint());
  const Pop3Result result = nobody.run();
  EXPECT_EQ(result.outcome, Outcome::connect_refused);
  EXPECT_EQ(result.phase, Pop3Phase::connect);

  const FullBacklogPort full;
  Pop3Rig rig(full.endpoint(), {.connect_timeout = 10s, .timeout = 30s});
  rig.begin();
  rig.mail.settle();
  rig.pass(9999ms);
  EXPECT_TRUE(rig.session.busy());
  rig.pass(1ms);
  ASSERT_FALSE(rig.session.busy());
  EXPECT_EQ(rig.results[0].outcome, Outcome::connect_timeout);
  EXPECT_EQ(rig.results[0].phase, Pop3Phase::connect);
}

TEST(Pop3Fault, ReportsAQuitThatWasRefused) {
  const ScriptedPeer peer(up_to(Pop3Phase::quit).send("-ERR some deleted messages not removed\r\n").close());
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.refusal, Pop3Refusal::temporary);
  EXPECT_EQ(result.phase, Pop3Phase::quit);
  EXPECT_EQ(result.deleted, 1U);
  EXPECT_FALSE(result.committed);
}

TEST(Pop3Fault, SeesAMessageAgainWhoseDeletionWasNotCommitted) {
  const ScriptedPeer peer({up_to(Pop3Phase::quit).close(), pop3_server(one_mail)});
  Pop3Rig rig(peer.endpoint());
  const Pop3Result first = rig.run();
  EXPECT_EQ(first.fetched, 1U);
  EXPECT_EQ(first.deleted, 1U);
  EXPECT_FALSE(first.committed);
  const Pop3Result second = rig.run();
  EXPECT_TRUE(second.committed);
  ASSERT_EQ(rig.fetched.size(), 2U);
  EXPECT_EQ(rig.fetched[0].uid, rig.fetched[1].uid);
}

TEST(Pop3Fault, ReportsNoStepThatDidNotEndWell) {
  const ScriptedPeer peer(up_to(Pop3Phase::auth).send("-ERR no\r\n").add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  rig.run();
  EXPECT_THAT(rig.mail.steps.order(), testing::ElementsAre(Step::pop3_connect, Step::pop3_greeting));
}

}  // namespace
}  // namespace scalemark::mail
