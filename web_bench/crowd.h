// The user model: what the simulated users of one worker do, and the books about it.
//
// Each user works without pause: it draws what to ask for, hands the exchange to the transport, waits until
// its line would have carried the answer, and goes on. The crowd owns all decisions and all accounting, but
// no clock source, timer or socket of its own: it is driven by wake() and settle_phase() from outside and by
// the transport's reports, so that tests run it with a manual clock and a scripted transport. Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/clock.h"
#include "core/due_queue.h"
#include "core/phases.h"
#include "core/random.h"
#include "core/split.h"
#include "web_bench/account.h"
#include "web_bench/transport.h"
#include "web_bench/user.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {

class Crowd final : public TransportEvents {
 public:
  /// Everything is referred to and must outlive the crowd; `iteration` only seeds the draws.
  Crowd(const WebPlan& plan, const RequestSource& source, UserShare share, std::uint32_t iteration,
        const Clock& clock);

  /// The transport that carries the exchanges; before anything else.
  void attach(Transport& transport) { transport_ = &transport; }
  /// Takes the iteration's instants and plans every user's start.
  void begin(const Schedule& schedule);

  /// Opens or closes the window or ends the iteration when `now` says so; every event does this first.
  void settle_phase(TimePoint now);
  /// Lets every user act that is due.
  void wake();
  /// When wake() or settle_phase() is next needed.
  [[nodiscard]] TimePoint next_due() const;

  /// Ends the iteration at `at` with whatever is known then; `at` should lie slightly ahead.
  void cut(TimePoint at);
  /// Gives up on what is still in transfer (it stays "unfinished") when the drain is over at `now`. To be
  /// asked from outside the transport's reports; wake() asks it, too.
  void abandon_at(TimePoint now);
  /// From when abandon_at() gives up: the plan's drain after the end; no more than kCutDrain after a cut.
  [[nodiscard]] TimePoint drain_end() const;
  /// Every user has stopped.
  [[nodiscard]] bool done() const { return running_ == 0; }

  /// Users started and not stopped.
  [[nodiscard]] std::uint64_t active() const { return active_; }
  [[nodiscard]] const SecondTally& totals() const { return totals_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] bool window_open() const { return opened_ && !closed_; }
  [[nodiscard]] bool window_closed() const { return closed_; }
  /// Notes the number of active users for the seconds that are over at `now`.
  void note_seconds(TimePoint now);
  /// The books, complete once done().
  [[nodiscard]] Tally& tally() { return tally_; }

  void on_exchange_end(LocalUser number, const ExchangeResult& result) override;
  void on_idle_close(LocalUser number) override;

  /// A pacing timer later than this is counted as late.
  static constexpr Duration kLate = std::chrono::milliseconds(10);
  /// Longest drain after a cut: whoever ends a run does not want to wait for it.
  static constexpr Duration kCutDrain = std::chrono::milliseconds(1500);

 private:
  void open_window();
  void close_window();
  void end_iteration();
  void wake_user(LocalUser number, TimePoint due);
  void enter_lag(Duration lag);
  void begin_operation(LocalUser number, TimePoint now);
  void enter_result(User& user, ConnectionTally& connection, const ExchangeResult& result);
  void enter_connection(const ExchangeResult& result);
  void enter_second(const ExchangeResult& result, bool good);
  void settle(LocalUser number);
  void stop(LocalUser number);

  const WebPlan& plan_;
  const RequestSource& source_;
  UserShare share_;
  const Clock& clock_;
  KeepAlivePlan keep_alive_;
  Deck deck_;
  Transport* transport_ = nullptr;
  Schedule schedule_{};
  bool opened_ = false;
  bool closed_ = false;
  bool ended_ = false;
  bool cut_ = false;
  std::uint32_t running_;
  std::uint32_t active_ = 0;
  std::size_t seconds_noted_ = 0;
  std::vector<User> users_;
  DueQueue queue_;
  SecondTally totals_;  // of the whole iteration so far, for the live view
  Tally tally_;
};

}  // namespace scalemark::web
