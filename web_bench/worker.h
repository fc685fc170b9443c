// One thread of load: an event loop, a transport and the crowd that they carry.
//
// Built before the start, with all that its users need, then run() on a thread of its own. Other
// threads may read `LiveCounters` and set a `CutSignal` at any time; everything else belongs to the worker.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/event_loop.h"
#include "core/thread_meter.h"
#include "core/worker_signals.h"
#include "web_bench/crowd.h"
#include "web_bench/transports.h"

namespace scalemark::web {

class Worker final : private TransportEvents {
 public:
  /// What a worker needs; referred to, not copied.
  struct Setup {
    const WebPlan& plan;
    const RequestSource& source;
    const std::vector<Target>& targets;
    const std::vector<Address>& bind;
    const Clock& clock;
    const CutSignal& cut;
    LiveCounters& live;
  };

  /// Throws RunError when the system lacks descriptors or memory.
  Worker(const Setup& setup, UserShare share, std::uint32_t iteration);

  /// Carries one iteration; returns its books. Ends at the latest the plan's drain after the schedule's end.
  [[nodiscard]] Tally run(const Schedule& schedule);

 private:
  void on_exchange_end(LocalUser user, const ExchangeResult& result) override;
  void on_idle_close(LocalUser user) override;
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

}  // namespace scalemark::web
