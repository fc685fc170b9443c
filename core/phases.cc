#include "core/phases.h"

#include <algorithm>

namespace scalemark {
namespace {

Duration part(Duration whole, std::uint32_t numerator, std::uint32_t denominator) {
  // Doubles: 64-bit nanoseconds times 32 bits of users would overflow; a nanosecond of rounding is harmless.
  return Duration(static_cast<Duration::rep>(static_cast<double>(whole.count()) * numerator / denominator));
}

}  // namespace

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::ramp_up:
      return "ramp-up";
    case Phase::warm_up:
      return "warm-up";
    case Phase::window:
      return "window";
    case Phase::ramp_down:
      return "ramp-down";
    case Phase::over:
      return "over";
  }
  return "unknown";
}

Schedule Schedule::plan(const PhaseLengths& lengths, bool first_iteration, TimePoint begin) {
  Schedule schedule;
  schedule.begin = begin;
  schedule.ramped = begin + lengths.ramp_up;
  schedule.open = schedule.ramped + (first_iteration ? lengths.warm_up : Duration::zero());
  schedule.close = schedule.open + lengths.window;
  schedule.end = schedule.close + lengths.ramp_down;
  return schedule;
}

void Schedule::cut(TimePoint at) {
  end = std::min(end, at);
  close = std::min(close, end);
  open = std::min(open, close);
  ramped = std::min(ramped, open);
}

Phase Schedule::at(TimePoint now) const {
  if (now < ramped) {
    return Phase::ramp_up;
  }
  if (now < open) {
    return Phase::warm_up;
  }
  if (now < close) {
    return Phase::window;
  }
  return now < end ? Phase::ramp_down : Phase::over;
}

TimePoint Schedule::start_of(std::uint32_t number, std::uint32_t users) const {
  return begin + part(ramped - begin, number, users);
}

TimePoint Schedule::stop_of(std::uint32_t number, std::uint32_t users) const {
  return close + part(end - close, number + 1, users);
}

Duration Schedule::inside_window(TimePoint from, TimePoint to) const {
  return std::max(std::min(to, close) - std::max(from, open), Duration::zero());
}

}  // namespace scalemark
