// A running mail sink, and a client that speaks to it in plain lines.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "testbed/mail_sink.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {

/// A sink that runs in a thread of its own until stopped or destroyed.
class MailSinkUnderTest {
 public:
  /// Listens on free loopback ports; `plan` gives the rest.
  explicit MailSinkUnderTest(MailSinkPlan plan = {});
  ~MailSinkUnderTest();
  MailSinkUnderTest(const MailSinkUnderTest&) = delete;
  MailSinkUnderTest& operator=(const MailSinkUnderTest&) = delete;

  [[nodiscard]] std::string smtp() const { return sink_->smtp_address(); }
  [[nodiscard]] std::string pop3() const { return sink_->pop3_address(); }
  /// Stops it, waits until run() has returned, and says what it has done.
  MailSinkCounters stop();

 private:
  std::unique_ptr<MailSink> sink_;
  std::thread thread_;
};

/// A blocking connection; reads give up after ten seconds. What one send() is given leaves at once.
class MailClient {
 public:
  explicit MailClient(const std::string& address);

  /// Bytes as they are.
  void send(const std::string& bytes) { client_.send(bytes); }
  /// The next line without its CRLF; "(end)" when there is none.
  std::string line();
  /// So many lines.
  std::vector<std::string> lines(std::size_t count);
  /// Sends a line and returns the next one of the server.
  std::string say(const std::string& line);
  /// The lines of an SMTP reply, the last of which has a blank behind its code.
  std::vector<std::string> reply();
  /// All bytes up to a dot on a line of its own, that line not included, dots as they came.
  std::string to_dot();
  /// Everything until the server closes.
  std::string rest();
  /// Leaves with a reset.
  void reset() { client_.reset(); }

 private:
  std::string up_to(const std::string& end);

  Client client_;
  std::string unread_;
};

/// A connection that has been greeted and has said EHLO.
[[nodiscard]] std::unique_ptr<MailClient> smtp_client(const MailSinkUnderTest& sink);
/// A connection that has been greeted and has logged in with any password.
[[nodiscard]] std::unique_ptr<MailClient> pop3_client(const MailSinkUnderTest& sink, const std::string& user);

/// Sends a message, lines with CRLF and dots doubled, and returns the reply to its end.
std::string deliver(MailClient& client, const std::string& recipient, const std::string& wire_text);

/// All of a file.
[[nodiscard]] std::string file_text(const std::string& path);

/// A message without the line that the sink puts before it.
[[nodiscard]] std::string without_received(const std::string& text);

}  // namespace scalemark::testbed
