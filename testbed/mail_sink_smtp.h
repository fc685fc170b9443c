// The mail sink's side of an SMTP conversation (RFC 5321), with PIPELINING (2920), SIZE (1870), 8BITMIME
// (6152), SMTPUTF8 (6531), enhanced status codes (2034) and, where the plan says so, AUTH (4954). Belongs to
// the sink's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/mail_dialogue.h"
#include "testbed/mail_office.h"

namespace scalemark::testbed {

class SmtpDialogue final : public MailDialogue {
 public:
  /// `client` is its address in figures.
  SmtpDialogue(MailOffice& office, MailOutput& output, std::string client);

  void greet() override;
  std::size_t take(std::string_view bytes) override;

 private:
  /// What the next line is, when it is no command.
  enum class Asked : std::uint8_t { nothing, plain, login_name, login_password };
  using Handler = void (SmtpDialogue::*)(std::string_view argument);
  struct Verb {
    std::string_view name;
    Handler handler;
  };
  /// Null when there is no such command.
  static const Verb* find_verb(std::string_view name);

  void on_line(std::string_view line) override;
  void on_bad_line(std::string_view why) override;

  void on_ehlo(std::string_view argument);
  void on_helo(std::string_view argument);
  void on_auth(std::string_view argument);
  void on_mail(std::string_view argument);
  void on_rcpt(std::string_view argument);
  void on_data(std::string_view argument);
  void on_rset(std::string_view argument);
  void on_noop(std::string_view argument);
  void on_vrfy(std::string_view argument);
  void on_quit(std::string_view argument);
  void on_bdat(std::string_view argument);

  bool take_hello(std::string_view argument);
  /// Asks, unless the answer came with the command.
  void ask(Asked what, std::string_view prompt, std::string_view initial);
  void take_answer(std::string_view line);
  void check_login(const std::optional<Credentials>& who);
  /// Says why MAIL's parameters cannot be met, if so.
  bool refuse_parameters(std::string_view parameters);
  [[nodiscard]] std::string received_line();
  std::size_t take_message(std::string_view bytes);
  void end_message();
  void refuse_message(std::uint64_t octets);
  void reset();

  MailOffice& office_;
  std::string client_;
  std::string hello_;  // "" until the client has said it
  bool extended_ = false;
  bool known_ = false;  // by AUTH
  Asked asked_ = Asked::nothing;
  std::string login_;

  // The transaction.
  bool has_sender_ = false;
  bool utf8_ = false;
  std::vector<std::string> recipients_;  // mailboxes
  bool receiving_ = false;
  DotScanner scanner_;
  std::uint64_t received_ = 0;      // bytes after DATA
  std::unique_ptr<MailText> text_;  // null when the message is thrown away
};

}  // namespace scalemark::testbed
