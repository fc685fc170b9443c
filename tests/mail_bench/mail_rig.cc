#include "tests/mail_bench/mail_rig.h"

#include <event2/event.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include <algorithm>

namespace scalemark::mail {
namespace {

constexpr std::chrono::seconds kPatience{10};
constexpr timeval kTick{0, 2'000};
constexpr int kSettlingRounds = 10;

}  // namespace

std::vector<Step> StepRecorder::order() const {
  std::vector<Step> steps;
  for (const auto& [step, took] : all) {
    steps.push_back(step);
  }
  return steps;
}

Duration StepRecorder::last(Step step) const {
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [&](const auto& one) { return one.first == step; });
  return found == all.rend() ? Duration(-1) : found->second;
}

MailRig::MailRig()
    : tick_(event_new(
          loop.base(), -1, EV_PERSIST, [](int, short, void*) {}, nullptr)) {
  event_add(tick_, &kTick);
}

MailRig::~MailRig() {
  event_free(tick_);
  if (arrival_ != nullptr) {
    event_free(arrival_);
  }
}

bool MailRig::run_until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "what the test waits for has not happened";
      return false;
    }
    event_base_loop(loop.base(), EVLOOP_ONCE);
    if (in_step_ != nullptr) {
      in_step_->open_if_awaited();
    }
  }
  return true;
}

void MailRig::settle() {
  for (int round = 0; round < kSettlingRounds; ++round) {
    event_base_loop(loop.base(), EVLOOP_NONBLOCK);
  }
}

void MailRig::keep_in_step_with(test_support::Gate& gate) {
  in_step_ = &gate;
  // What a script sent before it came to the gate is readable when its arrival is, so the round that wakes up
  // for the arrival reads it, too.
  arrival_ = event_new(
      loop.base(), gate.arrival_fd(), EV_READ | EV_PERSIST,
      [](int fd, short, void*) {
        eventfd_t arrivals = 0;
        eventfd_read(fd, &arrivals);
      },
      nullptr);
  event_add(arrival_, nullptr);
}

Stream::Peer peer_at(const test_support::Endpoint& endpoint, const std::string& host) {
  return {{endpoint.storage, endpoint.length}, host};
}

}  // namespace scalemark::mail
