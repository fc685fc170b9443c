// What every test of a mail session needs: an event loop that the test turns, a clock that stands still, and
// a note of the steps that were timed.
//
// The session under test lives on `loop`, the scripted peer on threads of its own. No wait is for time: a
// test turns the loop until something has happened, and moves the clock and calls the session's sweep() where
// it is about a time-out. What has not happened after ten real seconds is a failure of the test. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/address.h"
#include "core/clock.h"
#include "core/event_loop.h"
#include "mail_bench/steps.h"
#include "mail_bench/stream.h"
#include "tests/support/certificates.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/sockets.h"

struct event;

namespace scalemark::mail {

/// Notes every step.
class StepRecorder final : public StepTimes {
 public:
  void on_step(Step step, Duration took) override { all.emplace_back(step, took); }

  /// The steps in their order.
  [[nodiscard]] std::vector<Step> order() const;
  /// How long the step took the last time; -1 ns when it was never reported.
  [[nodiscard]] Duration last(Step step) const;

  std::vector<std::pair<Step, Duration>> all;
};

class MailRig {
 public:
  MailRig();
  ~MailRig();
  MailRig(const MailRig&) = delete;
  MailRig& operator=(const MailRig&) = delete;

  EventLoop loop;
  ManualClock clock;
  StepRecorder steps;

  /// Turns the loop until `condition` holds; it may be about what the peer has seen.
  bool run_until(const std::function<bool()>& condition);
  /// Lets the session do all that it would do now of its own accord, without waiting for anything.
  void settle();
  /// From now on run_until() opens `gate` for each script that comes to it, but only after a round of the
  /// loop in which the session could read all that was sent before.
  void keep_in_step_with(test_support::Gate& gate);

 private:
  event* tick_;               // bounds each round, so that conditions on the peer are looked at again
  event* arrival_ = nullptr;  // a script has come to in_step_
  test_support::Gate* in_step_ = nullptr;
};

/// A server for a stream to connect to; `host` is the name that its certificate must be for.
[[nodiscard]] Stream::Peer peer_at(const test_support::Endpoint& endpoint,
                                   const std::string& host = test_support::kCertificateHost);

}  // namespace scalemark::mail
