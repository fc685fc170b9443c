// SMTP under TLS: by STARTTLS and from the first byte, with certificates that are good and others.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/mail_bench/smtp_rig.h"
#include "tests/support/certificates.h"

namespace scalemark::mail {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using Lines = std::vector<std::string>;

class SmtpTls : public testing::Test {
 protected:
  [[nodiscard]] SmtpSettings settings(TlsUse use, SmtpAuth auth = SmtpAuth::none) const {
    SmtpSettings settings;
    settings.tls = use;
    settings.tls_context = &context_;
    settings.auth = auth;
    return settings;
  }
  static Script up_to_starttls() { return smtp_opening({"SIZE", "STARTTLS", "AUTH PLAIN"}); }

  TlsContext context_{authority_file(), false};
};

/// What a connection said before TLS began, and after it.
std::string said_in_clear(const ScriptedPeer& peer) {
  const ConnectionLog log = peer.connections().at(0);
  return log.tls == TlsState::none ? log.received : log.received.substr(0, log.in_clear);
}
std::string said_under_tls(const ScriptedPeer& peer) {
  const ConnectionLog log = peer.connections().at(0);
  return log.tls == TlsState::none ? "" : log.received.substr(log.in_clear);
}

TEST_F(SmtpTls, StarttlsThenEhloAgainThenTheLogin) {
  ScriptedPeer peer(up_to_starttls()
                        .add(smtp_starttls())
                        .add(smtp_hello({"AUTH PLAIN"}))
                        .add(smtp_command("AUTH PLAIN ", "235 welcome\r\n"))
                        .repeat(2, smtp_message())
                        .add(smtp_quit()));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::required, SmtpAuth::plain));
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::good) << result.words;
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  rig.quit();
  EXPECT_EQ(said_in_clear(peer), "EHLO scalemark.test\r\nSTARTTLS\r\n") << "no password before TLS";
  EXPECT_TRUE(
      said_under_tls(peer).starts_with("EHLO scalemark.test\r\nAUTH PLAIN AHVzZXIxAHNlY3JldA==\r\n"
                                       "MAIL FROM:<sender@mail.test>\r\n"))
      << "what was offered in clear text (SIZE) does not count";
  EXPECT_EQ(peer.connections()[0].server_name, kCertificateHost);
  EXPECT_TRUE(peer.wait_until([](const auto& log) { return log[0].end == ConnectionEnd::closed; }));
  const std::vector<Step> steps = rig.steps.order();
  const std::vector<Step> opening = {Step::smtp_connect, Step::smtp_greeting, Step::smtp_hello,
                                     Step::smtp_tls,     Step::smtp_hello,    Step::smtp_auth};
  EXPECT_EQ(std::vector<Step>(steps.begin(), steps.begin() + 6), opening);
}

TEST_F(SmtpTls, ImplicitFromTheFirstByte) {
  ScriptedPeer peer(Script().start_tls().add(smtp_server()));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(said_in_clear(peer), "");
  rig.quit();
  const std::vector<Step> steps = rig.steps.order();
  EXPECT_EQ(steps.at(1), Step::smtp_tls);
  EXPECT_EQ(steps.at(2), Step::smtp_greeting);
}

TEST_F(SmtpTls, OffWhateverIsOffered) {
  ScriptedPeer peer(smtp_server({"STARTTLS"}));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::off));
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(peer.connections()[0].tls, TlsState::none);
}

TEST_F(SmtpTls, ALongTextArrivesWhole) {
  std::string text;
  while (text.size() < 3'000'000) {
    text += ".a line\r\n";
  }
  ScriptedPeer peer(Script().start_tls().add(smtp_server()));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
  EXPECT_EQ(rig.deliver(text).outcome, Outcome::good);
  const std::string said = said_under_tls(peer);
  EXPECT_EQ(said.size() - said.find("DATA\r\n") - 6, text.size() / 9 * 10 + 3);
  EXPECT_TRUE(said.ends_with("\r\n..a line\r\n.\r\n"));
}

TEST_F(SmtpTls, RequiredAndNotOffered) {
  ScriptedPeer peer(smtp_opening({"AUTH PLAIN"}));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::required, SmtpAuth::plain));
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::tls_failed);
  EXPECT_EQ(result.phase, SmtpPhase::tls);
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.words.find("does not offer STARTTLS"), std::string::npos);
  EXPECT_EQ(lines_at(peer), Lines{"EHLO scalemark.test"});
  EXPECT_FALSE(rig.session->connected());
}

TEST_F(SmtpTls, RequiredWhereEhloIsNotKnown) {
  ScriptedPeer peer(smtp_greeting().add(smtp_command("EHLO ", "500 what?\r\n")));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::required));
  EXPECT_EQ(rig.deliver().code, 500);
  EXPECT_EQ(lines_at(peer).size(), 1U) << "HELO is no way round TLS";
}

TEST_F(SmtpTls, StarttlsMayBeRefused) {
  ScriptedPeer peer(up_to_starttls().add(smtp_command("STARTTLS", "454 4.7.0 no TLS today\r\n")));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::required));
  const SmtpResult result = rig.deliver();
  EXPECT_EQ(result.outcome, Outcome::tls_failed);
  EXPECT_EQ(result.phase, SmtpPhase::tls);
  EXPECT_EQ(result.code, 454);
  EXPECT_EQ(result.words, "4.7.0 no TLS today");
}

TEST_F(SmtpTls, BytesBetweenTheReplyAndTheHandshakeAreAFailure) {
  // In the reply's own segment, or in one after it, before the handshake or after its beginning.
  for (const Script& injection :
       {Script().send("220 go ahead\r\n250 injected\r\n"), Script().send("220 go ahead\r\n2"),
        Script().send("220 go ahead\r\n").send("250 injected\r\n")}) {
    ScriptedPeer peer(up_to_starttls().expect("STARTTLS\r\n").add(injection).start_tls());
    SmtpRig rig(peer.endpoint(), settings(TlsUse::required, SmtpAuth::plain));
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::tls_failed);
    EXPECT_EQ(result.phase, SmtpPhase::tls);
    EXPECT_NE(result.words, "");
    EXPECT_FALSE(rig.session->connected());
    rig.run_until([&] { return peer.connections()[0].end != ConnectionEnd::none; });
    EXPECT_EQ(said_in_clear(peer), "EHLO scalemark.test\r\nSTARTTLS\r\n");
  }
}

TEST_F(SmtpTls, ABadCertificateFails) {
  struct Case {
    Certificate certificate;
    std::string words;
  };
  for (const Case& one : std::vector<Case>{{Certificate::wrong_name, "hostname mismatch"},
                                           {Certificate::untrusted, "certificate"},
                                           {Certificate::expired, "expired"}}) {
    for (const TlsUse use : {TlsUse::required, TlsUse::implicit}) {
      ScriptedPeer peer(use == TlsUse::required ? up_to_starttls().add(smtp_starttls(one.certificate))
                                                : Script().start_tls(one.certificate));
      SmtpRig rig(peer.endpoint(), settings(use, SmtpAuth::plain));
      const SmtpResult result = rig.deliver();
      EXPECT_EQ(result.outcome, Outcome::tls_failed);
      EXPECT_EQ(result.phase, SmtpPhase::tls);
      EXPECT_NE(result.words.find(one.words), std::string::npos) << result.words;
      EXPECT_EQ(said_under_tls(peer), "") << "no password under such a certificate";
    }
  }
}

TEST_F(SmtpTls, UnlessTheyAreNotToBeChecked) {
  const TlsContext insecure("", true);
  for (const Certificate certificate :
       {Certificate::wrong_name, Certificate::untrusted, Certificate::expired}) {
    ScriptedPeer peer(Script().start_tls(certificate).add(smtp_server()));
    SmtpSettings careless = settings(TlsUse::implicit);
    careless.tls_context = &insecure;
    SmtpRig rig(peer.endpoint(), careless);
    EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  }
}

TEST_F(SmtpTls, TheCertificateMayBeForTheAddress) {
  ScriptedPeer peer(Script().start_tls().add(smtp_server()));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit), "127.0.0.1");
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  EXPECT_EQ(peer.connections()[0].server_name, "") << "an address is no server name";

  ScriptedPeer other(Script().start_tls());
  SmtpRig wrong(other.endpoint(), settings(TlsUse::implicit), "127.0.0.9");
  EXPECT_EQ(wrong.deliver().outcome, Outcome::tls_failed);
}

TEST_F(SmtpTls, AServerMayEndTheHandshakeOrNeverDoIt) {
  for (const Script& end : {Script().close(), Script().reset(), Script().send("no TLS here\r\n").stall()}) {
    ScriptedPeer peer(up_to_starttls().add(smtp_command("STARTTLS", "220 go\r\n")).expect("\x16").add(end));
    SmtpRig rig(peer.endpoint(), settings(TlsUse::required));
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, Outcome::tls_failed);
    EXPECT_EQ(result.phase, SmtpPhase::tls);
    EXPECT_FALSE(result.unknown);
  }
  Gate gate;
  ScriptedPeer silent(Script().expect("\x16").wait(gate));
  SmtpRig rig(silent.endpoint(), settings(TlsUse::implicit));
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.pass(60s);
  const SmtpResult result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::read_timeout);
  EXPECT_EQ(result.phase, SmtpPhase::tls);
}

TEST_F(SmtpTls, TheEndAndTheFarewellAreHeardUnderTls) {
  const Script opening = Script().start_tls().add(smtp_opening());
  struct Case {
    Script rest;
    Outcome outcome;
    int code;
  };
  for (const Case& one : std::vector<Case>{
           {Script().send("421 bye\r\n").close(), Outcome::closed_early, 421},
           {Script().close(), Outcome::closed_early, 0},
           {Script().reset(), Outcome::reset, 0},
       }) {
    ScriptedPeer peer(Script().add(opening).expect("MAIL").add(one.rest));
    SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
    const SmtpResult result = rig.deliver();
    EXPECT_EQ(result.outcome, one.outcome) << name_of(result.outcome);
    EXPECT_EQ(result.code, one.code);
    EXPECT_EQ(result.phase, SmtpPhase::mail);
  }
}

TEST_F(SmtpTls, AFarewellBeforeAResetIsHeardUnderTls) {
  std::string text;
  text.resize(16'000'000, 'x');  // more than a connection's buffers hold
  ScriptedPeer peer(Script()
                        .start_tls()
                        .add(smtp_opening())
                        .add(smtp_envelope())
                        .add(smtp_command("DATA", "354 go\r\n"))
                        .expect("x")
                        .send("421 going down\r\n")
                        .reset());
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
  const SmtpResult result = rig.deliver(text);
  EXPECT_EQ(result.outcome, Outcome::closed_early);
  EXPECT_EQ(result.code, 421);
  EXPECT_FALSE(result.unknown);
}

TEST_F(SmtpTls, AfterTheDotNobodyKnowsUnderTlsEither) {
  Gate gate;
  ScriptedPeer peer(
      Script().start_tls().add(smtp_opening()).add(smtp_envelope()).add(smtp_text()).wait(gate));
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
  rig.start();
  rig.run_until([&] { return gate.arrivals() == 1; });
  rig.settle();
  rig.pass(60s);
  const SmtpResult result = rig.finish();
  EXPECT_EQ(result.outcome, Outcome::read_timeout);
  EXPECT_TRUE(result.unknown);
}

TEST_F(SmtpTls, AnIdleConnectionThatHasEndedIsReplaced) {
  ScriptedPeer peer({Script().start_tls().add(smtp_opening()).add(smtp_message()).close(),
                     Script().start_tls().add(smtp_server())});
  SmtpRig rig(peer.endpoint(), settings(TlsUse::implicit));
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
  rig.run_until([&] { return rig.closes == 1; });
  EXPECT_EQ(rig.deliver().outcome, Outcome::good);
}

TEST(TlsContext, RefusesAFileWithoutCertificates) {
  EXPECT_THROW(TlsContext("/nonexistent/ca.pem", false), UsageError);
  EXPECT_THROW(TlsContext("/etc/hostname", false), UsageError);
}

}  // namespace
}  // namespace scalemark::mail
