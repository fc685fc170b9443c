#include "mail_bench/worker.h"

namespace scalemark::mail {
namespace {

/// What is due within this is done in one turn of the loop. Users of a closed loop hardly ever wait.
constexpr Duration kGrain = std::chrono::milliseconds(1);

}  // namespace

Worker::Worker(const Setup& setup, UserShare share, std::uint32_t iteration)
    : setup_(setup),
      share_(share),
      meter_(setup.clock),
      crowd_({setup.plan, *setup.prepared.corpus, setup.prepared.accounts, setup.run, share, iteration,
              setup.clock}),
      transport_(make_transport({loop_.base(), setup.clock, setup.prepared.smtp, setup.prepared.pop3,
                                 setup.prepared.smtp_peers, setup.prepared.pop3_peers, setup.prepared.bind,
                                 setup.prepared.accounts, share, *this})),
      due_timer_(loop_, kGrain, [this] { on_due(); }),
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

void Worker::on_sent(LocalUser user, const SmtpResult& result) {
  crowd_.on_sent(user, result);
  rearm();
}

bool Worker::on_fetched(LocalUser user, const Fetched& message) {
  return crowd_.on_fetched(user, message);
}

void Worker::on_collected(LocalUser user, const Pop3Result& result) {
  crowd_.on_collected(user, result);
  rearm();
}

void Worker::on_step(Step step, Duration took) {
  crowd_.on_step(step, took);
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

}  // namespace scalemark::mail
