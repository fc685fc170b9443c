// What an SMTP client says, and what the server's replies mean to it: the dialogue of one connection after
// the other, without the connection.
//
// Replies in, commands and verdicts out; knows neither sockets nor time. The owner tells what has happened,
// says what out() holds, and does what it is asked to (`Move`). Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/outcome.h"
#include "mail_bench/smtp_offers.h"
#include "mail_bench/smtp_reply.h"
#include "mail_bench/smtp_session.h"
#include "mail_bench/steps.h"

namespace scalemark::mail {

class SmtpDialogue {
 public:
  /// What the owner is to do. In any case it says what out() holds first.
  enum class Move : std::uint8_t {
    wait,       ///< for the next reply
    secure,     ///< begin the TLS handshake, then call secured()
    send_text,  ///< say the text and the final dot, then call text_sent()
    reopen,     ///< this connection is of no more use; the same attempt goes on over a new one
    done,       ///< the attempt is over; see end()
  };
  /// How an attempt ended.
  struct End {
    Outcome outcome = Outcome::good;
    SmtpPhase phase = SmtpPhase::dot;
    int code = 0;
    std::string words{};
    bool unknown = false;  ///< nobody knows whether the message was delivered
    bool usable = false;   ///< the connection can carry the next message
  };

  explicit SmtpDialogue(const SmtpSettings& settings) : settings_(settings) {}

  /// An attempt begins; what it carries must live until its end.
  void begin(const Envelope& envelope, const SmtpLogin& login);
  /// It goes on over the connection that carried another one.
  Move resume();
  /// It goes on over a new connection, which is not up yet.
  void connecting();
  void connected();
  Move secured();
  Move on_reply(const SmtpReply& reply);
  /// A reply to nothing that was said.
  Move on_unasked_reply(const SmtpReply& reply);
  /// The text and its final dot are on their way.
  void text_sent();
  /// The connection is lost, the time is up, or the server speaks something else than SMTP (`words` says
  /// what). Not if a reply has ended the attempt.
  Move interrupt(Outcome why, std::string_view words);

  /// What is to be said now; the owner clears it.
  [[nodiscard]] std::string& out() { return out_; }
  /// The step that the awaited reply ends, if it is one that is timed.
  [[nodiscard]] std::optional<Step> step() const;
  /// Whether the last reply was the one that ended step() well.
  [[nodiscard]] bool step_ended() const { return step_ended_; }
  [[nodiscard]] End& end() { return end_; }

 private:
  enum class Awaited : std::uint8_t {
    connection,
    tls,
    greeting,
    ehlo,
    helo,
    starttls,
    auth,
    reset,
    mail,
    rcpt,
    data,
    dot,
    lone_dot,  ///< after an envelope that was refused
  };

  [[nodiscard]] SmtpPhase phase() const;
  Move say_hello(std::string_view verb, Awaited awaited);
  Move after_hello();
  Move say_auth();
  Move say_envelope();
  Move say_rcpt();
  Move say_data();
  Move on_hello(const SmtpReply& reply);
  Move on_auth(const SmtpReply& reply);
  Move on_mail(const SmtpReply& reply);
  Move on_rcpt(const SmtpReply& reply);
  Move on_data(const SmtpReply& reply);
  Move on_dot(const SmtpReply& reply);
  Move on_reset(const SmtpReply& reply);
  Move went_on(Move move);
  Move end_as(Outcome outcome, const SmtpReply& reply, bool usable);
  Move refuse(const SmtpReply& reply, bool usable);
  void note_refusal(const SmtpReply& reply);

  const SmtpSettings& settings_;
  Envelope envelope_;
  SmtpLogin login_;
  SmtpOffers offers_;
  Awaited awaited_ = Awaited::connection;
  bool secured_ = false;
  bool pipelined_ = false;    // RCPT and DATA are out, too
  bool needs_reset_ = false;  // a transaction was refused half-way
  bool text_sent_ = false;
  bool refused_ = false;  // end_ holds the first refusal; further replies are waited for
  bool step_ended_ = false;
  std::uint8_t auth_answers_ = 0;
  std::string out_;
  End end_;
};

}  // namespace scalemark::mail
