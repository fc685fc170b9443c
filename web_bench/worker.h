// One thread of load: an event loop, a transport and the crowd that they carry.
//
// Built before the start so that nothing is allocated under load, then run() on a thread of its own. Other
// threads may read `LiveCounters` and set a `CutSignal` at any time; everything else belongs to the worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/event_loop.h"
#include "web_bench/crowd.h"
#include "web_bench/transports.h"

namespace scalemark::web {

/// What a worker publishes about ten times a second for the live view; all since the iteration began.
struct LiveCounters {
  std::atomic<std::uint64_t> good{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> wire_bytes{0};
  std::atomic<std::uint64_t> active{0};
};

/// Tells all workers to end the iteration at the same instant.
class CutSignal {
 public:
  void set(TimePoint at) { at_.store(at.time_since_epoch().count(), std::memory_order_relaxed); }
  /// The instant, or TimePoint::max() when nobody asked.
  [[nodiscard]] TimePoint get() const { return TimePoint(Duration(at_.load(std::memory_order_relaxed))); }

 private:
  std::atomic<Duration::rep> at_{Duration::max().count()};
};

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

  /// Carries one iteration; returns its books. Ends at the latest kGrace after the schedule's end.
  [[nodiscard]] Tally run(const Schedule& schedule);

  /// How long operations still in transfer at the end are waited for.
  static constexpr Duration kGrace = std::chrono::milliseconds(1500);

 private:
  void on_exchange_end(LocalUser user, const ExchangeResult& result) override;
  void on_idle_close(LocalUser user) override;
  void on_due();
  void on_sweep();
  void rearm();
  void watch_window();

  Setup setup_;
  UserShare share_;
  EventLoop loop_;
  Crowd crowd_;
  std::unique_ptr<Transport> transport_;
  ExactTimer due_timer_;
  Timer sweep_timer_;
  TimePoint armed_ = TimePoint::max();
  TimePoint opened_at_{};
  Duration cpu_at_open_{};
  double window_cpu_share_ = 0;
  bool cpu_noted_open_ = false;
  bool cpu_noted_close_ = false;
};

}  // namespace scalemark::web
