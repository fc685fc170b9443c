// What a POP3 client says, and what the server's lines mean to it: the dialogue of one session after the
// other, without the connection.
//
// Lines in, commands and the result out; knows neither sockets nor time. The owner tells what has happened,
// says what out() holds, and does what it is asked to (`Move`). One command at a time. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/outcome.h"
#include "mail_bench/pop3_list.h"
#include "mail_bench/pop3_reply.h"
#include "mail_bench/pop3_session.h"
#include "mail_bench/steps.h"

namespace scalemark::mail {

class Pop3Dialogue {
 public:
  /// What the owner is to do, after it has said what out() holds.
  enum class Move : std::uint8_t {
    wait,    ///< for the next line
    secure,  ///< begin the TLS handshake, then call secured()
    text,    ///< read the text that message() names up to its final dot, then call fetched()
    done,    ///< the session is over; see result()
  };

  explicit Pop3Dialogue(const Pop3Settings& settings) : settings_(settings) {}

  /// A session begins; its connection is under way. The login's views must live until the end.
  void begin(Pop3Session::Work work, const Pop3Session::Login& login, std::uint32_t most);
  Move connected();
  Move secured();
  /// A line, without CRLF.
  Move on_line(std::string_view line);
  /// The text of message() is whole; `erase`: delete it.
  Move fetched(bool erase);
  /// The connection is lost, the time is up, or the server does not keep to the protocol (`words` says how).
  Move interrupt(Outcome why, std::string_view words);

  /// What is to be said now; the owner clears it.
  [[nodiscard]] std::string& out() { return out_; }
  /// The step that goes on, if it is one that is timed: pop3_last_byte from RETR on.
  [[nodiscard]] std::optional<Step> step() const;
  /// The step that the last call ended well, if it did. Asking forgets it.
  [[nodiscard]] std::optional<Step> take_ended_step();
  /// The message that is being fetched or deleted.
  [[nodiscard]] const Pop3List::Message& message() const { return message_; }
  /// The server did not let us in; only its answer to QUIT is waited for.
  [[nodiscard]] bool turned_away() const { return refused_ && !logged_in_; }
  /// QUIT was answered, whatever the answer: all has been said.
  [[nodiscard]] bool quit_answered() const { return quit_answered_; }
  /// All but times and bytes.
  [[nodiscard]] Pop3Result& result() { return result_; }

 private:
  enum class Awaited : std::uint8_t {
    connection,
    tls,
    greeting,
    capa,
    capabilities,
    stls,
    user,
    pass,
    apop,
    plain,
    uidl,
    uids,
    stat,
    retr,
    text,
    dele,
    quit,
  };

  [[nodiscard]] Pop3Phase phase() const;
  [[nodiscard]] bool logging_in() const;
  Move on_reply(const Pop3Reply& reply);
  Move on_error(std::string_view text);
  Move on_greeting(std::string_view text);
  Move on_capability(std::string_view line);
  Move on_challenge();
  Move on_uid(std::string_view line);
  Move on_count(std::string_view text);
  Move on_quit(bool good);
  Move open_up();
  Move log_in();
  Move log_in_by_time_stamp();
  Move log_in_by_plain();
  Move on_login();
  Move next_message();
  Move end_step(Move move);
  Move say(std::string_view command, Awaited awaited);
  Move say(std::string_view command, std::string_view argument, Awaited awaited);
  Move say(std::string_view command, std::uint32_t number, Awaited awaited);
  /// The session cannot go on, but its connection can: notes why, and says QUIT.
  Move give_up(Outcome why, Pop3Refusal refusal, std::string_view words);

  const Pop3Settings& settings_;
  Pop3Session::Work work_ = Pop3Session::Work::collect;
  Pop3Session::Login login_;
  Awaited awaited_ = Awaited::connection;
  bool secured_ = false;
  bool asked_ = false;  // CAPA's answer is in offers_
  bool plain_said_ = false;
  bool logged_in_ = false;
  bool refused_ = false;  // result_ holds the first refusal
  bool quit_answered_ = false;
  std::uint32_t capability_lines_ = 0;
  Pop3Offers offers_;
  std::string time_stamp_;
  Pop3List list_;
  Pop3List::Message message_;
  std::optional<Step> ended_step_;
  std::string out_;
  Pop3Result result_;
};

}  // namespace scalemark::mail
