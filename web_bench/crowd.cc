#include "web_bench/crowd.h"

#include <algorithm>

#include "core/pacing.h"

namespace scalemark::web {
namespace {

/// Streams of random numbers that a run derives from its seed.
enum SeedPath : std::uint64_t { user_stream = 1, deck_stream = 2 };

std::uint64_t micros(Duration duration) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

}  // namespace

Crowd::Crowd(const WebPlan& plan, const RequestSource& source, UserShare share, std::uint32_t iteration,
             const Clock& clock)
    : plan_(plan),
      source_(source),
      share_(share),
      clock_(clock),
      keep_alive_(plan.persistent_share, plan.requests_per_connection_min, plan.requests_per_connection_max),
      deck_(source.mix(), derive_seed(plan.seed, {deck_stream, iteration, share.worker})),
      running_(share.count()),
      tally_(source.classes().size(), 0) {
  users_.reserve(share.count());
  tally_.connections.resize(share.count());
  for (LocalUser number = 0; number < share.count(); ++number) {
    const std::uint32_t global = share.global(number);
    users_.emplace_back(derive_seed(plan.seed, {user_stream, iteration, global}));
    tally_.connections[number].number = global;
  }
}

void Crowd::begin(const Schedule& schedule) {
  schedule_ = schedule;
  const auto whole = std::chrono::ceil<std::chrono::seconds>(drain_end() - schedule.begin);
  tally_.seconds.resize(static_cast<std::size_t>(whole.count()) + 1);  // a sweep may end it a little later
  for (LocalUser number = 0; number < users_.size(); ++number) {
    queue_.add(schedule.start_of(share_.global(number), share_.users), number);
  }
}

TimePoint Crowd::next_due() const {
  TimePoint next = TimePoint::max();
  if (!opened_) {
    next = schedule_.open;
  } else if (!closed_) {
    next = schedule_.close;
  } else if (!ended_) {
    next = schedule_.end;
  } else if (running_ > 0) {
    next = drain_end();
  }
  return std::min(next, queue_.next().value_or(TimePoint::max()));
}

void Crowd::settle_phase(TimePoint now) {
  if (!opened_ && now >= schedule_.open) {
    open_window();
  }
  if (!closed_ && now >= schedule_.close) {
    close_window();
  }
  if (!ended_ && now >= schedule_.end) {
    end_iteration();
  }
}

void Crowd::open_window() {
  opened_ = true;
  for (LocalUser number = 0; number < users_.size(); ++number) {
    User& user = users_[number];
    if (user.state == User::State::in_transfer) {
      user.received_at_open = transport_->received(number);
      ++tally_.classes[user.cls].window.carried_in;
    }
  }
}

void Crowd::close_window() {
  closed_ = true;
  tally_.window = schedule_.close - schedule_.open;
  for (LocalUser number = 0; number < users_.size(); ++number) {
    User& user = users_[number];
    settle(number);
    if (user.state == User::State::waiting && user.end < schedule_.close) {
      enter_lag(schedule_.close - user.end);  // due, and not woken: a stall across the close is ours, too
    }
    if (user.state != User::State::in_transfer) {
      continue;
    }
    const std::uint64_t received = transport_->received(number);
    tally_.connections[number].bits += LineCredit::in_transfer(
        schedule_, user.start, received - std::min(received, user.received_at_open), plan_.line_speed);
    ++tally_.classes[user.cls].window.unfinished;
    tally_.unfinished.push_back({share_.global(number), source_.classes()[user.cls],
                                 to_seconds(schedule_.close - user.start), received});
  }
}

void Crowd::end_iteration() {
  ended_ = true;
  for (LocalUser number = 0; number < users_.size(); ++number) {
    if (users_[number].state == User::State::waiting || users_[number].state == User::State::not_started) {
      stop(number);
    }
  }
}

void Crowd::cut(TimePoint at) {
  cut_ = true;
  schedule_.cut(at);
}

TimePoint Crowd::drain_end() const {
  return schedule_.end + (cut_ ? std::min(plan_.drain, kCutDrain) : plan_.drain);
}

void Crowd::abandon_at(TimePoint now) {
  if (!ended_ || now < drain_end()) {
    return;
  }
  for (LocalUser number = 0; number < users_.size(); ++number) {
    if (users_[number].state == User::State::in_transfer) {
      ++tally_.classes[users_[number].cls].run.unfinished;
      stop(number);
    }
  }
}

void Crowd::wake() {
  const TimePoint now = clock_.now();
  settle_phase(now);
  while (const auto entry = queue_.take(now)) {
    wake_user(entry->user, entry->due);
  }
  abandon_at(now);
}

void Crowd::wake_user(LocalUser number, TimePoint due) {
  User& user = users_[number];
  if (user.state == User::State::stopped) {
    return;  // the iteration ended during its wait
  }
  const TimePoint now = clock_.now();
  settle_phase(now);
  if (user.state == User::State::stopped) {
    return;
  }
  if (window_open()) {
    enter_lag(now - due);
  }
  settle(number);
  if (now >= schedule_.stop_of(share_.global(number), share_.users)) {
    stop(number);
    return;
  }
  begin_operation(number, now);
}

void Crowd::enter_lag(Duration lag) {
  tally_.lag.record(micros(lag));
  tally_.lag_sum += lag;
  tally_.late_timers += lag > kLate ? 1U : 0U;
}

void Crowd::begin_operation(LocalUser number, TimePoint now) {
  User& user = users_[number];
  active_ += user.state == User::State::not_started ? 1 : 0;
  if (user.left_on_connection == 0) {
    user.left_on_connection = keep_alive_.draw(user.random);
  }
  --user.left_on_connection;
  user.cls = static_cast<std::uint8_t>(deck_.deal());
  user.item = source_.draw(user.cls, user.random);
  user.check_content = plan_.verify == Verify::all ||
                       (plan_.verify == Verify::sample && user.random.unit() < plan_.verify_share);
  user.state = User::State::in_transfer;
  user.start = now;
  user.received_at_open = 0;
  ClassTally& tally = tally_.classes[user.cls];
  ++tally.run.issued;
  tally.window.issued += window_open() ? 1U : 0U;
  transport_->start(number, {user.item, user.left_on_connection == 0, user.check_content, false});
}

void Crowd::on_exchange_end(LocalUser number, const ExchangeResult& result) {
  settle_phase(result.end);
  User& user = users_[number];
  enter_connection(result);
  if (result.stale) {
    // The server closed the connection between two requests: the same operation goes on with a fresh one,
    // which cannot be stale again.
    ++tally_.retries;
    transport_->start(number, {user.item, user.left_on_connection == 0, user.check_content, true});
    return;
  }
  enter_result(user, tally_.connections[number], result);
  user.state = User::State::waiting;
  if (ended_) {
    stop(number);
  } else {
    queue_.add(user.end, number);
  }
}

void Crowd::enter_connection(const ExchangeResult& result) {
  tally_.retries += result.retried ? 1U : 0U;
  if (result.connect) {
    ++tally_.connections_opened;
    if (window_open()) {
      tally_.connect.record(micros(*result.connect));
    }
  }
}

void Crowd::enter_result(User& user, ConnectionTally& connection, const ExchangeResult& result) {
  const bool good = result.outcome == Outcome::good;
  const std::uint64_t bytes = plan_.pace_bytes == PaceBytes::wire ? result.wire_bytes : result.body_bytes;
  ClassTally& tally = tally_.classes[user.cls];
  ++tally.run.ended[index_of(result.outcome)];
  tally.run_wire_bytes += result.wire_bytes;
  tally.run_body_bytes += good ? result.body_bytes : 0;
  if (result.outcome == Outcome::bad_status) {
    ++tally_.bad_statuses[result.status];
  }
  enter_second(result, good);
  if (window_open()) {
    ++tally.window.ended[index_of(result.outcome)];
    ++(good ? connection.good : connection.failed)[user.cls];
    if (good) {
      tally.window_bytes += bytes;
      tally.first_byte.record(micros(result.first_byte - user.start));
      tally.last_byte.record(micros(result.end - user.start));
    }
  }
  if (good) {
    user.end = paced_end(user.start, result.end, bytes, plan_.line_speed);
    user.unsettled_bytes = closed_ ? 0 : bytes;
  } else {
    user.end = std::max(result.end, user.start + plan_.failure_pause);
    user.unsettled_bytes = 0;
  }
}

void Crowd::enter_second(const ExchangeResult& result, bool good) {
  const auto second = std::chrono::floor<std::chrono::seconds>(result.end - schedule_.begin).count();
  const auto index =
      std::min(static_cast<std::size_t>(std::max<std::int64_t>(second, 0)), tally_.seconds.size() - 1);
  for (SecondTally* tally : {&tally_.seconds[index], &totals_}) {
    ++(good ? tally->good : tally->failed);
    tally->wire_bytes += result.wire_bytes;
  }
}

void Crowd::note_seconds(TimePoint now) {
  const auto over = std::chrono::floor<std::chrono::seconds>(now - schedule_.begin).count();
  while (static_cast<std::int64_t>(seconds_noted_) < over && seconds_noted_ < tally_.seconds.size()) {
    tally_.seconds[seconds_noted_++].active = active_;
  }
}

/// Enters the line credit of the user's last operation, once.
void Crowd::settle(LocalUser number) {
  User& user = users_[number];
  if (user.unsettled_bytes > 0) {
    tally_.connections[number].bits +=
        LineCredit::whole(schedule_, user.start, user.end, user.unsettled_bytes);
    user.unsettled_bytes = 0;
  }
}

void Crowd::stop(LocalUser number) {
  User& user = users_[number];
  active_ -= user.state == User::State::not_started ? 0 : 1;
  user.state = User::State::stopped;
  --running_;
  transport_->drop(number);
}

void Crowd::on_idle_close(LocalUser /*number*/) {
  ++tally_.reconnects_idle;
}

}  // namespace scalemark::web
