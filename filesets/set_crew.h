// Work on a file set's directories by several threads, with its progress; shared by the generator and the
// checker, not used outside this room.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "filesets/web_generator.h"

namespace scalemark::filesets {

/// Whether the work should stop: its caller asked for it, or another worker failed. Thread-safe.
class Stop {
 public:
  explicit Stop(const std::atomic<bool>& cancel) : cancel_(cancel) {}

  [[nodiscard]] bool wanted() const {
    return cancel_.load(std::memory_order_relaxed) || failed_.load(std::memory_order_relaxed);
  }
  void fail() { failed_.store(true, std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& cancel_;
  std::atomic<bool> failed_{false};
};

/// Adds up what has been done and tells the caller, one call at a time. Thread-safe.
class ProgressMeter {
 public:
  /// Tells the caller once that nothing is done yet.
  ProgressMeter(const ProgressCall& call, std::uint32_t directories);

  void add(std::uint64_t files, std::uint64_t bytes);
  /// Whether everything is done.
  [[nodiscard]] bool complete() const;

 private:
  const ProgressCall& call_;
  mutable std::mutex mutex_;
  WebFilesProgress progress_;
};

/// Calls job(directory, stop) for each of 0..directories-1, on `threads` threads (0: one per processor; the
/// caller's is one of them), until all are done or a stop is wanted. Each directory goes to one thread. When
/// a job throws, the others stop and the first exception is thrown here.
void for_each_directory(std::uint32_t directories, std::uint32_t threads, const std::atomic<bool>& cancel,
                        const std::function<void(std::uint32_t, const Stop&)>& job);

}  // namespace scalemark::filesets
