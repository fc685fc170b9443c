// A whole web run: plan in, record out.
//
// Preflight, then iterations on worker threads, then judgement. Nothing is printed: progress is handed to the
// caller as snapshots, and the caller's stop flag ends the run early with a partial record. One run at a time
// per process.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "web_bench/web_plan.h"

namespace scalemark {
struct RunRecord;  // core/run_record.h
}

namespace scalemark::web {

/// What the live view shows; made from the threads' published snapshots about once a second.
struct Snapshot {
  std::uint32_t iteration = 1;
  std::uint32_t iterations = 1;
  std::string phase;
  Duration elapsed{};                ///< since the run began
  Duration planned{};                ///< what the run takes in all
  std::uint64_t active = 0;          ///< users at work
  std::uint64_t operations = 0;      ///< good, since the iteration began
  std::uint64_t failed = 0;          ///< since the iteration began
  double operations_per_second = 0;  ///< good, over the last second
  double bits_per_second = 0;        ///< over the last second
};

struct RunHooks {
  std::function<void(const Snapshot&)> progress;   ///< may be empty; called from one thread
  std::function<void(const std::string&)> notice;  ///< may be empty; a sentence worth a line
  const std::atomic<bool>* stop = nullptr;         ///< set: end now, with what is known
};

/// One finding of the preflight.
struct PreflightFinding {
  enum class Level { ok, warning, refuse };
  Level level = Level::ok;
  std::string name;      ///< "descriptors"
  std::string sentence;  ///< "20,000 allowed, 1,064 needed"
};

/// Checks what a run needs, without load beyond one request per class and target. Raises the soft descriptor
/// limit. With `urls` empty only the machine is checked.
[[nodiscard]] std::vector<PreflightFinding> preflight(const WebPlan& plan);

/// Runs. Throws UsageError or RunError when it cannot (a preflight refusal among them); once load has begun
/// it always returns a record.
[[nodiscard]] RunRecord run(const WebPlan& plan, const RunHooks& hooks);

/// Time that the plan takes in all, grace excluded.
[[nodiscard]] Duration planned_time(const WebPlan& plan);

}  // namespace scalemark::web
