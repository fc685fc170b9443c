// POP3 under TLS: by STLS and from the first byte, with certificates that are good and others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mail_bench/pop3_session.h"
#include "tests/mail_bench/pop3_rig.h"
#include "tests/support/certificates.h"
#include "tests/support/mail_peer.h"

namespace scalemark::mail {
namespace {

using namespace test_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::vector<PeerMail> one_mail{{"uid1", ".text\r\n"}};

class Pop3Tls : public testing::Test {
 protected:
  [[nodiscard]] Pop3Settings settings(TlsUse use, Pop3Auth auth = Pop3Auth::user) const {
    return {.tls = use, .tls_context = &context_, .auth = auth};
  }
  static Script until_stls() { return pop3_greeting().add(pop3_capabilities({"TOP", "STLS", "SASL PLAIN"})); }

  TlsContext context_{authority_file(), false};
};

/// What a connection said before TLS began.
std::string said_in_clear(const ScriptedPeer& peer) {
  const ConnectionLog log = peer.connections().at(0);
  return log.tls == TlsState::none ? log.received : log.received.substr(0, log.in_clear);
}

TEST_F(Pop3Tls, BeginsByStlsAndSaysNoPasswordBeforeIt) {
  const ScriptedPeer peer(until_stls().add(pop3_stls()).add(pop3_login()).add(pop3_collection(one_mail)));
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good) << result.words;
  EXPECT_TRUE(result.committed);
  EXPECT_EQ(rig.fetched.at(0).text, ".text\r\n");
  EXPECT_EQ(said_in_clear(peer), "CAPA\r\nSTLS\r\n");
  const ConnectionLog log = peer.connections()[0];
  EXPECT_EQ(log.server_name, kCertificateHost);
  EXPECT_THAT(log.received.substr(log.in_clear), StartsWith("USER user1@example.test\r\nPASS secret\r\n"));
  EXPECT_THAT(rig.mail.steps.order(),
              ElementsAre(Step::pop3_connect, Step::pop3_greeting, Step::pop3_tls, Step::pop3_auth,
                          Step::pop3_list, Step::pop3_first_byte, Step::pop3_last_byte, Step::pop3_delete,
                          Step::pop3_quit, Step::pop3_total));
}

TEST_F(Pop3Tls, BeginsWithTheFirstByteWhereItIsImplicit) {
  const ScriptedPeer peer(Script().start_tls().add(pop3_server(one_mail)));
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::implicit));
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::good) << result.words;
  EXPECT_EQ(said_in_clear(peer), "");
  EXPECT_THAT(rig.mail.steps.order(),
              ElementsAre(Step::pop3_connect, Step::pop3_tls, Step::pop3_greeting, Step::pop3_auth,
                          Step::pop3_list, Step::pop3_first_byte, Step::pop3_last_byte, Step::pop3_delete,
                          Step::pop3_quit, Step::pop3_total));
}

TEST_F(Pop3Tls, DoesWithoutItWhereItIsOff) {
  const ScriptedPeer peer(pop3_server());
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::off));
  EXPECT_EQ(rig.run().outcome, Outcome::good);
  EXPECT_EQ(peer.connections()[0].tls, TlsState::none);
}

TEST_F(Pop3Tls, FailsWhereStlsIsNotOffered) {
  const ScriptedPeer peer({pop3_greeting().add(pop3_capabilities({"TOP", "UIDL"})).add(pop3_quit()),
                           pop3_greeting().add(pop3_command("CAPA\r\n", "-ERR what?\r\n")).add(pop3_quit())});
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
  for (std::size_t session = 0; session < 2; ++session) {
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.outcome, Outcome::tls_failed);
    EXPECT_EQ(result.phase, Pop3Phase::tls);
    EXPECT_THAT(result.words, HasSubstr("does not offer STLS"));
    EXPECT_EQ(said_to(peer, session), "CAPA\r\nQUIT\r\n");
  }
}

TEST_F(Pop3Tls, FailsWhereStlsIsRefused) {
  const ScriptedPeer peer(
      until_stls().add(pop3_command("STLS\r\n", "-ERR [SYS/TEMP] no certificate\r\n")).add(pop3_quit()));
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::tls_failed);
  EXPECT_EQ(result.words, "[SYS/TEMP] no certificate");
  EXPECT_EQ(said_to(peer), "CAPA\r\nSTLS\r\nQUIT\r\n");
}

TEST_F(Pop3Tls, TakesNothingThatWasSaidBetweenStlsAndTheHandshake) {
  for (const std::string injected : {"+OK\r\n+OK logged in\r\n", "+OK\r\nx"}) {
    const ScriptedPeer peer(until_stls().add(pop3_command("STLS\r\n", injected)).start_tls());
    Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.outcome, Outcome::tls_failed);
    EXPECT_EQ(result.phase, Pop3Phase::tls);
    EXPECT_THAT(result.words, HasSubstr("before the TLS handshake"));
    EXPECT_EQ(said_in_clear(peer), "CAPA\r\nSTLS\r\n");
  }
}

TEST_F(Pop3Tls, TakesNoClearTextForAHandshake) {
  const ScriptedPeer peer(until_stls().expect("STLS\r\n").send("+OK\r\n").expect("\x16").send("+OK\r\n"));
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::tls_failed);
  EXPECT_THAT(said_to(peer), Not(HasSubstr("PASS")));
}

TEST_F(Pop3Tls, AsksAgainWhatIsOfferedUnderTls) {
  const ScriptedPeer peer({until_stls()
                               .add(pop3_stls())
                               .add(pop3_capabilities({"SASL PLAIN"}))
                               .add(pop3_command("AUTH PLAIN "))
                               .add(pop3_collection({})),
                           until_stls().add(pop3_stls()).add(pop3_capabilities({"UIDL"})).add(pop3_quit())});
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::required, Pop3Auth::plain));
  EXPECT_EQ(rig.run().outcome, Outcome::good);
  // What was offered in clear text counts no more.
  const Pop3Result result = rig.run();
  EXPECT_EQ(result.outcome, Outcome::bad_status);
  EXPECT_EQ(result.refusal, Pop3Refusal::login);
}

TEST_F(Pop3Tls, TakesNoCertificateThatIsNotGood) {
  for (const Certificate certificate :
       {Certificate::wrong_name, Certificate::untrusted, Certificate::expired}) {
    const ScriptedPeer peer(until_stls().add(pop3_stls(certificate)).add(pop3_login()));
    Pop3Rig rig(peer.endpoint(), settings(TlsUse::required));
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.outcome, Outcome::tls_failed) << static_cast<int>(certificate);
    EXPECT_EQ(result.phase, Pop3Phase::tls);
    EXPECT_THAT(result.words, HasSubstr("certificate"));
    EXPECT_EQ(said_in_clear(peer), "CAPA\r\nSTLS\r\n");
    EXPECT_THAT(said_to(peer), Not(HasSubstr("PASS")));
    EXPECT_THAT(rig.mail.steps.order(), ElementsAre(Step::pop3_connect, Step::pop3_greeting));
  }
}

TEST_F(Pop3Tls, TakesAnyCertificateWhereItIsToldTo) {
  const TlsContext insecure("", true);
  for (const Certificate certificate :
       {Certificate::wrong_name, Certificate::untrusted, Certificate::expired}) {
    const ScriptedPeer peer(Script().start_tls(certificate).add(pop3_server()));
    Pop3Rig rig(peer.endpoint(), {.tls = TlsUse::implicit, .tls_context = &insecure});
    EXPECT_EQ(rig.run().outcome, Outcome::good);
  }
}

TEST_F(Pop3Tls, SaysWhatEndedAConnectionUnderTls) {
  const Script opening = Script().start_tls().add(pop3_opening()).expect("UIDL\r\n");
  const ScriptedPeer peer(
      {Script(opening).close(), Script(opening).half_close().stall(), Script(opening).reset()});
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::implicit));
  for (const Outcome outcome : {Outcome::closed_early, Outcome::closed_early, Outcome::reset}) {
    const Pop3Result result = rig.run();
    EXPECT_EQ(result.outcome, outcome);
    EXPECT_EQ(result.phase, Pop3Phase::list);
  }
}

TEST_F(Pop3Tls, LetsTheServerCloseFirst) {
  Gate gate;
  const ScriptedPeer peer(Script()
                              .start_tls()
                              .add(pop3_opening())
                              .add(pop3_command("UIDL\r\n", pop3_uids({})))
                              .add(pop3_command("QUIT\r\n"))
                              .wait(gate)
                              .close());
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::implicit));
  EXPECT_TRUE(rig.run().committed);
  rig.mail.settle();
  gate.open();
  EXPECT_TRUE(rig.mail.run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; }));
  EXPECT_EQ(peer.connections()[0].end, ConnectionEnd::closed);
}

TEST_F(Pop3Tls, EndsAHandshakeThatTakesTooLong) {
  const ScriptedPeer peer(Script().expect("\x16").stall());
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::implicit));
  rig.begin();
  ASSERT_TRUE(rig.mail.run_until([&] { return !said_to(peer).empty(); }));
  rig.pass(rig.settings.timeout);
  ASSERT_FALSE(rig.session.busy());
  EXPECT_EQ(rig.results[0].outcome, Outcome::read_timeout);
  EXPECT_EQ(rig.results[0].phase, Pop3Phase::tls);
}

TEST_F(Pop3Tls, CarriesLongTexts) {
  std::string text;
  while (text.size() < 1'000'000) {
    text += ".a line of a long text, which takes many records\r\n";
  }
  const ScriptedPeer peer(Script().start_tls().add(pop3_server({{"long", text}, {"short", "x\r\n"}})));
  Pop3Rig rig(peer.endpoint(), settings(TlsUse::implicit));
  EXPECT_EQ(rig.run().outcome, Outcome::good);
  ASSERT_EQ(rig.fetched.size(), 2U);
  EXPECT_TRUE(rig.fetched[0].text == text);
}

}  // namespace
}  // namespace scalemark::mail
