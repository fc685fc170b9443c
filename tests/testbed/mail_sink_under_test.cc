#include "tests/testbed/mail_sink_under_test.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <fstream>
#include <iterator>

namespace scalemark::testbed {

MailSinkUnderTest::MailSinkUnderTest(MailSinkPlan plan) {
  plan.smtp = "127.0.0.1:0";
  plan.pop3 = "127.0.0.1:0";
  sink_ = std::make_unique<MailSink>(plan);
  thread_ = std::thread([this] { sink_->run(); });
}

MailSinkUnderTest::~MailSinkUnderTest() {
  stop();
}

MailSinkCounters MailSinkUnderTest::stop() {
  if (thread_.joinable()) {
    sink_->stop();
    thread_.join();
  }
  return sink_->counters();
}

MailClient::MailClient(const std::string& address) : client_(address) {
  const int on = 1;
  ::setsockopt(client_.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::string MailClient::up_to(const std::string& end) {
  std::size_t searched = 0;
  std::size_t at = std::string::npos;
  while ((at = unread_.find(end, searched)) == std::string::npos) {
    searched = unread_.size() < end.size() ? 0 : unread_.size() - end.size();
    const std::string part = client_.read_some(65536);
    if (part.empty()) {
      return "(end)";
    }
    unread_ += part;
  }
  std::string found = unread_.substr(0, at);
  unread_.erase(0, at + end.size());
  return found;
}

std::string MailClient::line() {
  return up_to("\r\n");
}

std::vector<std::string> MailClient::lines(std::size_t count) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines.push_back(line());
  }
  return lines;
}

std::string MailClient::say(const std::string& words) {
  send(words + "\r\n");
  return line();
}

std::vector<std::string> MailClient::reply() {
  std::vector<std::string> lines;
  do {
    lines.push_back(line());
  } while (lines.back().size() > 3 && lines.back()[3] == '-');
  return lines;
}

std::string MailClient::to_dot() {
  if (unread_.empty()) {
    unread_ = client_.read_some(65536);
  }
  unread_.insert(0, "\r\n");  // the dot may be the first line
  const std::string found = up_to("\r\n.\r\n");
  return found.empty() ? "" : found.substr(2) + "\r\n";
}

std::string MailClient::rest() {
  return unread_ + client_.read_to_end();
}

std::unique_ptr<MailClient> smtp_client(const MailSinkUnderTest& sink) {
  auto client = std::make_unique<MailClient>(sink.smtp());
  client->line();
  client->send("EHLO client.test\r\n");
  EXPECT_EQ(client->reply().back().substr(0, 9), "250 SIZE ");
  return client;
}

std::unique_ptr<MailClient> pop3_client(const MailSinkUnderTest& sink, const std::string& user) {
  auto client = std::make_unique<MailClient>(sink.pop3());
  client->line();
  client->say("USER " + user);
  EXPECT_EQ(client->say("PASS any word").substr(0, 3), "+OK");
  return client;
}

std::string deliver(MailClient& client, const std::string& recipient, const std::string& wire_text) {
  client.send("MAIL FROM:<sender@client.test>\r\nRCPT TO:<" + recipient + ">\r\nDATA\r\n");
  EXPECT_EQ(client.lines(3).back().substr(0, 3), "354");
  client.send(wire_text + ".\r\n");
  return client.line();
}

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string without_received(const std::string& text) {
  EXPECT_EQ(text.substr(0, 10), "Received: ");
  return text.substr(text.find("\r\n") + 2);
}

}  // namespace scalemark::testbed
