#include "testbed/mail_map_database.h"

#include <libpq-fe.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace scalemark::testbed {
namespace {

using Outcome = MailMapOutcome;

MailMapRow no_row(Outcome outcome) {
  return {outcome, "", std::nullopt};
}

const MailMapDatabasePlan& checked(const MailMapDatabasePlan& plan) {
  if (plan.connections == 0) {
    throw UsageError("the mail map needs at least one connection to its database");
  }
  if (plan.time_out <= Duration::zero()) {
    throw UsageError("the time-out of a look-up must be above zero, as in 2s");
  }
  char* complaint = nullptr;
  PQconninfoOption* options = PQconninfoParse(plan.database.c_str(), &complaint);
  const std::string why = complaint == nullptr ? "out of memory" : last_line(complaint);
  PQfreemem(complaint);
  if (options == nullptr) {
    throw UsageError("'" + plan.database + "' names no database: " + why +
                     "; write it as in \"host=/run/postgresql dbname=mail user=mailmap\"");
  }
  PQconninfoFree(options);
  return plan;
}

}  // namespace

MailMapDatabase::MailMapDatabase(EventLoop& loop, const MailMapDatabasePlan& plan, Notice notice)
    : access_{checked(plan).database, plan.time_out},
      waiting_(plan.waiting),
      notice_(std::move(notice)),
      line_timer_(loop, [this] { expire(); }) {
  MailMapConnection::Owner& self = *this;
  for (std::uint32_t i = 0; i < plan.connections; ++i) {
    connections_.push_back(std::make_unique<MailMapConnection>(loop, access_, self));
  }
}

void MailMapDatabase::start() {
  for (const auto& connection : connections_) {
    connection->start();
  }
}

void MailMapDatabase::look_up(std::string name, Answer answer) {
  if (stopped_) {
    answer(no_row(Outcome::stopping));
    return;
  }
  enter({std::move(name), clock_.now() + access_.time_out, std::move(answer)});
}

void MailMapDatabase::stop() {
  stopped_ = true;
  auto left = std::exchange(line_, {});
  for (const auto& connection : connections_) {
    if (auto look_up = connection->take_look_up()) {
      left.push_back(std::move(*look_up));
    }
  }
  for (const MailMapLookUp& look_up : left) {
    look_up.answer(no_row(Outcome::stopping));
  }
}

// --- The line --------------------------------------------------------------------------------------------

void MailMapDatabase::enter(MailMapLookUp look_up) {
  const auto free = std::find_if(connections_.begin(), connections_.end(),
                                 [](const auto& connection) { return connection->free(); });
  if (free != connections_.end()) {
    (*free)->ask(std::move(look_up));
  } else if (line_.size() >= waiting_ && !look_up.tried) {
    look_up.answer(no_row(Outcome::line_full));
  } else {
    wait_in_line(std::move(look_up));
  }
}

// A look-up that a connection has lost came before all others, and has had its place.
void MailMapDatabase::wait_in_line(MailMapLookUp look_up) {
  if (look_up.tried) {
    line_.push_front(std::move(look_up));
    set_timer();
    return;
  }
  line_.push_back(std::move(look_up));
  if (line_.size() == 1) {
    set_timer();  // otherwise it runs, for one who came before
  }
}

void MailMapDatabase::set_timer() {
  TimePoint first = TimePoint::max();
  for (const MailMapLookUp& look_up : line_) {
    first = std::min(first, look_up.deadline);
  }
  if (!line_.empty()) {
    line_timer_.set(std::max<Duration>(first - clock_.now(), std::chrono::milliseconds(1)));
  }
}

void MailMapDatabase::expire() {
  const TimePoint now = clock_.now();
  const auto due = std::stable_partition(
      line_.begin(), line_.end(), [now](const MailMapLookUp& look_up) { return look_up.deadline > now; });
  std::vector<MailMapLookUp> expired(std::make_move_iterator(due), std::make_move_iterator(line_.end()));
  line_.erase(due, line_.end());
  set_timer();
  const MailMapRow row = no_row(any_usable() ? Outcome::timed_out : Outcome::away);
  for (const MailMapLookUp& look_up : expired) {
    look_up.answer(row);
  }
}

// --- What connections tell -------------------------------------------------------------------------------

void MailMapDatabase::on_free(MailMapConnection& connection) {
  say(trouble_.connected());
  if (!line_.empty()) {
    MailMapLookUp next = std::move(line_.front());
    line_.pop_front();
    connection.ask(std::move(next));
  }
}

void MailMapDatabase::on_answered() {
  say(trouble_.succeeded(clock_.now()));
}

void MailMapDatabase::on_failed_look_up(const std::string& why) {
  say(trouble_.failed(clock_.now(), why));
}

void MailMapDatabase::on_broken(const std::string& why) {
  if (!any_usable()) {
    say(trouble_.away(why));
  }
}

void MailMapDatabase::on_returned(MailMapLookUp look_up) {
  if (look_up.tried) {
    look_up.answer(no_row(Outcome::away));
    return;
  }
  look_up.tried = true;
  enter(std::move(look_up));
}

bool MailMapDatabase::any_usable() const {
  return std::any_of(connections_.begin(), connections_.end(),
                     [](const auto& connection) { return connection->usable(); });
}

void MailMapDatabase::say(const std::string& line) const {
  if (!line.empty() && notice_) {
    notice_(line);
  }
}

}  // namespace scalemark::testbed
