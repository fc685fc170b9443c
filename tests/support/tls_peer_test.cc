#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <memory>
#include <string>

#include "tests/support/mail_peer.h"
#include "tests/support/scripted_peer.h"

namespace scalemark::test_support {
namespace {

using Logs = std::vector<ConnectionLog>;

/// A blocking client that trusts the test's authority and wants to speak with `host`.
class TlsClient {
 public:
  TlsClient(const Endpoint& to, const char* host)
      : socket_(checked(::socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")),
        context_(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free),
        ssl_(SSL_new(context_.get()), &SSL_free) {
    checked(connect(socket_.get(), to.get(), to.length), "connect");
    SSL_CTX_load_verify_file(context_.get(), authority_file().c_str());
    SSL_set1_verify_cert_store(ssl_.get(), SSL_CTX_get_cert_store(context_.get()));
    SSL_set_verify(ssl_.get(), SSL_VERIFY_PEER, nullptr);
    SSL_set1_host(ssl_.get(), host);
    SSL_set_tlsext_host_name(ssl_.get(), host);
    SSL_set_fd(ssl_.get(), socket_.get());
  }

  bool shake_hands() { return SSL_connect(ssl_.get()) == 1; }
  long fault() { return SSL_get_verify_result(ssl_.get()); }
  void send_clear(const std::string& text) {
    ASSERT_EQ(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  void send(const std::string& text) {
    ASSERT_EQ(SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())),
              static_cast<int>(text.size()));
  }
  /// What comes next, until the connection is closed in good order.
  std::string read_all() {
    std::string text;
    char byte = 0;
    while (SSL_read(ssl_.get(), &byte, 1) == 1) {
      text += byte;
    }
    EXPECT_EQ(SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
    return text;
  }

 private:
  Descriptor socket_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
};

TEST(TlsPeer, BeginsTlsInTheMiddleOfAConversationAndLogsWhatWasSaid) {
  const ScriptedPeer peer(
      Script().expect("STLS\r\n").start_tls().send("hello ").expect("\n").send("bye").close());
  TlsClient client(peer.endpoint(), kCertificateHost);
  client.send_clear("STLS\r\n");
  ASSERT_TRUE(client.shake_hands());
  client.send("me\n");
  EXPECT_EQ(client.read_all(), "hello bye");
  ASSERT_TRUE(peer.wait_until(
      [](const Logs& logs) { return !logs.empty() && logs[0].end == ConnectionEnd::closed; }));
  const ConnectionLog log = peer.connections()[0];
  EXPECT_EQ(log.received, "STLS\r\nme\n");
  EXPECT_EQ(log.in_clear, 6U);
  EXPECT_EQ(log.tls, TlsState::up);
  EXPECT_EQ(log.server_name, kCertificateHost);
}

TEST(TlsPeer, ShowsCertificatesThatAClientMustNotTake) {
  struct Case {
    Certificate certificate;
    long fault;
  };
  for (const Case& wrong : {Case{Certificate::wrong_name, X509_V_ERR_HOSTNAME_MISMATCH},
                            Case{Certificate::untrusted, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY},
                            Case{Certificate::expired, X509_V_ERR_CERT_HAS_EXPIRED}}) {
    const ScriptedPeer peer(Script().start_tls(wrong.certificate));
    TlsClient client(peer.endpoint(), kCertificateHost);
    EXPECT_FALSE(client.shake_hands());
    EXPECT_EQ(client.fault(), wrong.fault);
    EXPECT_TRUE(
        peer.wait_until([](const Logs& logs) { return !logs.empty() && logs[0].tls == TlsState::failed; }));
  }
}

TEST(TlsPeer, EndsTheScriptWhenWhatComesIsNoHandshake) {
  const ScriptedPeer peer(Script().start_tls().send("never"));
  TlsClient client(peer.endpoint(), kCertificateHost);
  client.send_clear("EHLO me\r\n");
  EXPECT_TRUE(peer.wait_until([](const Logs& logs) {
    return !logs.empty() && logs[0].tls == TlsState::failed && logs[0].end == ConnectionEnd::closed;
  }));
}

TEST(MailPeer, PutsRepliesTogether) {
  EXPECT_EQ(smtp_reply(250, {"mail.test", "PIPELINING"}), "250-mail.test\r\n250 PIPELINING\r\n");
  EXPECT_EQ(pop3_text(".a\r\nb.\r\n..\r\n"), "+OK\r\n..a\r\nb.\r\n...\r\n.\r\n");
  EXPECT_EQ(pop3_uids({{"x", ""}, {"y", ""}}), "+OK\r\n1 x\r\n2 y\r\n.\r\n");
}

}  // namespace
}  // namespace scalemark::test_support
