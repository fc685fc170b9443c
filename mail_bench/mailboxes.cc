#include "mail_bench/mailboxes.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/error.h"
#include "core/event_loop.h"
#include "mail_bench/preflight.h"
#include "mail_bench/worker.h"

namespace scalemark::mail {
namespace {

/// What a session that did not end well says about a mailbox.
std::string fault_of(const Pop3Result& result) {
  const std::string said = result.words.empty() ? "" : fmt::format(" (\"{}\")", result.words);
  switch (result.refusal) {
    case Pop3Refusal::locked:
      return "another session holds it" + said;
    case Pop3Refusal::login:
      return "the login was refused" + said;
    case Pop3Refusal::temporary:
      return "the server failed for the time being" + said;
    case Pop3Refusal::none:
      break;
  }
  return std::string(meaning_of(result.outcome)) + said;
}

/// Visits all mailboxes on one loop, a few at a time; each visitor takes the next mailbox when it is done.
class Round {
 public:
  Round(const Prepared& prepared, const std::vector<Account>& accounts, bool empty,
        const std::atomic<bool>* stop, const std::function<void(std::size_t, std::size_t)>& progress)
      : prepared_(prepared),
        accounts_(accounts),
        work_(empty ? Pop3Session::Work::empty : Pop3Session::Work::count),
        stop_(stop),
        progress_(progress),
        sweep_(loop_, [this] { on_sweep(); }) {
    for (const Account& account : accounts) {
      states_.push_back(
          {.address = account.address, .reached = false, .messages = 0, .deleted = 0, .fault = ""});
    }
  }

  std::vector<MailboxState> run(std::uint32_t at_once) {
    for (std::uint32_t i = 0; i < at_once && next_ < accounts_.size(); ++i) {
      visitors_.push_back(std::make_unique<Visitor>(*this));
      visitors_.back()->take_next();
    }
    if (!visitors_.empty()) {
      sweep_.set(kSweep);
      loop_.run();
    }
    if (done_ < accounts_.size()) {
      throw RunError("interrupted while the mailboxes were visited");
    }
    return std::move(states_);
  }

 private:
  static constexpr Duration kSweep = std::chrono::milliseconds(100);

  class Visitor final : private Pop3Events, private StepTimes {
   public:
    explicit Visitor(Round& round) : round_(round) {}

    void take_next() {
      if (round_.next_ == round_.accounts_.size()) {
        return;
      }
      mailbox_ = round_.next_++;
      const Account& account = round_.accounts_[mailbox_];
      const auto& peers = round_.prepared_.pop3_peers;
      const auto& bind = round_.prepared_.bind;
      session_ = std::make_unique<Pop3Session>(Pop3Session::Setup{
          round_.loop_.base(), round_.clock_, round_.prepared_.pop3, peers[mailbox_ % peers.size()],
          bind.empty() ? nullptr : &bind[mailbox_ % bind.size()], *this, *this});
      session_->begin(round_.work_, {account.login, account.password});
    }
    void sweep(TimePoint now) {
      if (session_) {
        session_->sweep(now);
      }
    }

   private:
    bool on_fetched(const Fetched& /*message*/) override { return false; }
    void on_step(Step /*step*/, Duration /*took*/) override {}
    void on_pop3_end(const Pop3Result& result) override {
      MailboxState& state = round_.states_[mailbox_];
      state.messages = result.listed;
      state.reached = result.committed;
      state.deleted = result.committed ? result.deleted : 0;
      state.fault = result.committed ? "" : fault_of(result);
      round_.ended(*this);
    }

    Round& round_;
    std::size_t mailbox_ = 0;
    std::unique_ptr<Pop3Session> session_;
  };

  /// The next mailbox is taken from the sweep or from here by a session of its own, never by the one that
  /// reports: it is still at work.
  void ended(Visitor& visitor) {
    ++done_;
    if (progress_) {
      progress_(done_, accounts_.size());
    }
    if (done_ == accounts_.size()) {
      loop_.stop();
      return;
    }
    free_.push_back(&visitor);
    sweep_.set(Duration::zero());
  }

  void on_sweep() {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      loop_.stop();
      return;
    }
    for (Visitor* visitor : std::exchange(free_, {})) {
      visitor->take_next();
    }
    const TimePoint now = clock_.now();
    for (const auto& visitor : visitors_) {
      visitor->sweep(now);
    }
    if (done_ < accounts_.size()) {
      sweep_.set(free_.empty() ? kSweep : Duration::zero());
    }
  }

  const Prepared& prepared_;
  const std::vector<Account>& accounts_;
  Pop3Session::Work work_;
  const std::atomic<bool>* stop_;
  const std::function<void(std::size_t, std::size_t)>& progress_;
  SteadyClock clock_;
  EventLoop loop_;
  Timer sweep_;
  std::vector<MailboxState> states_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::vector<Visitor*> free_;
  std::vector<std::unique_ptr<Visitor>> visitors_;
};

}  // namespace

std::vector<MailboxState> visit_mailboxes(
    const MailPlan& plan, const std::vector<Account>& accounts, bool empty, std::uint32_t at_once,
    const std::atomic<bool>* stop, const std::function<void(std::size_t done, std::size_t of)>& progress) {
  const Prepared prepared = prepare_access(plan);
  return Round(prepared, accounts, empty, stop, progress).run(at_once);
}

}  // namespace scalemark::mail
