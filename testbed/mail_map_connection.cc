#include "testbed/mail_map_connection.h"

#include <event2/event.h>
#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace scalemark::testbed {
namespace {

using Outcome = MailMapOutcome;

constexpr const char* kStatement = "mailbox";
constexpr const char* kQuery = "select host(node), password from mailboxes where name = $1";
constexpr Duration kGrace = std::chrono::seconds(1);  // after the server should have given up a statement

// What PostgreSQL calls them (its manual, appendix A).
constexpr std::string_view kCanceled = "57014";
constexpr std::array<std::string_view, 2> kNotInItsCharacters = {"22021", "22P05"};
constexpr std::array<std::string_view, 3> kEnding = {"57P01", "57P02", "57P03"};
constexpr std::string_view kAccessOrName = "42";  // a class: of a table that is not there or not allowed

template <std::size_t Size>
bool holds(const std::array<std::string_view, Size>& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

/// The options that the user's own text has for the server's process.
std::string options_in(const std::string& database) {
  std::string options;
  PQconninfoOption* all = PQconninfoParse(database.c_str(), nullptr);
  for (const PQconninfoOption* one = all; one != nullptr && one->keyword != nullptr; ++one) {
    if (one->val != nullptr && std::string_view(one->keyword) == "options") {
      options = one->val;
    }
  }
  PQconninfoFree(all);
  return options;
}

PGconn* start_connecting(const MailMapAccess& access) {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(access.time_out).count();
  const std::string options =
      fmt::format("{} -c statement_timeout={}", options_in(access.database), std::max(milliseconds, 1L));
  // Later ones win over those in the user's text, but for the name, which is only a fallback.
  const std::array<const char*, 5> keywords = {"dbname", "options", "client_encoding",
                                               "fallback_application_name", nullptr};
  const std::array<const char*, 5> values = {access.database.c_str(), options.c_str(), "UTF8",
                                             "scalemark mail-map", nullptr};
  return PQconnectStartParams(keywords.data(), values.data(), 1);
}

std::string field(const PGresult* result, int which) {
  const char* text = PQresultErrorField(result, which);
  return text == nullptr ? "" : text;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

MailMapRow row_of(const PGresult* result) {
  MailMapRow row;
  row.end = Outcome::unknown;
  if (PQntuples(result) > 0) {
    row.end = Outcome::found;
    row.node = PQgetvalue(result, 0, 0);  // "" for null
    if (PQgetisnull(result, 0, 1) == 0) {
      row.password = PQgetvalue(result, 0, 1);
    }
  }
  return row;
}

}  // namespace

MailMapConnection::MailMapConnection(EventLoop& loop, const MailMapAccess& access, Owner& owner)
    : loop_(loop),
      access_(access),
      owner_(owner),
      watch_(loop.base(), &MailMapConnection::on_socket, this),
      timer_(loop, [this] { on_timer(); }) {}

MailMapConnection::~MailMapConnection() {
  close();
}

std::optional<MailMapLookUp> MailMapConnection::take_look_up() {
  return std::exchange(look_up_, std::nullopt);
}

void MailMapConnection::on_socket(int /*fd*/, short what, void* self) {
  auto& connection = *static_cast<MailMapConnection*>(self);
  connection.loop_.guard([&connection, what] {
    if (connection.state_ == State::connecting) {
      connection.go_on_connecting();
    } else {
      connection.receive((what & EV_WRITE) != 0);
    }
  });
}

// Without it libpq prints warnings to standard error.
void MailMapConnection::on_notice(void* self, const PGresult* notice) {
  const std::string severity = field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity == "FATAL" || severity == "PANIC") {
    static_cast<MailMapConnection*>(self)->parting_words_ = field(notice, PG_DIAG_MESSAGE_PRIMARY);
  }
}

// --- Connecting ------------------------------------------------------------------------------------------

void MailMapConnection::connect() {
  state_ = State::connecting;
  parting_words_.clear();
  wait_until(clock_.now() + kPatience);
  server_ = start_connecting(access_);
  if (server_ == nullptr || PQstatus(server_) == CONNECTION_BAD) {
    lose(complaint());
    return;
  }
  PQsetNoticeReceiver(server_, &MailMapConnection::on_notice, this);
  watch_.on(PQsocket(server_), EV_WRITE);
}

void MailMapConnection::go_on_connecting() {
  watch_.off();  // libpq may close the socket and open another of the same number
  switch (PQconnectPoll(server_)) {
    case PGRES_POLLING_READING:
      watch_.on(PQsocket(server_), EV_READ);
      break;
    case PGRES_POLLING_WRITING:
      watch_.on(PQsocket(server_), EV_WRITE);
      break;
    case PGRES_POLLING_OK:
      prepare();
      break;
    default:
      lose(complaint());
  }
}

void MailMapConnection::prepare() {
  state_ = State::preparing;
  if (PQsetnonblocking(server_, 1) != 0 || PQsendPrepare(server_, kStatement, kQuery, 1, nullptr) == 0) {
    lose(complaint());
    return;
  }
  send();
}

// --- Asking ----------------------------------------------------------------------------------------------

void MailMapConnection::ask(MailMapLookUp look_up) {
  state_ = State::asked;
  wait_until(look_up.deadline);
  look_up_ = std::move(look_up);
  const std::array<const char*, 1> values = {look_up_->name.c_str()};
  if (PQsendQueryPrepared(server_, kStatement, 1, values.data(), nullptr, nullptr, 0) == 0) {
    lose(complaint());
    return;
  }
  send();
}

void MailMapConnection::send() {
  const int left = PQflush(server_);
  if (left < 0) {
    lose(complaint());
    return;
  }
  watch_.on(PQsocket(server_), static_cast<short>(left == 0 ? EV_READ : EV_READ | EV_WRITE));
}

void MailMapConnection::receive(bool writable) {
  if (PQconsumeInput(server_) == 0) {
    lose(complaint());
    return;
  }
  while (PQisBusy(server_) == 0) {
    PGresult* result = PQgetResult(server_);
    if (result == nullptr) {
      break;
    }
    PQclear(std::exchange(result_, result));
  }
  if (PQstatus(server_) == CONNECTION_BAD) {
    lose(complaint());
  } else if (result_ != nullptr && PQisBusy(server_) == 0) {
    on_result();
  } else if (writable) {
    send();
  }
}

void MailMapConnection::on_result() {
  PGresult* result = std::exchange(result_, nullptr);
  const ExecStatusType status = PQresultStatus(result);
  const bool asked = state_ == State::asked;
  if (status == (asked ? PGRES_TUPLES_OK : PGRES_COMMAND_OK)) {
    const MailMapRow row = asked ? row_of(result) : MailMapRow{};
    PQclear(result);
    if (asked) {
      owner_.on_answered();
      tell(row);
    }
    become_free();
    return;
  }
  const std::string code = field(result, PG_DIAG_SQLSTATE);
  const std::string words = field(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string why = words.empty() ? first_line(PQresultErrorMessage(result)) : words;
  PQclear(result);
  on_error(code, why);
}

void MailMapConnection::on_error(const std::string& code, const std::string& why) {
  if (state_ != State::asked || code.empty() || holds(kEnding, code)) {
    lose(why);
  } else if (code == kCanceled) {
    tell({Outcome::timed_out, "", std::nullopt});
    become_free();
  } else if (holds(kNotInItsCharacters, code)) {
    owner_.on_answered();
    tell({Outcome::unknown, "", std::nullopt});
    become_free();
  } else {
    owner_.on_failed_look_up(why);
    tell({Outcome::failed, "", std::nullopt});
    // These pass when the table or the right comes back. After others, such as a result that has changed its
    // type, only a new connection is sure to be sound.
    if (code.starts_with(kAccessOrName)) {
      become_free();
    } else {
      lose(why);
    }
  }
}

void MailMapConnection::tell(const MailMapRow& row) {
  if (auto look_up = take_look_up()) {
    look_up->answer(row);
  }
}

void MailMapConnection::become_free() {
  state_ = State::free;
  due_.reset();
  pause_ = kFirstPause;
  owner_.on_free(*this);
}

// --- Ends ------------------------------------------------------------------------------------------------

void MailMapConnection::lose(const std::string& why) {
  close();
  state_ = State::away;
  wait_until(clock_.now() + pause_);
  pause_ = std::min(pause_ * 2, kLongestPause);
  owner_.on_broken(why);
  if (auto look_up = take_look_up()) {
    owner_.on_returned(std::move(*look_up));
  }
}

void MailMapConnection::close() {
  watch_.off();  // before its socket
  PQclear(std::exchange(result_, nullptr));
  PQfinish(std::exchange(server_, nullptr));
}

void MailMapConnection::wait_until(TimePoint due) {
  due_ = due;
  timer_.set(due - clock_.now());
}

void MailMapConnection::on_timer() {
  if (!due_) {
    return;  // of a state that has ended
  }
  if (clock_.now() < *due_) {
    timer_.set(std::max<Duration>(*due_ - clock_.now(), std::chrono::milliseconds(1)));
    return;
  }
  switch (state_) {
    case State::away:
      connect();
      break;
    case State::asked:
      if (look_up_) {
        // The server gives up by itself, a time-out after it was asked.
        wait_until(clock_.now() + access_.time_out + kGrace);
        tell({Outcome::timed_out, "", std::nullopt});
        break;
      }
      [[fallthrough]];
    case State::connecting:
    case State::preparing:
      lose("it does not answer");
      break;
    case State::free:
      break;
  }
}

std::string MailMapConnection::complaint() const {
  if (!parting_words_.empty()) {
    return parting_words_;
  }
  const std::string text = server_ == nullptr ? "" : first_line(PQerrorMessage(server_));
  return text.empty() ? "no memory or no descriptors left" : text;
}

}  // namespace scalemark::testbed
