// Ctrl-C, SIGTERM and SIGHUP as a flag that work can look at.
//
// The first signal sets the flag. Further ones are overlooked while the work may be expected to be ending (an
// impatient second Ctrl-C must not cost a measurement), and have their default action after that, so that a
// command that hangs can always be ended. One object at a time per process; signals may arrive on any thread.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

#include "core/clock.h"

namespace scalemark::app {

class StopSignals {
 public:
  /// Called from within the signal handler, so it may do only what is allowed there.
  using Hook = void (*)(void* context);

  /// How long after the first signal further ones are overlooked.
  static constexpr Duration kPatience = std::chrono::seconds(3);

  /// Takes over the signals; `hook` may be null. A SIGHUP that was ignored before (nohup) stays so.
  explicit StopSignals(Hook hook = nullptr, void* context = nullptr, Duration patience = kPatience);
  /// Gives them back as they were.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] static const std::atomic<bool>& stopped();

 private:
  std::array<struct sigaction, 3> before_{};
};

}  // namespace scalemark::app
