// The user model: what the simulated mail users of one worker do, and the books about it.
//
// A user never idles: it sends a message to its own mailbox, then opens a POP3 session and collects what has
// arrived, and goes on. With so many messages under way as it may have it only polls; with open arrivals it
// sends when a message is due. When sending is over it polls until nothing is under way or the drain ends.
// The crowd owns all decisions and all accounting, but no clock source, timer or socket: it is driven by
// wake() and settle_phase() and by the transport's reports, so that tests run it with a manual clock and a
// scripted transport. Belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/due_queue.h"
#include "core/phases.h"
#include "core/random.h"
#include "core/split.h"
#include "filesets/mail_corpus.h"
#include "mail_bench/account.h"
#include "mail_bench/accounts.h"
#include "mail_bench/arrivals.h"
#include "mail_bench/ledger.h"
#include "mail_bench/mail_plan.h"
#include "mail_bench/transport.h"

namespace scalemark::mail {

class Crowd final : public TransportEvents {
 public:
  /// Referred to; must outlive the crowd.
  struct Setup {
    const MailPlan& plan;
    const filesets::MailCorpus& corpus;
    const std::vector<Account>& accounts;  ///< user i has account i
    std::uint64_t run;                     ///< the identity that this iteration's messages carry
    UserShare share;
    std::uint32_t iteration;  ///< only seeds the draws
    const Clock& clock;
  };
  explicit Crowd(const Setup& setup);

  /// The transport that carries; before anything else.
  void attach(Transport& transport) { transport_ = &transport; }
  /// Takes the iteration's instants and plans every user's start.
  void begin(const Schedule& schedule);

  /// Opens or closes the window when `now` says so; every event does this first.
  void settle_phase(TimePoint now);
  /// Lets every user act that is due.
  void wake();
  /// When wake() or settle_phase() is next needed.
  [[nodiscard]] TimePoint next_due() const;

  /// Ends the iteration at `at`; `at` should lie slightly ahead.
  void cut(TimePoint at);
  /// Gives up on what is still under way when the drain is over at `now`.
  void abandon_at(TimePoint now);
  /// The plan's drain after the end; no more than kCutDrain after a cut.
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

  void on_sent(LocalUser number, const SmtpResult& result) override;
  bool on_fetched(LocalUser number, const Fetched& message) override;
  void on_collected(LocalUser number, const Pop3Result& result) override;
  void on_step(Step step, Duration took) override;

  /// A timer later than this is counted as late.
  static constexpr Duration kLate = std::chrono::milliseconds(10);
  /// Longest drain after a cut: whoever ends a run does not want to wait for it.
  static constexpr Duration kCutDrain = std::chrono::milliseconds(1500);
  /// The pause between polls that find nothing grows up to this.
  static constexpr Duration kLongestPollPause = std::chrono::seconds(1);

 private:
  struct User {
    enum class State : std::uint8_t { not_started, waiting, sending, collecting, stopped };

    User(std::uint64_t seed, const Ledger::Setup& books) : random(seed), ledger(books) {}

    Random random;
    State state = State::not_started;
    std::uint32_t left_on_connection = 0;  ///< messages that the SMTP connection still carries
    std::uint32_t sequence = 0;            ///< messages so far
    TimePoint busy_since{};                ///< of the attempt or session under way
    Duration poll_pause{};                 ///< before the next poll, if this one finds nothing
    Arrivals arrivals;
    Ledger ledger;
    std::string text{};  ///< the message under way
  };

  void open_window();
  void close_window();
  void wake_user(LocalUser number, TimePoint due);
  void enter_lag(Duration lag);
  void act(LocalUser number);
  void wait(LocalUser number, TimePoint until);
  void stop(LocalUser number);
  [[nodiscard]] bool sending_over(LocalUser number, TimePoint now) const;
  [[nodiscard]] bool may_send(const User& user, TimePoint now) const;
  void send(LocalUser number, TimePoint now);
  void collect(LocalUser number, TimePoint now);
  void after_poll(LocalUser number, const Pop3Result& result);
  void enter_sent(const SmtpResult& result);
  void enter_collected(const Pop3Result& result);
  void enter_settled(const std::vector<Settled>& settled);
  void correct(const Settled& message);
  [[nodiscard]] std::size_t second_of(TimePoint at) const;
  void enter_second(TimePoint at, std::uint64_t good, std::uint64_t failed, std::uint64_t bytes);

  Setup setup_;
  const MailPlan& plan_;
  Transport* transport_ = nullptr;
  Schedule schedule_{};
  bool opened_ = false;
  bool closed_ = false;
  bool cut_ = false;
  std::uint32_t running_;
  std::uint32_t active_ = 0;
  std::uint64_t under_way_ = 0;  ///< operations issued and not settled
  std::size_t seconds_noted_ = 0;
  std::vector<User> users_;
  DueQueue queue_;
  SecondTally totals_;  // of the whole iteration so far, for the live view
  Tally tally_;
};

}  // namespace scalemark::mail
