// POP3 sessions with servers that do as they should, in all the ways that they may.
#include "mail_bench/pop3_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/mail_bench/pop3_rig.h"
#include "tests/support/mail_peer.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using testing::ElementsAre;

const std::string login_said = "USER user1@example.test\r\nPASS secret\r\n";

std::vector<std::string> texts_of(const Pop3Rig& rig) {
  std::vector<std::string> texts;
  for (const Pop3Rig::Seen& message : rig.fetched) {
    texts.push_back(message.text);
  }
  return texts;
}

TEST(Pop3Session, FetchesDeletesAndQuits) {
  const ScriptedPeer peer(pop3_server({{"a1", "one\r\n"}, {"b2", "two\r\n"}}));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good) << result.words;
  EXPECT_EQ(result.refusal, Pop3Refusal::none);
  EXPECT_EQ(result.phase, Pop3Phase::quit);
  EXPECT_EQ(result.words, "");
  EXPECT_EQ(result.listed, 2U);
  EXPECT_EQ(result.fetched, 2U);
  EXPECT_EQ(result.deleted, 2U);
  EXPECT_TRUE(result.committed);
  EXPECT_FALSE(rig.session.busy());
  ASSERT_EQ(rig.fetched.size(), 2U);
  EXPECT_EQ(rig.fetched[0].uid, "a1");
  EXPECT_EQ(rig.fetched[1].uid, "b2");
  EXPECT_THAT(texts_of(rig), ElementsAre("one\r\n", "two\r\n"));
  EXPECT_EQ(said_to(peer), login_said + "UIDL\r\nRETR 1\r\nDELE 1\r\nRETR 2\r\nDELE 2\r\nQUIT\r\n");
}

TEST(Pop3Session, CommitsAnEmptyPoll) {
  const ScriptedPeer peer(pop3_server());
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_TRUE(result.committed);
  EXPECT_EQ(result.listed, 0U);
  EXPECT_EQ(said_to(peer), login_said + "UIDL\r\nQUIT\r\n");
}

TEST(Pop3Session, TakesAwayOneDotOfEachLineWhereverTheTextIsCut) {
  const std::string text = ".first\r\n..\r\nmiddle .\r\n.\r\n.\nlone\r.x\r\n\r\n.last\r\n..\r\n";
  Gate gate;
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({{"x", ""}})))
                              .expect("RETR 1\r\n")
                              .send_byte_by_byte(pop3_text(text), gate)
                              .add(pop3_command("DELE 1\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  rig.mail.keep_in_step_with(gate);
  EXPECT_EQ(rig.run().outcome, Outcome::good);
  EXPECT_THAT(texts_of(rig), ElementsAre(text));
}

TEST(Pop3Session, GivesTextsThatEndInALineEndWhateverTheirLength) {
  const std::string long_text = [] {
    std::string text;
    for (int line = 0; text.size() < 3'000'000; ++line) {
      text += (line % 7 == 0 ? "." : "") + std::to_string(line) + std::string(70, 'x') + "\r\n";
    }
    return text;
  }();
  const std::vector<PeerMail> mails{{"empty", ""}, {"line", "\r\n"}, {"long", long_text}, {"short", "x\r\n"}};
  const ScriptedPeer peer(pop3_server(mails));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.deleted, 4U);
  EXPECT_GT(result.received_bytes, long_text.size());
  ASSERT_EQ(rig.fetched.size(), 4U);
  for (std::size_t i = 0; i < mails.size(); ++i) {
    EXPECT_TRUE(rig.fetched[i].text == mails[i].text) << mails[i].uid;
  }
}

TEST(Pop3Session, BelievesNoOctetCount) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({{"x", ""}})))
                              .add(pop3_command("RETR 1\r\n", "+OK 3 octets\r\nlonger than that\r\n.\r\n"))
                              .add(pop3_command("DELE 1\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  EXPECT_EQ(rig.run().outcome, Outcome::good);
  EXPECT_THAT(texts_of(rig), ElementsAre("longer than that\r\n"));
}

TEST(Pop3Session, SaysNothingBeforeTheGreetingIsComplete) {
  Gate gate;
  const ScriptedPeer peer(
      Script().send_byte_by_byte("+OK hello\r\n", gate).add(pop3_login()).add(pop3_collection({})));
  Pop3Rig rig(peer.endpoint());
  rig.begin();
  for (int byte = 0; byte < 10; ++byte) {
    ASSERT_TRUE(rig.mail.run_until([&] { return gate.open_if_awaited(); }));
    rig.mail.settle();
    EXPECT_EQ(said_to(peer), "");
  }
  rig.mail.keep_in_step_with(gate);
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
}

TEST(Pop3Session, TakesRepliesWithoutWords) {
  const ScriptedPeer peer(pop3_greeting("+OK\r\n").add(pop3_login()).add(pop3_collection({{"x", "x\r\n"}})));
  Pop3Rig rig(peer.endpoint());
  EXPECT_EQ(rig.run().outcome, Outcome::good);
}

TEST(Pop3Session, FindsMessagesByWhatTheServerCallsThem) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", "+OK\r\n3 three\r\n17 seventeen\r\n.\r\n"))
                              .add(pop3_fetch(3, "3\r\n"))
                              .add(pop3_fetch(17, "17\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  EXPECT_EQ(rig.run().deleted, 2U);
  EXPECT_EQ(rig.fetched[1].uid, "seventeen");
  EXPECT_EQ(rig.fetched[1].text, "17\r\n");
}

TEST(Pop3Session, KeepsWhatItsOwnerKeeps) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({{"a", ""}, {"b", ""}, {"c", ""}})))
                              .add(pop3_command("RETR 1\r\n", pop3_text("a\r\n")))
                              .add(pop3_fetch(2, "b\r\n"))
                              .add(pop3_command("RETR 3\r\n", pop3_text("c\r\n")))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  rig.on_message = [](const Fetched& message) { return message.uid == "b"; };
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.fetched, 3U);
  EXPECT_EQ(result.deleted, 1U);
  EXPECT_TRUE(result.committed);
}

TEST(Pop3Session, FetchesNoMoreThanItIsAskedFor) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({{"a", ""}, {"b", ""}, {"c", ""}})))
                              .add(pop3_fetch(1, "a\r\n"))
                              .add(pop3_fetch(2, "b\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run(Pop3Rig::Work::collect, 2);
  EXPECT_EQ(result.listed, 3U);
  EXPECT_EQ(result.fetched, 2U);
  EXPECT_TRUE(result.committed);
}

TEST(Pop3Session, CountsWithoutFetching) {
  const ScriptedPeer peer(pop3_opening().add(pop3_command("STAT\r\n", "+OK 3 4711\r\n")).add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run(Pop3Rig::Work::count);
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.listed, 3U);
  EXPECT_EQ(result.fetched + result.deleted, 0U);
}

TEST(Pop3Session, EmptiesWithoutFetching) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("STAT\r\n", "+OK 2 4711\r\n"))
                              .add(pop3_command("DELE 1\r\n"))
                              .add(pop3_command("DELE 2\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run(Pop3Rig::Work::empty);
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.deleted, 2U);
  EXPECT_TRUE(result.committed);
  EXPECT_TRUE(rig.fetched.empty());
}

TEST(Pop3Session, CountsWhereTheServerHasNoUidl) {
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", "-ERR unknown command\r\n"))
                              .add(pop3_command("STAT\r\n", "+OK 2 8\r\n"))
                              .add(pop3_fetch(1, "a\r\n"))
                              .add(pop3_fetch(2, "b\r\n"))
                              .add(pop3_quit()));
  Pop3Rig rig(peer.endpoint());
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good);
  EXPECT_EQ(result.deleted, 2U);
  EXPECT_EQ(rig.fetched[0].uid, "");
  EXPECT_THAT(texts_of(rig), ElementsAre("a\r\n", "b\r\n"));
}

TEST(Pop3Session, LogsInByTheGreetingsTimeStamp) {
  const ScriptedPeer peer(pop3_greeting("+OK ready <1896.697170952@dbc.mtview.ca.us>\r\n")
                              .add(pop3_command("APOP mrose c4c9334bac560ecc979e58001b3e22fb\r\n"))
                              .add(pop3_collection({})));
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::apop});
  rig.login = {"mrose", "tanstaaf"};
  EXPECT_EQ(rig.run().outcome, Outcome::good);
}

TEST(Pop3Session, LogsInByPlainWhereItIsOffered) {
  const ScriptedPeer peer(pop3_greeting()
                              .add(pop3_capabilities({"TOP", "SASL LOGIN PLAIN", "UIDL"}))
                              .add(pop3_command("AUTH PLAIN AHRlc3QAdGVzdA==\r\n"))
                              .add(pop3_collection({})));
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::plain});
  rig.login = {"test", "test"};
  EXPECT_EQ(rig.run().outcome, Outcome::good);
}

TEST(Pop3Session, SaysALongPlainLoginWhenItIsAskedForIt) {
  const ScriptedPeer peer(pop3_greeting()
                              .add(pop3_capabilities({"SASL PLAIN"}))
                              .add(pop3_command("AUTH PLAIN\r\n", "+ \r\n"))
                              .expect("\r\n")
                              .send("+OK\r\n")
                              .add(pop3_collection({})));
  Pop3Rig rig(peer.endpoint(), {.auth = Pop3Auth::plain});
  const std::string password(300, 'p');
  rig.login = {"test", password};
  EXPECT_EQ(rig.run().outcome, Outcome::good);
}

TEST(Pop3Session, TimesItsSteps) {
  Gate gate;
  Script script =
      Script().wait(gate).send("+OK\r\n").expect("USER").expect("\r\n").wait(gate).send("+OK\r\n");
  script.expect("PASS secret\r\n").wait(gate).send("+OK\r\n");
  script.expect("UIDL\r\n").send("+OK\r\n1 x\r\n").wait(gate).send(".\r\n");
  script.expect("RETR 1\r\n").wait(gate).send("+OK\r\n").wait(gate).send("text\r\n.\r\n");
  script.expect("DELE 1\r\n").wait(gate).send("+OK\r\n");
  script.expect("QUIT\r\n").wait(gate).send("+OK\r\n").close();
  const ScriptedPeer peer(script);
  Pop3Rig rig(peer.endpoint());
  rig.begin();
  constexpr std::uint64_t kWaits = 8;
  for (std::uint64_t i = 1; i <= kWaits; ++i) {
    ASSERT_TRUE(rig.mail.run_until([&] { return gate.arrivals() == i; }));
    rig.mail.settle();
    rig.mail.clock.advance(std::chrono::milliseconds(i));
    gate.open();
  }
  const Pop3Result result = rig.finish();
  EXPECT_THAT(rig.mail.steps.order(),
              ElementsAre(Step::pop3_connect, Step::pop3_greeting, Step::pop3_auth, Step::pop3_list,
                          Step::pop3_first_byte, Step::pop3_last_byte, Step::pop3_delete, Step::pop3_quit,
                          Step::pop3_total));
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_greeting), 1ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_auth), 5ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_list), 4ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_first_byte), 5ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_last_byte), 11ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_delete), 7ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_quit), 8ms);
  EXPECT_EQ(rig.mail.steps.last(Step::pop3_total), 36ms);
  EXPECT_EQ(result.ended - result.begun, 36ms);
  EXPECT_EQ(rig.fetched[0].seen - result.begun, 10ms);
  EXPECT_EQ(rig.fetched[0].whole - result.begun, 21ms);
}

TEST(Pop3Session, LetsTheServerCloseFirst) {
  Gate gate;
  const ScriptedPeer peer(pop3_opening()
                              .add(pop3_command("UIDL\r\n", pop3_uids({})))
                              .add(pop3_command("QUIT\r\n"))
                              .wait(gate)
                              .close());
  Pop3Rig rig(peer.endpoint());
  EXPECT_TRUE(rig.run().committed);
  rig.mail.settle();
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::none);
  gate.open();
  EXPECT_TRUE(rig.mail.run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; }));
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::closed);
}

TEST(Pop3Session, IsASessionOfItsOwnEachTime) {
  const ScriptedPeer peer({pop3_server({{"a", "a\r\n"}}), pop3_server({{"b", "b\r\n"}})});
  Pop3Rig rig(peer.endpoint());
  // The next one begins from within the end of the first, which is closed by then.
  rig.on_end = [&] {
    if (rig.results.size() == 1) {
      EXPECT_FALSE(rig.session.busy());
      rig.begin();
    }
  };
  rig.begin();
  ASSERT_TRUE(rig.mail.run_until([&] { return rig.results.size() == 2; }));
  EXPECT_THAT(texts_of(rig), ElementsAre("a\r\n", "b\r\n"));
  EXPECT_EQ(rig.results[1].listed, 1U);
  EXPECT_TRUE(rig.results[1].committed);
  EXPECT_EQ(peer.connections().size(), 2U);
}

TEST(Pop3Session, CanBeAbandonedAtAnyTime) {
  const ScriptedPeer peer({pop3_server({{"a", "a\r\n"}}), Script().stall(), pop3_server({{"a", "a\r\n"}})});
  Pop3Rig rig(peer.endpoint());
  rig.on_message = [&](const Fetched&) {
    rig.session.abandon();
    return true;
  };
  rig.begin();
  ASSERT_TRUE(rig.mail.run_until([&] { return rig.fetched.size() == 1; }));
  rig.mail.settle();
  EXPECT_FALSE(rig.session.busy());
  EXPECT_TRUE(rig.results.empty());

  rig.session.begin(Pop3Rig::Work::collect, rig.login);
  rig.session.abandon();
  rig.on_message = nullptr;
  rig.session.begin(Pop3Rig::Work::collect, rig.login);
  EXPECT_EQ(rig.finish().outcome, Outcome::good);
  EXPECT_EQ(said_to(peer, 0), login_said + "UIDL\r\nRETR 1\r\n");
}

}  // namespace
}  // namespace scalemark::mail
