#include "filesets/set_crew.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "filesets/web_files.h"

namespace scalemark::filesets {

ProgressMeter::ProgressMeter(const ProgressCall& call, std::uint32_t directories) : call_(call) {
  progress_.files_total = std::uint64_t{directories} * kFilesPerDirectory;
  progress_.bytes_total = std::uint64_t{directories} * bytes_per_directory();
  add(0, 0);
}

void ProgressMeter::add(std::uint64_t files, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  progress_.files_done += files;
  progress_.bytes_done += bytes;
  if (call_) {
    call_(progress_);
  }
}

bool ProgressMeter::complete() const {
  const std::lock_guard lock(mutex_);
  return progress_.files_done == progress_.files_total;
}

void for_each_directory(std::uint32_t directories, std::uint32_t threads, const std::atomic<bool>& cancel,
                        const std::function<void(std::uint32_t, const Stop&)>& job) {
  if (threads == 0) {
    threads = std::max(1U, std::thread::hardware_concurrency());
  }
  threads = std::min(threads, std::max(1U, directories));
  Stop stop(cancel);
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      for (std::uint64_t i = next++; i < directories && !stop.wanted(); i = next++) {
        job(static_cast<std::uint32_t>(i), stop);
      }
    } catch (...) {
      stop.fail();
      const std::lock_guard lock(mutex);
      if (!error) {
        error = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < threads) {
        others.emplace_back(work);
      }
    } catch (const std::system_error&) {
      // The machine gives no more threads: those that run do all of the work.
    }
    work();
  }
  if (error) {
    std::rethrow_exception(error);
  }
}

}  // namespace scalemark::filesets
