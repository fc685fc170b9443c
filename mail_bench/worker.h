// One thread of mail load: an event loop, the sessions and the crowd that uses them.
//
// Built before the start, then run() on a thread of its own. Other threads may read `LiveCounters` and set a
// `CutSignal` at any time; everything else belongs to the worker.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/event_loop.h"
#include "core/thread_meter.h"
#include "core/worker_signals.h"
#include "mail_bench/crowd.h"
#include "mail_bench/preflight.h"

namespace scalemark::mail {

class Worker final : private TransportEvents {
 public:
  /// Referred to, not copied.
  struct Setup {
    const MailPlan& plan;
    const Prepared& prepared;
    const Clock& clock;
    const CutSignal& cut;
    LiveCounters& live;
    std::uint64_t run;  ///< the identity that the iteration's messages carry
  };

  /// Throws RunError when the system lacks descriptors or memory.
  Worker(const Setup& setup, UserShare share, std::uint32_t iteration);

  /// Carries one iteration; returns its books. Ends at the latest the plan's drain after the schedule's end.
  [[nodiscard]] Tally run(const Schedule& schedule);

 private:
  void on_sent(LocalUser user, const SmtpResult& result) override;
  bool on_fetched(LocalUser user, const Fetched& message) override;
  void on_collected(LocalUser user, const Pop3Result& result) override;
  void on_step(Step step, Duration took) override;
  void on_due();
  void on_sweep();
  void rearm();

  Setup setup_;
  UserShare share_;
  ThreadMeter meter_;
  EventLoop loop_;
  Crowd crowd_;
  std::unique_ptr<Transport> transport_;
  ExactTimer due_timer_;
  Timer sweep_timer_;
  TimePoint armed_ = TimePoint::max();
};

}  // namespace scalemark::mail
