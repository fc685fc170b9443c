#include "web_bench/worker.h"

#include <algorithm>

namespace scalemark::web {
namespace {

/// A grid of 2 ms makes operations late by 1 ms on average: 0.3 % of those that last 300 ms on their line, as
/// the file set's do, and saves a third of the wake-ups at 1,000 users. Of those that last 7 ms it would be a
/// good part.
Duration grain_for(const WebPlan& plan, const RequestSource& source) {
  constexpr Duration kLongEnough = std::chrono::milliseconds(100);
  const auto mean = source.mean_bytes();
  const bool coarse = mean && time_on_line(static_cast<std::uint64_t>(*mean), plan.line_speed) >= kLongEnough;
  return coarse ? std::chrono::milliseconds(2) : std::chrono::microseconds(1);
}

}  // namespace

Worker::Worker(const Setup& setup, UserShare share, std::uint32_t iteration)
    : setup_(setup),
      share_(share),
      meter_(setup.clock),
      crowd_(setup.plan, setup.source, share, iteration, setup.clock),
      transport_(make_transport(
          {loop_.base(), setup.plan, setup.source, setup.targets, setup.bind, share, setup.clock, *this})),
      due_timer_(loop_, grain_for(setup.plan, setup.source), [this] { on_due(); }),
      sweep_timer_(loop_, [this] { on_sweep(); }) {
  crowd_.attach(*transport_);
}

Tally Worker::run(const Schedule& schedule) {
  meter_.begin();
  crowd_.begin(schedule);
  rearm();
  sweep_timer_.set(Transport::kSweep);
  if (!crowd_.done()) {
    loop_.run();
  }
  crowd_.settle_phase(setup_.clock.now());
  meter_.watch(crowd_.window_open(), crowd_.window_closed());
  Tally tally = std::move(crowd_.tally());
  tally.threads.push_back(meter_.health(share_.worker));
  return tally;
}

void Worker::on_exchange_end(LocalUser user, const ExchangeResult& result) {
  crowd_.on_exchange_end(user, result);
  rearm();
}

void Worker::on_idle_close(LocalUser user) {
  crowd_.on_idle_close(user);
}

void Worker::on_due() {
  armed_ = TimePoint::max();
  crowd_.wake();
  meter_.watch(crowd_.window_open(), crowd_.window_closed());
  rearm();
}

/// What has no instant of its own: time-outs, the live view, the end.
void Worker::on_sweep() {
  const TimePoint now = setup_.clock.now();
  if (setup_.cut.get() < crowd_.schedule().end) {
    crowd_.cut(setup_.cut.get());
  }
  crowd_.settle_phase(now);
  transport_->sweep(now);
  crowd_.abandon_at(now);
  crowd_.note_seconds(now);
  meter_.watch(crowd_.window_open(), crowd_.window_closed());
  setup_.live.good.store(crowd_.totals().good, std::memory_order_relaxed);
  setup_.live.failed.store(crowd_.totals().failed, std::memory_order_relaxed);
  setup_.live.wire_bytes.store(crowd_.totals().wire_bytes, std::memory_order_relaxed);
  setup_.live.active.store(crowd_.active(), std::memory_order_relaxed);
  if (crowd_.done()) {
    loop_.stop();
    return;
  }
  rearm();
  sweep_timer_.set(Transport::kSweep);
}

/// Sets the timer when something is due before it would fire.
void Worker::rearm() {
  const TimePoint next = crowd_.next_due();
  if (next < armed_) {
    armed_ = next;
    due_timer_.set(next);
  }
}

}  // namespace scalemark::web
