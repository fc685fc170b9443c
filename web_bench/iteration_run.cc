#include "web_bench/iteration_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/process_limits.h"
#include "web_bench/figures.h"
#include "web_bench/worker.h"

namespace scalemark::web {
namespace {

constexpr Duration kWatch = std::chrono::milliseconds(100);     // how often the live counters are looked at
constexpr Duration kProgress = std::chrono::seconds(1);         // how often they are shown
constexpr Duration kHeadStart = std::chrono::milliseconds(50);  // threads are up before the first user
constexpr Duration kCutAhead =
    std::chrono::milliseconds(250);  // longer than a worker's sweep takes to see it

/// A worker with its thread's result.
struct Hand {
  LiveCounters live;
  std::unique_ptr<Worker> worker;
  Tally tally{0, 0};
  std::string fault;  // why it stopped, if it did not end as it should
};

/// Sums of the live counters.
struct LiveSum {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t active = 0;
};

class Iteration {
 public:
  Iteration(const IterationSetup& setup, std::uint32_t number);
  IterationFigures run();

 private:
  void carry(Hand& hand);
  void watch();
  void show(TimePoint now);
  void note_descriptors(TimePoint now);
  [[nodiscard]] LiveSum live() const;
  [[nodiscard]] IterationFigures figures();

  const IterationSetup& setup_;
  std::uint32_t number_;
  Schedule schedule_;
  CutSignal cut_;
  std::vector<std::unique_ptr<Hand>> hands_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;  // guarded by mutex_
  std::uint64_t descriptors_ = 0;
  TimePoint next_look_{};
  LiveSum shown_;
  TimePoint shown_at_{};
};

Iteration::Iteration(const IterationSetup& setup, std::uint32_t number) : setup_(setup), number_(number) {
  const WebPlan& plan = setup.plan;
  for (std::uint32_t thread = 0; thread < plan.threads; ++thread) {
    auto hand = std::make_unique<Hand>();
    const Worker::Setup worker{
        plan,      *setup.prepared.source, setup.prepared.targets, setup.prepared.bind, setup.clock, cut_,
        hand->live};
    hand->worker =
        std::make_unique<Worker>(worker, UserShare{thread, plan.threads, plan.connections}, number);
    hands_.push_back(std::move(hand));
  }
}

void Iteration::carry(Hand& hand) {
  try {
    hand.tally = hand.worker->run(schedule_);
  } catch (const std::exception& fault) {
    hand.fault = fault.what();
  }
  const std::lock_guard lock(mutex_);
  --running_;
  ended_.notify_one();
}

IterationFigures Iteration::run() {
  schedule_ = Schedule::plan(setup_.plan.phases, number_ == 1, setup_.clock.now() + kHeadStart);
  shown_at_ = schedule_.begin;
  running_ = hands_.size();
  std::vector<std::jthread> threads;
  threads.reserve(hands_.size());
  try {
    for (const auto& hand : hands_) {
      threads.emplace_back([this, &hand] { carry(*hand); });
    }
  } catch (const std::system_error& fault) {
    cut_.set(setup_.clock.now());  // those that have begun end at once, and are joined
    throw RunError(fmt::format("cannot start {} threads ({}); lower --threads", hands_.size(), fault.what()));
  }
  watch();
  threads.clear();  // joins
  return figures();
}

/// Until all workers are done: passes the user's stop on, shows progress, looks at descriptors.
void Iteration::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kWatch, [this] { return running_ == 0; })) {
    lock.unlock();
    const TimePoint now = setup_.clock.now();
    const auto* stop = setup_.hooks.stop;
    if (stop != nullptr && stop->load(std::memory_order_relaxed) && cut_.get() == TimePoint::max()) {
      cut_.set(now + kCutAhead);
    }
    note_descriptors(now);
    if (setup_.hooks.progress && now - shown_at_ >= kProgress) {
      show(now);
    }
    lock.lock();
  }
}

/// Most descriptors that were seen in use; looked at once a second, as it walks through all of them.
void Iteration::note_descriptors(TimePoint now) {
  if (now >= next_look_) {
    next_look_ = now + std::chrono::seconds(1);
    descriptors_ = std::max(descriptors_, open_descriptors());
  }
}

LiveSum Iteration::live() const {
  LiveSum sum;
  for (const auto& hand : hands_) {
    sum.good += hand->live.good.load(std::memory_order_relaxed);
    sum.failed += hand->live.failed.load(std::memory_order_relaxed);
    sum.wire_bytes += hand->live.wire_bytes.load(std::memory_order_relaxed);
    sum.active += hand->live.active.load(std::memory_order_relaxed);
  }
  return sum;
}

void Iteration::show(TimePoint now) {
  const LiveSum sum = live();
  const double seconds = to_seconds(now - shown_at_);
  Snapshot snapshot;
  snapshot.iteration = number_;
  snapshot.iterations = setup_.plan.iterations;
  snapshot.phase = name_of(schedule_.at(now));
  snapshot.elapsed = now - setup_.run_begin;
  snapshot.planned = planned_time(setup_.plan);
  snapshot.active = sum.active;
  snapshot.operations = sum.good;
  snapshot.failed = sum.failed;
  snapshot.operations_per_second = static_cast<double>(sum.good - shown_.good) / seconds;
  snapshot.bits_per_second = static_cast<double>(sum.wire_bytes - shown_.wire_bytes) * 8 / seconds;
  shown_ = sum;
  shown_at_ = now;
  setup_.hooks.progress(snapshot);
}

IterationFigures Iteration::figures() {
  const RequestSource& source = *setup_.prepared.source;
  Tally tally(source.classes().size(), 0);
  std::vector<std::string> faults;
  for (const auto& hand : hands_) {
    if (hand->fault.empty()) {
      tally.merge(hand->tally);
    } else {
      faults.push_back("a generator thread stopped: " + hand->fault);
    }
  }
  Schedule schedule = schedule_;
  schedule.cut(cut_.get());
  IterationFigures figures = figures_of(tally, setup_.plan, source, schedule, number_, std::move(faults));
  figures.generator.peak_memory_bytes = peak_memory_bytes();
  figures.generator.descriptors = descriptors_;
  figures.generator.descriptor_limit = descriptor_limit();
  figures.generator.ports_available = ephemeral_ports();
  return figures;
}

}  // namespace

IterationFigures run_iteration(const IterationSetup& setup, std::uint32_t number) {
  return Iteration(setup, number).run();
}

}  // namespace scalemark::web
