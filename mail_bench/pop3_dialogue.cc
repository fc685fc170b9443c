#include "mail_bench/pop3_dialogue.h"

#include <array>
#include <charconv>
#include <utility>

#include "mail_bench/pop3_login.h"
#include "mail_bench/words.h"

namespace scalemark::mail {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::uint32_t kMostCapabilities = 256;  // no sane server has more

}  // namespace

void Pop3Dialogue::begin(Pop3Session::Work work, const Pop3Session::Login& login, std::uint32_t most) {
  work_ = work;
  login_ = login;
  awaited_ = Awaited::connection;
  secured_ = false;
  asked_ = false;
  plain_said_ = false;
  logged_in_ = false;
  refused_ = false;
  quit_answered_ = false;
  offers_ = {};
  list_.begin(most);
  ended_step_.reset();
  out_.clear();
  result_ = {};
}

Pop3Dialogue::Move Pop3Dialogue::connected() {
  ended_step_ = step();
  const bool at_once = settings_.tls == TlsUse::implicit;
  awaited_ = at_once ? Awaited::tls : Awaited::greeting;
  return at_once ? Move::secure : Move::wait;
}

Pop3Dialogue::Move Pop3Dialogue::secured() {
  ended_step_ = step();
  secured_ = true;
  if (settings_.tls == TlsUse::implicit) {
    awaited_ = Awaited::greeting;
    return Move::wait;
  }
  asked_ = false;  // what was offered in clear text does not count
  offers_ = {};
  return open_up();
}

Pop3Dialogue::Move Pop3Dialogue::on_line(std::string_view line) {
  if (awaited_ == Awaited::uids) {
    return on_uid(line);
  }
  if (awaited_ == Awaited::capabilities) {
    return on_capability(line);
  }
  const Pop3Reply reply = read_pop3_reply(line);
  switch (reply.status) {
    case Pop3Status::ok:
      return on_reply(reply);
    case Pop3Status::error:
      return on_error(reply.text);
    case Pop3Status::go_on:
      if (awaited_ == Awaited::plain) {
        return on_challenge();
      }
      break;
    case Pop3Status::malformed:
      break;
  }
  return interrupt(Outcome::malformed, line.empty() ? "an empty line" : line);
}

/// +OK to whatever was said.
Pop3Dialogue::Move Pop3Dialogue::on_reply(const Pop3Reply& reply) {
  switch (awaited_) {
    case Awaited::greeting:
      return on_greeting(reply.text);
    case Awaited::capa:
      awaited_ = Awaited::capabilities;
      capability_lines_ = 0;
      return Move::wait;
    case Awaited::stls:
      awaited_ = Awaited::tls;
      return Move::secure;
    case Awaited::user:
      return say("PASS ", login_.password, Awaited::pass);
    case Awaited::pass:
    case Awaited::apop:
    case Awaited::plain:
      return on_login();
    case Awaited::uidl:
      awaited_ = Awaited::uids;
      return Move::wait;
    case Awaited::stat:
      return on_count(reply.text);
    case Awaited::retr:
      awaited_ = Awaited::text;
      return Move::text;
    case Awaited::dele:
      ended_step_ = Step::pop3_delete;
      ++result_.deleted;
      return next_message();
    case Awaited::quit:
      return on_quit(true);
    case Awaited::connection:
    case Awaited::tls:
    case Awaited::capabilities:
    case Awaited::uids:
    case Awaited::text:
      break;
  }
  return interrupt(Outcome::malformed, "a reply to nothing");
}

/// -ERR to whatever was said.
Pop3Dialogue::Move Pop3Dialogue::on_error(std::string_view text) {
  const Pop3Refusal refusal = refusal_of(text, logging_in());
  switch (awaited_) {
    case Awaited::capa:
      asked_ = true;  // an old server, which offers nothing
      return open_up();
    case Awaited::stls:
      return give_up(Outcome::tls_failed, Pop3Refusal::none, text);
    case Awaited::uidl:
      if (refusal == Pop3Refusal::temporary && !text.starts_with('[')) {
        return say("STAT", Awaited::stat);  // not every server has UIDL
      }
      break;
    case Awaited::quit:
      if (!refused_) {
        result_.outcome = Outcome::bad_status;
        result_.refusal = refusal;
        result_.phase = Pop3Phase::quit;
        result_.words = words_of(text);
      }
      return on_quit(false);
    default:
      break;
  }
  return give_up(Outcome::bad_status, refusal, text);
}

Pop3Dialogue::Move Pop3Dialogue::on_greeting(std::string_view text) {
  ended_step_ = Step::pop3_greeting;
  if (settings_.auth == Pop3Auth::apop) {
    time_stamp_ = time_stamp_of(text);
  }
  return open_up();
}

/// Does what is to be done before the login, and then begins with that.
Pop3Dialogue::Move Pop3Dialogue::open_up() {
  const bool needs_tls = settings_.tls == TlsUse::required && !secured_;
  if ((needs_tls || settings_.auth == Pop3Auth::plain) && !asked_) {
    return say("CAPA", Awaited::capa);
  }
  if (!needs_tls) {
    return log_in();
  }
  if (!offers_.stls) {
    return give_up(Outcome::tls_failed, Pop3Refusal::none, "the server does not offer STLS");
  }
  return say("STLS", Awaited::stls);
}

Pop3Dialogue::Move Pop3Dialogue::on_capability(std::string_view line) {
  if (line != ".") {
    offers_.note(line);
    return ++capability_lines_ <= kMostCapabilities
               ? Move::wait
               : interrupt(Outcome::malformed, "the list of capabilities does not end");
  }
  asked_ = true;
  return open_up();
}

Pop3Dialogue::Move Pop3Dialogue::log_in() {
  switch (settings_.auth) {
    case Pop3Auth::user:
      return say("USER ", login_.name, Awaited::user);
    case Pop3Auth::apop:
      return log_in_by_time_stamp();
    case Pop3Auth::plain:
      return log_in_by_plain();
  }
  return Move::done;
}

Pop3Dialogue::Move Pop3Dialogue::log_in_by_time_stamp() {
  if (time_stamp_.empty()) {
    return give_up(Outcome::bad_status, Pop3Refusal::login, "the greeting has no time stamp for APOP");
  }
  if (!append_apop(out_, time_stamp_, login_)) {
    return interrupt(Outcome::local, "there is no MD5 on this machine");
  }
  awaited_ = Awaited::apop;
  return Move::wait;
}

Pop3Dialogue::Move Pop3Dialogue::log_in_by_plain() {
  if (!offers_.sasl_plain) {
    return give_up(Outcome::bad_status, Pop3Refusal::login, "the server does not offer AUTH PLAIN");
  }
  plain_said_ = append_auth_plain(out_, login_);
  awaited_ = Awaited::plain;
  return Move::wait;
}

/// The server asks for what did not fit into the AUTH command.
Pop3Dialogue::Move Pop3Dialogue::on_challenge() {
  if (plain_said_) {
    return interrupt(Outcome::malformed, "a challenge after all was said");
  }
  plain_said_ = true;
  append_plain_response(out_, login_);
  return Move::wait;
}

Pop3Dialogue::Move Pop3Dialogue::on_login() {
  ended_step_ = Step::pop3_auth;
  logged_in_ = true;
  return work_ == Pop3Session::Work::collect ? say("UIDL", Awaited::uidl) : say("STAT", Awaited::stat);
}

Pop3Dialogue::Move Pop3Dialogue::on_uid(std::string_view line) {
  if (line == ".") {
    ended_step_ = Step::pop3_list;
    result_.listed = list_.listed();
    return next_message();
  }
  const std::optional<Pop3Uid> uid = read_uid(line);
  const bool good = uid && list_.add({uid->number, uid->uid});
  return good ? Move::wait : interrupt(Outcome::malformed, line);
}

Pop3Dialogue::Move Pop3Dialogue::on_count(std::string_view text) {
  const std::optional<std::uint32_t> count = read_message_count(text);
  if (!count || !list_.add_numbered(*count)) {
    return interrupt(Outcome::malformed, text);
  }
  ended_step_ = Step::pop3_list;
  result_.listed = *count;
  return work_ == Pop3Session::Work::count ? say("QUIT", Awaited::quit) : next_message();
}

Pop3Dialogue::Move Pop3Dialogue::next_message() {
  if (list_.done()) {
    return say("QUIT", Awaited::quit);
  }
  message_ = list_.next();
  return work_ == Pop3Session::Work::empty ? say("DELE ", message_.number, Awaited::dele)
                                           : say("RETR ", message_.number, Awaited::retr);
}

Pop3Dialogue::Move Pop3Dialogue::fetched(bool erase) {
  ended_step_ = Step::pop3_last_byte;
  ++result_.fetched;
  return erase ? say("DELE ", message_.number, Awaited::dele) : next_message();
}

Pop3Dialogue::Move Pop3Dialogue::on_quit(bool good) {
  quit_answered_ = true;
  if (good && logged_in_) {
    ended_step_ = Step::pop3_quit;
    result_.committed = true;
  }
  return Move::done;
}

Pop3Dialogue::Move Pop3Dialogue::interrupt(Outcome why, std::string_view words) {
  if (!refused_) {
    result_.outcome = why;
    result_.phase = phase();
    result_.words = words_of(words);
  }
  return Move::done;
}

Pop3Dialogue::Move Pop3Dialogue::give_up(Outcome why, Pop3Refusal refusal, std::string_view words) {
  result_.outcome = why;
  result_.refusal = refusal;
  result_.phase = phase();
  result_.words = words_of(words);
  refused_ = true;
  return say("QUIT", Awaited::quit);
}

Pop3Dialogue::Move Pop3Dialogue::say(std::string_view command, Awaited awaited) {
  return say(command, std::string_view{}, awaited);
}

Pop3Dialogue::Move Pop3Dialogue::say(std::string_view command, std::string_view argument, Awaited awaited) {
  out_ += command;
  out_ += argument;
  out_ += kLineEnd;
  awaited_ = awaited;
  return Move::wait;
}

Pop3Dialogue::Move Pop3Dialogue::say(std::string_view command, std::uint32_t number, Awaited awaited) {
  std::array<char, 10> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return say(command, std::string_view(digits.data(), end), awaited);
}

std::optional<Step> Pop3Dialogue::take_ended_step() {
  return std::exchange(ended_step_, std::nullopt);
}

bool Pop3Dialogue::logging_in() const {
  return awaited_ == Awaited::user || awaited_ == Awaited::pass || awaited_ == Awaited::apop ||
         awaited_ == Awaited::plain;
}

std::optional<Step> Pop3Dialogue::step() const {
  switch (awaited_) {
    case Awaited::connection:
      return Step::pop3_connect;
    case Awaited::tls:
      return Step::pop3_tls;
    case Awaited::greeting:
      return Step::pop3_greeting;
    case Awaited::user:
    case Awaited::pass:
    case Awaited::apop:
    case Awaited::plain:
      return Step::pop3_auth;
    case Awaited::uidl:
    case Awaited::uids:
    case Awaited::stat:
      return Step::pop3_list;
    case Awaited::retr:
    case Awaited::text:
      return Step::pop3_last_byte;
    case Awaited::dele:
      return Step::pop3_delete;
    case Awaited::quit:
      return Step::pop3_quit;
    case Awaited::capa:
    case Awaited::capabilities:
    case Awaited::stls:
      break;
  }
  return std::nullopt;
}

Pop3Phase Pop3Dialogue::phase() const {
  switch (awaited_) {
    case Awaited::connection:
      return Pop3Phase::connect;
    case Awaited::tls:
    case Awaited::stls:
      return Pop3Phase::tls;
    case Awaited::greeting:
      return Pop3Phase::greeting;
    case Awaited::capa:
    case Awaited::capabilities:
      return settings_.tls == TlsUse::required && !secured_ ? Pop3Phase::tls : Pop3Phase::auth;
    case Awaited::user:
    case Awaited::pass:
    case Awaited::apop:
    case Awaited::plain:
      return Pop3Phase::auth;
    case Awaited::uidl:
    case Awaited::uids:
    case Awaited::stat:
      return Pop3Phase::list;
    case Awaited::retr:
    case Awaited::text:
      return Pop3Phase::retrieve;
    case Awaited::dele:
      return Pop3Phase::remove;
    case Awaited::quit:
      break;
  }
  return Pop3Phase::quit;
}

}  // namespace scalemark::mail
