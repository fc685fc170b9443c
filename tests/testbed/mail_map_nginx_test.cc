// A real nginx mail proxy that asks the mail map, in front of two mail sinks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>

#include "testbed/mail_sink.h"
#include "testbed/server.h"
#include "tests/support/child_process.h"
#include "tests/support/sockets.h"
#include "tests/testbed/mail_map_under_test.h"
#include "tests/testbed/mail_sink_under_test.h"

namespace scalemark::testbed {
namespace {

constexpr const char* kModule = "/usr/lib/nginx/modules/ngx_mail_module.so";

/// A node that runs in a thread of its own.
class Node {
 public:
  explicit Node(const MailSinkPlan& plan) : sink_(plan), thread_([this] { sink_.run(); }) {}
  ~Node() { stop(); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  [[nodiscard]] std::uint32_t smtp_port() const { return port_of(sink_.smtp_address()); }
  [[nodiscard]] std::uint32_t pop3_port() const { return port_of(sink_.pop3_address()); }
  MailSinkCounters stop() {
    if (thread_.joinable()) {
      sink_.stop();
      thread_.join();
    }
    return sink_.counters();
  }

 private:
  static std::uint32_t port_of(const std::string& address) {
    return static_cast<std::uint32_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  MailSink sink_;
  std::thread thread_;
};

/// nginx's mail proxy on two free ports of loopback.
class MailProxy {
 public:
  explicit MailProxy(const std::string& map) {
    // Free at this moment. nginx then says in its log if somebody else was quicker, and the test fails.
    const auto free_port = [] {
      const auto socket = test_support::bind_loopback(test_support::Loopback::v4);
      return "127.0.0.1:" + std::to_string(test_support::local_endpoint(socket).port());
    };
    smtp_ = free_port();
    pop3_ = free_port();
    const std::string home = home_.path();
    home_.write("nginx.conf", std::string("load_module ") + kModule + ";\n" +
                                  "daemon off; master_process off; pid " + home + "/pid; error_log " + home +
                                  "/error.log info;\n" +
                                  "events { worker_connections 256; }\n"
                                  "mail {\n"
                                  "  server_name proxy.test; auth_http " +
                                  map +
                                  "/auth; proxy_pass_error_message on;\n"
                                  "  server { listen " +
                                  smtp_ +
                                  "; protocol smtp; smtp_auth none; xclient off; }\n"
                                  "  server { listen " +
                                  pop3_ +
                                  "; protocol pop3; pop3_auth plain; }\n"
                                  "}\n");
    const std::filesystem::path output = home_.path() / "output";
    nginx_ = std::make_unique<test_support::ChildProcess>(test_support::ChildSpec{
        {find_program("nginx"), "-p", home, "-e", home + "/error.log", "-c", home + "/nginx.conf"}, output});
    if (!eventually([this] { return answers(smtp_) && answers(pop3_); })) {
      throw std::runtime_error("nginx does not answer: " + file_text(home + "/error.log") +
                               file_text(output));
    }
  }

  [[nodiscard]] const std::string& smtp() const { return smtp_; }
  [[nodiscard]] const std::string& pop3() const { return pop3_; }

 private:
  static bool answers(const std::string& address) {
    try {
      return !Client(address).read_some(1).empty();
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  TempFolder home_;
  std::string smtp_;
  std::string pop3_;
  std::unique_ptr<test_support::ChildProcess> nginx_;
};

/// Sends one message through the proxy and returns the last answer: to RCPT if that was refused.
std::string send_mail(const MailProxy& proxy, const std::string& recipient) {
  MailClient client(proxy.smtp());
  client.line();
  client.send("EHLO client.test\r\n");
  client.reply();
  client.say("MAIL FROM:<sender@client.test>");
  std::string answer = client.say("RCPT TO:<" + recipient + ">");
  if (answer.starts_with("250") && client.say("DATA").starts_with("354")) {
    answer = client.say("Subject: for " + recipient + "\r\n\r\ntext\r\n.");
    client.say("QUIT");
  }
  return answer;
}

/// Logs in through the proxy: the answer to PASS, and a session to go on with.
std::string log_in(MailClient& client, const std::string& user, const std::string& password) {
  client.line();
  client.say("USER " + user);
  return client.say("PASS " + password);
}

TEST(MailMapNginxTest, MailGoesToItsNodeAndIsFetchedFromThere) {
  std::string missing = test_support::Postgres::missing();
  if (find_program("nginx").empty() || ::access(kModule, R_OK) != 0) {
    missing = "there is no nginx with its mail proxy (packages.txt names the packages)";
  }
  if (!missing.empty()) {
    GTEST_SKIP() << missing;
  }
  MailSinkPlan sink;
  sink.smtp = "127.0.0.1:0";
  sink.pop3 = "127.0.0.1:0";
  Node first(sink);
  sink.smtp = "127.0.0.2:" + std::to_string(first.smtp_port());
  sink.pop3 = "127.0.0.2:" + std::to_string(first.pop3_port());
  Node second(sink);
  MailboxDatabase database;
  database.run(
      "update boxes set node = '127.0.0.1' where name = 'u1@bench.test';"
      "update boxes set node = '127.0.0.2' where name = 'u2@bench.test'");
  MailMapPlan plan = plan_for(database);
  plan.database.time_out = std::chrono::milliseconds(300);
  plan.ports = {first.smtp_port(), first.pop3_port()};
  MailMapUnderTest map(plan);
  const MailProxy proxy(map.address());

  EXPECT_EQ(send_mail(proxy, "u1@bench.test").substr(0, 9), "250 2.0.0");
  EXPECT_EQ(send_mail(proxy, "u2@bench.test").substr(0, 9), "250 2.0.0");
  EXPECT_EQ(send_mail(proxy, "U2@bench.test").substr(0, 9), "250 2.0.0");
  EXPECT_EQ(send_mail(proxy, "nobody@bench.test"), "550 5.1.1 no such mailbox");

  MailClient right(proxy.pop3());
  EXPECT_EQ(log_in(right, "u2@bench.test", "secret2").substr(0, 3), "+OK");
  EXPECT_EQ(right.say("STAT").substr(0, 5), "+OK 2");
  MailClient wrong(proxy.pop3());
  EXPECT_EQ(log_in(wrong, "u2@bench.test", "secret1"), "-ERR Invalid login or password");

  database.server().stop();
  EXPECT_EQ(send_mail(proxy, "u1@bench.test"), "451 4.3.0 temporary failure");
  MailClient late(proxy.pop3());
  EXPECT_EQ(log_in(late, "u1@bench.test", "secret1"), "-ERR [SYS/TEMP] temporary failure");
  database.server().start();
  EXPECT_TRUE(eventually([&proxy] { return send_mail(proxy, "u1@bench.test").starts_with("250 2.0.0"); }));

  EXPECT_EQ(first.stop().messages, 2U);
  EXPECT_EQ(second.stop().messages, 2U);
}

}  // namespace
}  // namespace scalemark::testbed
