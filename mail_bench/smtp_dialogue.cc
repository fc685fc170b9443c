#include "mail_bench/smtp_dialogue.h"

#include "mail_bench/smtp_commands.h"
#include "mail_bench/words.h"

namespace scalemark::mail {
namespace {

constexpr int kResetDone = 250;

/// 421, and 521 of RFC 7504: the server is about to close, whatever was asked.
bool is_farewell(int code) {
  return code == 421 || code == 521;
}

// What is not known goes by its first digit.
bool is_positive(const SmtpReply& reply) {
  return reply.code / 100 == 2;
}
bool is_intermediate(const SmtpReply& reply) {
  return reply.code / 100 == 3;
}
bool is_refusal(const SmtpReply& reply) {
  return reply.code >= 400;
}

}  // namespace

void SmtpDialogue::begin(const Envelope& envelope, const SmtpLogin& login) {
  envelope_ = envelope;
  login_ = login;
  refused_ = false;
  text_sent_ = false;
  step_ended_ = false;
  end_ = {};
}

SmtpDialogue::Move SmtpDialogue::resume() {
  if (!needs_reset_) {
    return say_envelope();
  }
  out_ += "RSET\r\n";
  awaited_ = Awaited::reset;
  return Move::wait;
}

void SmtpDialogue::connecting() {
  offers_ = {};
  awaited_ = Awaited::connection;
  secured_ = false;
  needs_reset_ = false;
  out_.clear();
}

void SmtpDialogue::connected() {
  awaited_ = settings_.tls == TlsUse::implicit ? Awaited::tls : Awaited::greeting;
}

SmtpDialogue::Move SmtpDialogue::secured() {
  secured_ = true;
  if (settings_.tls == TlsUse::implicit) {
    awaited_ = Awaited::greeting;
    return Move::wait;
  }
  return say_hello("EHLO ", Awaited::ehlo);  // what was offered in clear text does not count
}

void SmtpDialogue::text_sent() {
  text_sent_ = true;
}

SmtpDialogue::Move SmtpDialogue::interrupt(Outcome why, std::string_view words) {
  if (awaited_ == Awaited::reset && why != Outcome::read_timeout) {
    return Move::reopen;
  }
  end_as(why, {0, words}, false);
  end_.unknown = text_sent_;
  return Move::done;
}

SmtpDialogue::Move SmtpDialogue::on_unasked_reply(const SmtpReply& reply) {
  step_ended_ = false;
  return end_as(is_farewell(reply.code) ? Outcome::closed_early : Outcome::malformed, reply, false);
}

SmtpDialogue::Move SmtpDialogue::on_reply(const SmtpReply& reply) {
  step_ended_ = false;
  if (awaited_ == Awaited::reset) {
    return on_reset(reply);
  }
  if (is_farewell(reply.code)) {
    return end_as(Outcome::closed_early, reply, false);
  }
  switch (awaited_) {
    case Awaited::greeting:
      return is_positive(reply) ? went_on(say_hello("EHLO ", Awaited::ehlo)) : refuse(reply, false);
    case Awaited::ehlo:
    case Awaited::helo:
      return on_hello(reply);
    case Awaited::starttls:
      if (!is_positive(reply)) {
        return end_as(Outcome::tls_failed, reply, false);
      }
      awaited_ = Awaited::tls;
      return Move::secure;
    case Awaited::auth:
      return on_auth(reply);
    case Awaited::mail:
      return on_mail(reply);
    case Awaited::rcpt:
      return on_rcpt(reply);
    case Awaited::data:
      return on_data(reply);
    case Awaited::dot:
      return on_dot(reply);
    case Awaited::lone_dot:
      end_.usable = !is_intermediate(reply);
      return Move::done;
    case Awaited::connection:
    case Awaited::tls:
    case Awaited::reset:
      break;
  }
  return on_unasked_reply(reply);
}

SmtpDialogue::Move SmtpDialogue::on_hello(const SmtpReply& reply) {
  if (is_positive(reply)) {
    offers_ = awaited_ == Awaited::ehlo ? offers_in(reply.text) : SmtpOffers{};
    return went_on(after_hello());
  }
  const bool needs_offers = settings_.tls == TlsUse::required || settings_.auth != SmtpAuth::none;
  if (awaited_ == Awaited::ehlo && reply.code >= 500 && !needs_offers) {
    return say_hello("HELO ", Awaited::helo);
  }
  return refuse(reply, false);
}

SmtpDialogue::Move SmtpDialogue::on_reset(const SmtpReply& reply) {
  if (reply.code != kResetDone) {
    return Move::reopen;
  }
  needs_reset_ = false;
  return say_envelope();
}

SmtpDialogue::Move SmtpDialogue::on_auth(const SmtpReply& reply) {
  if (is_positive(reply)) {
    return went_on(say_envelope());
  }
  if (!is_intermediate(reply)) {
    return refuse(reply, false);
  }
  const int answer = ++auth_answers_;
  const int answers = settings_.auth == SmtpAuth::login ? 2 : 1;
  if (answer > answers) {
    return end_as(Outcome::malformed, reply, false);
  }
  if (settings_.auth == SmtpAuth::plain) {
    append_plain_login(out_, login_);  // a server that overlooks the initial response
  } else {
    append_base64(out_, answer == 1 ? login_.name : login_.password);
  }
  out_ += "\r\n";
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::on_mail(const SmtpReply& reply) {
  if (is_intermediate(reply)) {
    return refuse(reply, false);
  }
  if (is_refusal(reply)) {
    note_refusal(reply);
    if (!pipelined_) {
      return Move::done;
    }
  }
  const Move move = say_rcpt();
  return is_positive(reply) ? went_on(move) : move;
}

SmtpDialogue::Move SmtpDialogue::on_rcpt(const SmtpReply& reply) {
  if (is_intermediate(reply)) {
    return refuse(reply, false);
  }
  if (is_refusal(reply)) {
    note_refusal(reply);
    if (!pipelined_) {
      return Move::done;
    }
  }
  const Move move = say_data();
  return is_positive(reply) ? went_on(move) : move;
}

SmtpDialogue::Move SmtpDialogue::on_data(const SmtpReply& reply) {
  if (is_refusal(reply)) {
    note_refusal(reply);
    return Move::done;
  }
  if (!is_intermediate(reply)) {
    return refuse(reply, false);
  }
  if (refused_) {
    out_ += ".\r\n";
    awaited_ = Awaited::lone_dot;
    return Move::wait;
  }
  awaited_ = Awaited::dot;
  return went_on(Move::send_text);
}

SmtpDialogue::Move SmtpDialogue::on_dot(const SmtpReply& reply) {
  if (!text_sent_) {
    return refuse(reply, false);  // the rest of the text would be taken for commands
  }
  if (!is_positive(reply)) {
    return refuse(reply, true);
  }
  end_as(Outcome::good, reply, true);
  return went_on(Move::done);
}

SmtpDialogue::Move SmtpDialogue::say_hello(std::string_view verb, Awaited awaited) {
  out_ += verb;
  out_ += settings_.hello_name;
  out_ += "\r\n";
  awaited_ = awaited;
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::after_hello() {
  if (settings_.tls == TlsUse::required && !secured_) {
    awaited_ = Awaited::starttls;
    if (!offers_.starttls) {
      return end_as(Outcome::tls_failed, {0, "the server does not offer STARTTLS"}, false);
    }
    out_ += "STARTTLS\r\n";
    return Move::wait;
  }
  return settings_.auth == SmtpAuth::none ? say_envelope() : say_auth();
}

SmtpDialogue::Move SmtpDialogue::say_auth() {
  awaited_ = Awaited::auth;
  auth_answers_ = 0;
  if (settings_.auth == SmtpAuth::plain) {
    if (!offers_.auth_plain) {
      return end_as(Outcome::bad_status, {0, "the server does not offer AUTH PLAIN"}, false);
    }
    out_ += "AUTH PLAIN ";
    append_plain_login(out_, login_);
  } else {
    if (!offers_.auth_login) {
      return end_as(Outcome::bad_status, {0, "the server does not offer AUTH LOGIN"}, false);
    }
    out_ += "AUTH LOGIN";
  }
  out_ += "\r\n";
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::say_envelope() {
  awaited_ = Awaited::mail;
  if (!offers_.smtputf8 && needs_smtputf8(envelope_)) {
    return end_as(Outcome::bad_status, {0, "an address needs SMTPUTF8, which the server does not offer"},
                  true);
  }
  pipelined_ = settings_.pipelining && offers_.pipelining;
  append_mail_from(out_, envelope_, offers_);
  if (pipelined_) {
    append_rcpt_to(out_, envelope_);
    out_ += "DATA\r\n";
  }
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::say_rcpt() {
  awaited_ = Awaited::rcpt;
  if (!pipelined_) {
    append_rcpt_to(out_, envelope_);
  }
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::say_data() {
  awaited_ = Awaited::data;
  if (!pipelined_) {
    out_ += "DATA\r\n";
  }
  return Move::wait;
}

SmtpDialogue::Move SmtpDialogue::went_on(Move move) {
  step_ended_ = true;
  return move;
}

/// Ends the attempt, unless an earlier refusal is what it ends with.
SmtpDialogue::Move SmtpDialogue::end_as(Outcome outcome, const SmtpReply& reply, bool usable) {
  if (!refused_) {
    end_ = {outcome, phase(), reply.code, words_of(reply.text), false, false};
  }
  end_.usable = usable;
  return Move::done;
}

/// Ends it with a reply that is not what was hoped for.
SmtpDialogue::Move SmtpDialogue::refuse(const SmtpReply& reply, bool usable) {
  if (is_refusal(reply)) {
    return end_as(Outcome::bad_status, reply, usable);
  }
  end_as(Outcome::malformed, reply, false);
  end_.unknown = text_sent_;
  return Move::done;
}

/// The transaction is refused; further replies may be due.
void SmtpDialogue::note_refusal(const SmtpReply& reply) {
  end_as(Outcome::bad_status, reply, true);
  refused_ = true;
  needs_reset_ = true;
}

SmtpPhase SmtpDialogue::phase() const {
  switch (awaited_) {
    case Awaited::connection:
      return SmtpPhase::connect;
    case Awaited::tls:
    case Awaited::starttls:
      return SmtpPhase::tls;
    case Awaited::greeting:
      return SmtpPhase::greeting;
    case Awaited::ehlo:
    case Awaited::helo:
      return SmtpPhase::hello;
    case Awaited::auth:
      return SmtpPhase::auth;
    case Awaited::reset:
    case Awaited::mail:
      return SmtpPhase::mail;
    case Awaited::rcpt:
      return SmtpPhase::rcpt;
    case Awaited::dot:
      return text_sent_ ? SmtpPhase::dot : SmtpPhase::data;
    case Awaited::data:
    case Awaited::lone_dot:
      return SmtpPhase::data;
  }
  return SmtpPhase::connect;
}

std::optional<Step> SmtpDialogue::step() const {
  switch (awaited_) {
    case Awaited::greeting:
      return Step::smtp_greeting;
    case Awaited::ehlo:
    case Awaited::helo:
      return Step::smtp_hello;
    case Awaited::auth:
      return Step::smtp_auth;
    case Awaited::mail:
      return Step::smtp_mail;
    case Awaited::rcpt:
      return Step::smtp_rcpt;
    case Awaited::data:
      return Step::smtp_data;
    case Awaited::dot:
      return Step::smtp_dot;
    default:
      return std::nullopt;
  }
}

}  // namespace scalemark::mail
