// Runs the workers of an iteration, each on a thread of its own, and watches over them meanwhile.
//
// The watching thread is the caller's: it passes the user's stop on to the workers, shows progress from what
// they publish, and notes how many descriptors are in use. What a worker does is its own affair.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/generator_health.h"
#include "core/phases.h"
#include "core/run_hooks.h"
#include "core/worker_signals.h"

namespace scalemark {

/// One worker: what it publishes, and what its thread does.
struct WorkerThread {
  std::unique_ptr<LiveCounters> live;
  std::function<void()> work;
};

/// What the watching needs; referred to.
struct WorkerWatch {
  const RunHooks& hooks;
  const Clock& clock;
  const Schedule& schedule;
  CutSignal& cut;
  TimePoint run_begin;           ///< of the whole run: what progress counts from
  Duration planned{};            ///< time of the whole run
  std::uint32_t iteration = 1;   ///< this one
  std::uint32_t iterations = 1;  ///< of so many
};

struct WorkersEnd {
  std::vector<std::string> faults;  ///< of each worker, why it stopped before its end; "" when it did not
  std::uint64_t descriptors = 0;    ///< most that were seen open
};

/// How far ahead of its first user an iteration's begin should lie, so that all threads are up by then.
inline constexpr Duration kHeadStart = std::chrono::milliseconds(50);

/// Blocks until all workers have ended. Throws RunError when a thread cannot be started; those that run are
/// cut and joined first.
[[nodiscard]] WorkersEnd run_workers(const std::vector<WorkerThread>& workers, const WorkerWatch& watch);

/// What the process as a whole adds to the generator's figures: memory, descriptors, ports.
void add_process_figures(GeneratorFigures& figures, std::uint64_t descriptors);

}  // namespace scalemark
