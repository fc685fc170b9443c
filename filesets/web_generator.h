// Puts the web file set on a disk, and proves that it is there.
//
// Deterministic from the seed, parallel over directories, and restartable: a file that is already there with
// the right size, made with the same seed, is kept (the seed stands in `file_set/seed`, written first; a set
// of another seed is refused). How many directories belong to the set stands in `file_set/directories`;
// asking for fewer than are there leaves the rest as it is. Functions block; they may be cancelled through a
// flag. Progress is reported through a callback that may be called from any worker thread, one call at a
// time; the first call, before any file is written or read, tells the totals.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace scalemark::filesets {

struct WebFilesPlan {
  std::filesystem::path out;      ///< the folder that will hold file_set/
  std::uint32_t directories = 0;  ///< at least 1
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: one per processor
};

/// What has been done so far.
struct WebFilesProgress {
  std::uint64_t files_done = 0;  ///< written or kept, or checked
  std::uint64_t files_total = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
};
using ProgressCall = std::function<void(const WebFilesProgress&)>;

struct WebFilesResult {
  std::uint64_t written = 0;
  std::uint64_t kept = 0;
  std::uint64_t bytes = 0;  ///< of the whole set
  bool cancelled = false;   ///< stopped through the flag; run again to go on
};

/// Writes what is missing. Throws UsageError when the folder holds a set of another seed, or files without
/// one; RunError (with the numbers) when the disk lacks the room, before anything is written; RunError when a
/// file cannot be written (with its path and the reason) or when another process is writing the same set.
WebFilesResult generate_web_files(const WebFilesPlan& plan, const ProgressCall& progress,
                                  const std::atomic<bool>& cancel);

struct WebFilesCheck {
  std::uint64_t files = 0;        ///< files of the set that are there and were looked at
  std::uint64_t bytes = 0;        ///< that those should have
  std::uint32_t directories = 0;  ///< that the set should have
  std::uint64_t seed = 0;
  std::uint64_t faults = 0;           ///< missing, of wrong size or content, or not belonging there
  std::vector<std::string> examples;  ///< the first of them, a sentence each (at most 20)
  bool cancelled = false;
};

/// Compares every byte of the set under `dir` with what its seed says. Throws RunError when there is no set
/// (its seed or its number of directories cannot be read).
WebFilesCheck check_web_files(const std::filesystem::path& dir, std::uint32_t threads,
                              const ProgressCall& progress, const std::atomic<bool>& cancel);

}  // namespace scalemark::filesets
