// Ctrl-C and SIGTERM as a flag that work can look at.
//
// The first signal of a kind sets the flag; a second one has its default action, so that a command that hangs
// can always be ended. One object at a time per process; signals may arrive on any thread.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace scalemark::app {

class StopSignals {
 public:
  /// Called from within the signal handler, so it may do only what is allowed there.
  using Hook = void (*)(void* context);

  /// Takes over both signals; `hook` may be null.
  explicit StopSignals(Hook hook = nullptr, void* context = nullptr);
  /// Gives them back as they were.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] static const std::atomic<bool>& stopped();

 private:
  std::array<struct sigaction, 2> before_{};
};

}  // namespace scalemark::app
