#include "core/worker_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/error.h"
#include "core/process_limits.h"

namespace scalemark {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(100);  // how often the live counters are looked at
constexpr Duration kProgress = std::chrono::seconds(1);     // how often they are shown
constexpr Duration kCutAhead =
    std::chrono::milliseconds(250);  // longer than a worker's sweep takes to see it

/// Sums of the live counters.
struct LiveSum {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t active = 0;
};

class Watchman {
 public:
  Watchman(const std::vector<WorkerThread>& workers, const WorkerWatch& watch)
      : workers_(workers), watch_(watch), running_(workers.size()), shown_at_(watch.schedule.begin) {
    end_.faults.resize(workers.size());
  }

  WorkersEnd run() {
    std::vector<std::jthread> threads;
    threads.reserve(workers_.size());
    try {
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        threads.emplace_back([this, i] { carry(i); });
      }
    } catch (const std::system_error& fault) {
      watch_.cut.set(watch_.clock.now());  // those that have begun end at once, and are joined
      throw RunError(
          fmt::format("cannot start {} threads ({}); lower --threads", workers_.size(), fault.what()));
    }
    watch();
    threads.clear();  // joins
    return std::move(end_);
  }

 private:
  void carry(std::size_t worker) {
    try {
      workers_[worker].work();
    } catch (const std::exception& fault) {
      end_.faults[worker] = fault.what();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_one();
  }

  /// Until all workers are done: passes the user's stop on, shows progress, looks at descriptors.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kLook, [this] { return running_ == 0; })) {
      lock.unlock();
      const TimePoint now = watch_.clock.now();
      const auto* stop = watch_.hooks.stop;
      if (stop != nullptr && stop->load(std::memory_order_relaxed) && watch_.cut.get() == TimePoint::max()) {
        watch_.cut.set(now + kCutAhead);
      }
      note_descriptors(now);
      if (watch_.hooks.progress && now - shown_at_ >= kProgress) {
        show(now);
      }
      lock.lock();
    }
  }

  /// Most descriptors that were seen in use; looked at once a second, as it walks through all of them.
  void note_descriptors(TimePoint now) {
    if (now >= next_look_) {
      next_look_ = now + std::chrono::seconds(1);
      end_.descriptors = std::max(end_.descriptors, open_descriptors());
    }
  }

  [[nodiscard]] LiveSum live() const {
    LiveSum sum;
    for (const WorkerThread& worker : workers_) {
      sum.good += worker.live->good.load(std::memory_order_relaxed);
      sum.failed += worker.live->failed.load(std::memory_order_relaxed);
      sum.wire_bytes += worker.live->wire_bytes.load(std::memory_order_relaxed);
      sum.active += worker.live->active.load(std::memory_order_relaxed);
    }
    return sum;
  }

  void show(TimePoint now) {
    const LiveSum sum = live();
    const double seconds = to_seconds(now - shown_at_);
    Snapshot snapshot;
    snapshot.iteration = watch_.iteration;
    snapshot.iterations = watch_.iterations;
    snapshot.phase = name_of(watch_.schedule.at(now));
    snapshot.elapsed = now - watch_.run_begin;
    snapshot.planned = watch_.planned;
    snapshot.active = sum.active;
    snapshot.operations = sum.good;
    snapshot.failed = sum.failed;
    snapshot.operations_per_second = static_cast<double>(sum.good - shown_.good) / seconds;
    snapshot.bits_per_second = static_cast<double>(sum.wire_bytes - shown_.wire_bytes) * 8 / seconds;
    shown_ = sum;
    shown_at_ = now;
    watch_.hooks.progress(snapshot);
  }

  const std::vector<WorkerThread>& workers_;
  const WorkerWatch& watch_;
  WorkersEnd end_;  // a fault each belongs to its worker's thread until that is joined
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_;  // guarded by mutex_
  TimePoint next_look_{};
  LiveSum shown_;
  TimePoint shown_at_;
};

}  // namespace

WorkersEnd run_workers(const std::vector<WorkerThread>& workers, const WorkerWatch& watch) {
  return Watchman(workers, watch).run();
}

void add_process_figures(GeneratorFigures& figures, std::uint64_t descriptors) {
  figures.peak_memory_bytes = peak_memory_bytes();
  figures.descriptors = descriptors;
  figures.descriptor_limit = descriptor_limit();
  figures.ports_available = ephemeral_ports();
}

}  // namespace scalemark
