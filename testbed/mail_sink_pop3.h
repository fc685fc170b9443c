// The mail sink's side of a POP3 conversation (RFC 1939), with CAPA and response codes (2449), AUTH PLAIN
// (5034) and [AUTH] (3206); no APOP. Belongs to the sink's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "testbed/mail_dialogue.h"
#include "testbed/mail_office.h"

namespace scalemark::testbed {

class Pop3Dialogue final : public MailDialogue {
 public:
  Pop3Dialogue(MailOffice& office, MailOutput& output);

  void greet() override;

 private:
  using Handler = void (Pop3Dialogue::*)(std::string_view argument);
  /// Where in a session a command may be given.
  enum class When : std::uint8_t { before_login, logged_in, ever };
  struct Verb {
    std::string_view name;
    When when;
    Handler handler;
  };
  /// Null when there is no such command.
  static const Verb* find_verb(std::string_view name);

  void on_line(std::string_view line) override;
  void on_bad_line(std::string_view why) override;

  void on_user(std::string_view argument);
  void on_pass(std::string_view argument);
  void on_auth(std::string_view argument);
  void on_capa(std::string_view argument);
  void on_stat(std::string_view argument);
  void on_list(std::string_view argument);
  void on_uidl(std::string_view argument);
  void on_retr(std::string_view argument);
  void on_top(std::string_view argument);
  void on_dele(std::string_view argument);
  void on_rset(std::string_view argument);
  void on_noop(std::string_view argument);
  void on_quit(std::string_view argument);

  void log_in(const std::string& login, std::string_view password);
  void take_plain(std::string_view message);
  void commit();
  /// A message that `text` gives the number of, by its place from 0. Says that there is none, if so.
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view text);
  /// A line about the message named, or about each that is not marked.
  template <typename Fact>
  void list(std::string_view argument, Fact fact);

  MailOffice& office_;
  std::string user_;    // of USER, until PASS
  bool asked_ = false;  // AUTH PLAIN waits for its message
  std::string mailbox_;
  std::unique_ptr<MailboxSession> session_;  // null before the login
};

}  // namespace scalemark::testbed
