// One SMTP session under test, with what it reported. One thread; see mail_rig.h.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mail_bench/smtp_session.h"
#include "tests/mail_bench/mail_rig.h"
#include "tests/support/mail_peer.h"
#include "tests/support/scripted_peer.h"

namespace scalemark::mail {

inline constexpr const char* kSender = "sender@mail.test";
inline constexpr const char* kRecipient = "user1@mail.test";
inline constexpr const char* kLetter = "Subject: test\r\n\r\nhello\r\n";

class SmtpRig final : public MailRig, private SmtpEvents {
 public:
  explicit SmtpRig(const test_support::Endpoint& server, SmtpSettings with = {},
                   const std::string& host = test_support::kCertificateHost);

  /// Begins to send the text; it must live until the end.
  void start(std::string_view text = kLetter);
  /// Turns the loop until the attempt is over, and returns how it ended.
  SmtpResult finish();
  /// start() and finish().
  SmtpResult deliver(std::string_view text = kLetter);
  /// Says QUIT and waits for the end of the connection.
  void quit();
  /// Puts the clock forward and sweeps.
  void pass(Duration by);

  SmtpSettings settings;
  std::string sender = kSender;
  std::string recipient = kRecipient;
  std::vector<SmtpResult> results;  ///< of all attempts
  std::size_t closes = 0;           ///< how often on_smtp_closed() was called
  std::function<void()> on_end;     ///< called from within on_smtp_end()
  std::unique_ptr<SmtpSession> session;

 private:
  void on_smtp_end(const SmtpResult& result) override;
  void on_smtp_closed() override { ++closes; }

  bool within_call_ = false;
  std::size_t started_ = 0;
};

/// What the server got on its connection number `number`, as lines without their ends.
[[nodiscard]] std::vector<std::string> lines_at(const test_support::ScriptedPeer& peer,
                                                std::size_t number = 0);

}  // namespace scalemark::mail
