#include "mail_bench/crowd.h"

#include <fmt/format.h>

#include <algorithm>

namespace scalemark::mail {
namespace {

/// Streams of random numbers that a run derives from its seed.
enum SeedPath : std::uint64_t { user_stream = 11 };

/// A buffer larger than this is given back after the message.
constexpr std::size_t kKeptBuffer = 65'536;

std::uint64_t micros(Duration duration) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

std::int64_t unix_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A message's number: its user in the upper half, so that no two users of a run have one in common.
std::uint64_t number_of(std::uint32_t user, std::uint32_t sequence) {
  return (std::uint64_t{user} << 32U) | sequence;
}

/// Mean time between two messages of one of `users` that together make `per_hour`.
Duration gap_of(double per_hour, std::uint32_t users) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(3600.0 * users / per_hour));
}

Arrivals arrivals_of(const MailPlan& plan) {
  if (plan.arrivals_per_hour > 0) {
    return Arrivals::open(gap_of(plan.arrivals_per_hour, plan.users));
  }
  return plan.most_per_hour > 0 ? Arrivals::capped(gap_of(plan.most_per_hour, plan.users)) : Arrivals();
}

std::string_view name_of(SmtpPhase phase) {
  static constexpr std::array<std::string_view, 9> kNames = {"connect", "tls",  "greeting", "hello", "auth",
                                                             "mail",    "rcpt", "data",     "dot"};
  return kNames.at(static_cast<std::size_t>(phase));
}

std::string_view name_of(Pop3Phase phase) {
  static constexpr std::array<std::string_view, 8> kNames = {"connect", "tls",      "greeting", "auth",
                                                             "list",    "retrieve", "remove",   "quit"};
  return kNames.at(static_cast<std::size_t>(phase));
}

std::string_view name_of(Pop3Refusal refusal) {
  static constexpr std::array<std::string_view, 4> kNames = {"none", "locked", "temporary", "login"};
  return kNames.at(static_cast<std::size_t>(refusal));
}

}  // namespace

Crowd::Crowd(const Setup& setup) : setup_(setup), plan_(setup.plan), running_(setup.share.count()) {
  users_.reserve(setup.share.count());
  for (LocalUser number = 0; number < setup.share.count(); ++number) {
    const std::uint32_t global = setup.share.global(number);
    const Account& account = setup.accounts[global];
    User& user = users_.emplace_back(derive_seed(plan_.seed, {user_stream, setup.iteration, global}),
                                     Ledger::Setup{.run = setup.run,
                                                   .recipient = account.address,
                                                   .node = account.node,
                                                   .visible_limit = plan_.visible_limit});
    user.arrivals = arrivals_of(plan_);
    user.poll_pause = plan_.poll_pause;
  }
}

void Crowd::begin(const Schedule& schedule) {
  schedule_ = schedule;
  const auto whole = std::chrono::ceil<std::chrono::seconds>(drain_end() - schedule.begin);
  tally_.seconds.resize(static_cast<std::size_t>(whole.count()) + 1);  // a sweep may end it a little later
  for (LocalUser number = 0; number < users_.size(); ++number) {
    const TimePoint start = schedule.start_of(setup_.share.global(number), setup_.share.users);
    users_[number].arrivals.begin(start, users_[number].random);
    queue_.add(start, number);
  }
}

TimePoint Crowd::next_due() const {
  TimePoint next = TimePoint::max();
  if (!opened_) {
    next = schedule_.open;
  } else if (!closed_) {
    next = schedule_.close;
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
}

void Crowd::open_window() {
  opened_ = true;
  tally_.window.carried_in = under_way_;
  for (const User& user : users_) {
    tally_.smtp.window.carried_in += user.state == User::State::sending ? 1U : 0U;
    tally_.pop3.window.carried_in += user.state == User::State::collecting ? 1U : 0U;
  }
}

void Crowd::close_window() {
  closed_ = true;
  tally_.window_length = schedule_.close - schedule_.open;
  tally_.window.unfinished = under_way_;
  for (LocalUser number = 0; number < users_.size(); ++number) {
    const User& user = users_[number];
    const bool sending = user.state == User::State::sending;
    if (!sending && user.state != User::State::collecting) {
      continue;
    }
    ++(sending ? tally_.smtp.window : tally_.pop3.window).unfinished;
    tally_.unfinished.push_back({setup_.share.global(number), sending ? "smtp" : "pop3",
                                 to_seconds(schedule_.close - user.busy_since), 0});
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
  if (!closed_ || now < drain_end()) {
    return;
  }
  for (LocalUser number = 0; number < users_.size(); ++number) {
    User& user = users_[number];
    if (user.state == User::State::stopped) {
      continue;
    }
    tally_.smtp.run.unfinished += user.state == User::State::sending ? 1U : 0U;
    tally_.pop3.run.unfinished += user.state == User::State::collecting ? 1U : 0U;
    stop(number);
  }
}

void Crowd::wake() {
  const TimePoint now = setup_.clock.now();
  settle_phase(now);
  while (const auto entry = queue_.take(now)) {
    wake_user(entry->user, entry->due);
  }
  abandon_at(now);
}

void Crowd::wake_user(LocalUser number, TimePoint due) {
  User& user = users_[number];
  if (user.state == User::State::stopped) {
    return;
  }
  const TimePoint now = setup_.clock.now();
  settle_phase(now);
  if (window_open()) {
    enter_lag(now - due);
  }
  active_ += user.state == User::State::not_started ? 1U : 0U;
  act(number);
}

void Crowd::enter_lag(Duration lag) {
  tally_.lag.record(micros(lag));
  tally_.lag_sum += lag;
  tally_.late_timers += lag > kLate ? 1U : 0U;
}

/// What a user does next that is neither sending nor collecting.
void Crowd::act(LocalUser number) {
  User& user = users_[number];
  const TimePoint now = setup_.clock.now();
  const bool over = sending_over(number, now);
  if (!over && may_send(user, now)) {
    send(number, now);
  } else if (user.ledger.under_way() > 0 && !(over && plan_.pairing == Pairing::independent)) {
    collect(number, now);
  } else if (over) {
    stop(number);
  } else {
    const TimePoint end = schedule_.stop_of(setup_.share.global(number), setup_.share.users);
    wait(number, std::min(user.arrivals.next(), end));
  }
}

void Crowd::wait(LocalUser number, TimePoint until) {
  users_[number].state = User::State::waiting;
  queue_.add(until, number);
}

void Crowd::stop(LocalUser number) {
  User& user = users_[number];
  active_ -= user.state == User::State::not_started ? 0U : 1U;
  user.state = User::State::stopped;
  transport_->drop(number);
  // With independent pairing nobody waits for a message of his own, so one that was not seen is not lost.
  enter_settled(user.ledger.close(setup_.clock.now(), cut_ || plan_.pairing == Pairing::independent));
  tally_.ledger.merge(user.ledger.sums());
  --running_;
}

bool Crowd::sending_over(LocalUser number, TimePoint now) const {
  return now >= schedule_.stop_of(setup_.share.global(number), setup_.share.users);
}

bool Crowd::may_send(const User& user, TimePoint now) const {
  const bool room = plan_.pairing == Pairing::independent || user.ledger.under_way() < plan_.most_under_way;
  return room && user.arrivals.due(now);
}

void Crowd::send(LocalUser number, TimePoint now) {
  User& user = users_[number];
  const std::uint32_t global = setup_.share.global(number);
  const Account& account = setup_.accounts[global];
  const std::uint64_t message = number_of(global, user.sequence++);
  const TimePoint planned = user.arrivals.take(now, user.random);
  user.state = User::State::sending;
  user.busy_since = now;
  user.ledger.plan(message, planned);
  ++under_way_;
  for (Accounting* books : {&tally_.run, &tally_.smtp.run}) {
    ++books->issued;
  }
  if (window_open()) {
    ++tally_.window.issued;
    ++tally_.smtp.window.issued;
  }
  if (user.left_on_connection == 0) {
    user.left_on_connection = plan_.messages_per_connection;
  }
  user.text.clear();
  filesets::append_message(user.text,
                           {.identity = {setup_.run, message},
                            .sender = account.address,
                            .recipient = account.address,
                            .node = account.node,
                            .sent_unix_ms = unix_milliseconds()},
                           setup_.corpus.draw(user.random));
  transport_->send(number, {account.address, account.address, user.text});
}

void Crowd::collect(LocalUser number, TimePoint now) {
  User& user = users_[number];
  user.state = User::State::collecting;
  user.busy_since = now;
  ++tally_.pop3.run.issued;
  tally_.pop3.window.issued += window_open() ? 1U : 0U;
  transport_->collect(number, plan_.pairing == Pairing::independent ? 1 : 0);
}

void Crowd::on_sent(LocalUser number, const SmtpResult& result) {
  settle_phase(result.ended);
  User& user = users_[number];
  enter_sent(result);
  enter_settled(user.ledger.sent(number_of(setup_.share.global(number), user.sequence - 1), result));
  if (user.text.capacity() > kKeptBuffer) {
    user.text = {};
  }
  if (--user.left_on_connection == 0) {
    transport_->hang_up(number);
  }
  if (result.outcome == Outcome::good) {
    collect(number, setup_.clock.now());
    return;
  }
  user.left_on_connection = 0;
  wait(number, std::max(result.ended, result.begun + plan_.failure_pause));
}

bool Crowd::on_fetched(LocalUser number, const Fetched& message) {
  const Ledger::Sight sight = users_[number].ledger.fetched(message);
  if (sight.has_hidden) {
    on_step(Step::visible, sight.hidden);
  }
  return sight.erase;
}

void Crowd::on_collected(LocalUser number, const Pop3Result& result) {
  settle_phase(result.ended);
  User& user = users_[number];
  enter_collected(result);
  enter_settled(user.ledger.session_ended(result));
  if (result.refusal == Pop3Refusal::login) {
    enter_settled(user.ledger.give_up(result.ended));
    ++tally_.users_refused;
    stop(number);
    return;
  }
  after_poll(number, result);
}

void Crowd::after_poll(LocalUser number, const Pop3Result& result) {
  User& user = users_[number];
  const TimePoint now = setup_.clock.now();
  if (result.refusal == Pop3Refusal::locked) {
    const auto jitter = std::chrono::duration_cast<Duration>(plan_.lock_pause * (0.5 + user.random.unit()));
    wait(number, now + jitter);
  } else if (result.outcome != Outcome::good) {
    wait(number, std::max(result.ended, result.begun + plan_.failure_pause));
  } else if (result.fetched > 0) {
    user.poll_pause = plan_.poll_pause;
    act(number);
  } else if (!sending_over(number, now) && may_send(user, now)) {
    act(number);
  } else {
    wait(number, now + user.poll_pause);
    user.poll_pause = std::min(user.poll_pause * 2, std::max(kLongestPollPause, plan_.poll_pause));
  }
}

void Crowd::on_step(Step step, Duration took) {
  if (window_open()) {
    tally_.steps.at(static_cast<std::size_t>(step)).record(micros(took));
  }
}

void Crowd::enter_sent(const SmtpResult& result) {
  SmtpTally& tally = tally_.smtp;
  ++tally.run.ended[index_of(result.outcome)];
  tally.window.ended[index_of(result.outcome)] += window_open() ? 1U : 0U;
  tally.connections += result.new_connection ? 1U : 0U;
  tally.sent_bytes += result.sent_bytes;
  if (result.outcome != Outcome::good && result.code != 0) {
    ++tally.replies[fmt::format("{} {}", name_of(result.phase), result.code)];
  }
  enter_second(result.ended, 0, 0, result.sent_bytes);
}

void Crowd::enter_collected(const Pop3Result& result) {
  Pop3Tally& tally = tally_.pop3;
  ++tally.run.ended[index_of(result.outcome)];
  const std::uint64_t retrieved = result.committed ? result.fetched : 0;
  tally.run_retrieved += retrieved;
  if (window_open()) {
    ++tally.window.ended[index_of(result.outcome)];
    tally.window_retrieved += retrieved;
  }
  tally.received_bytes += result.received_bytes;
  tally.empty_polls += result.outcome == Outcome::good && result.listed == 0 ? 1U : 0U;
  tally.locked += result.refusal == Pop3Refusal::locked ? 1U : 0U;
  if (result.refusal != Pop3Refusal::none) {
    ++tally.refusals[fmt::format("{} {}", name_of(result.phase), name_of(result.refusal))];
  }
  enter_second(result.ended, 0, 0, result.received_bytes);
}

void Crowd::enter_settled(const std::vector<Settled>& settled) {
  for (const Settled& message : settled) {
    if (message.corrects) {
      correct(message);
      continue;
    }
    --under_way_;
    if (message.what == MessageClass::unsettled) {
      ++tally_.run.unfinished;
      continue;
    }
    const Outcome outcome = outcome_of(message.what);
    const bool good = outcome == Outcome::good;
    ++tally_.run.ended[index_of(outcome)];
    tally_.window.ended[index_of(outcome)] += window_open() ? 1U : 0U;
    if (good) {
      on_step(Step::operation, message.at - message.begun);
    }
    enter_second(message.at, good ? 1 : 0, good ? 0 : 1, 0);
  }
}

/// A message that was settled turned out to be something else after all: as though that had been known then.
void Crowd::correct(const Settled& message) {
  const std::size_t was = index_of(outcome_of(message.was));
  const std::size_t is = index_of(outcome_of(message.what));
  --tally_.run.ended[was];
  ++tally_.run.ended[is];
  if (opened_ && message.at >= schedule_.open && message.at < schedule_.close) {
    --tally_.window.ended[was];
    ++tally_.window.ended[is];
  }
  if (outcome_of(message.was) == Outcome::good && outcome_of(message.what) != Outcome::good) {
    SecondTally& second = tally_.seconds[second_of(message.at)];
    --second.good;
    ++second.failed;
    --totals_.good;
    ++totals_.failed;
  }
}

std::size_t Crowd::second_of(TimePoint at) const {
  const auto second = std::chrono::floor<std::chrono::seconds>(at - schedule_.begin).count();
  return std::min(static_cast<std::size_t>(std::max<std::int64_t>(second, 0)), tally_.seconds.size() - 1);
}

void Crowd::enter_second(TimePoint at, std::uint64_t good, std::uint64_t failed, std::uint64_t bytes) {
  for (SecondTally* tally : {&tally_.seconds[second_of(at)], &totals_}) {
    tally->good += good;
    tally->failed += failed;
    tally->wire_bytes += bytes;
  }
}

void Crowd::note_seconds(TimePoint now) {
  const auto over = std::chrono::floor<std::chrono::seconds>(now - schedule_.begin).count();
  while (static_cast<std::int64_t>(seconds_noted_) < over && seconds_noted_ < tally_.seconds.size()) {
    tally_.seconds[seconds_noted_++].active = active_;
  }
}

}  // namespace scalemark::mail
