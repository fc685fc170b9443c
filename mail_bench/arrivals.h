// When a user's next message is due.
//
// Closed loop: at once, always. Open arrivals: at the instants of a Poisson process that goes on whatever the
// service does, so a message may be due long before it can be sent, and waits count. A cap: evenly spaced,
// and nothing is made up for. Users share the rate evenly; independent Poisson processes add up to one of the
// summed rate. Pure; told the time and given the random numbers.
#pragma once

#include <cmath>

#include "core/clock.h"
#include "core/random.h"

namespace scalemark::mail {

class Arrivals {
 public:
  /// Closed loop.
  Arrivals() = default;
  /// Exponential gaps with this mean.
  static Arrivals open(Duration mean) { return {Kind::open, mean}; }
  /// At least `gap` from one beginning to the next.
  static Arrivals capped(Duration gap) { return {Kind::capped, gap}; }

  /// The user starts at `at`: its first message is due then (open: after a first gap).
  void begin(TimePoint at, Random& random) { due_ = kind_ == Kind::open ? at + draw(random) : at; }
  /// Whether a message is due at `now`.
  [[nodiscard]] bool due(TimePoint now) const { return kind_ == Kind::closed || due_ <= now; }
  /// When the next is; meaningless in a closed loop.
  [[nodiscard]] TimePoint next() const { return due_; }
  /// Takes the message that is due at `now` and returns when it was to begin: what its latency counts from.
  TimePoint take(TimePoint now, Random& random) {
    const TimePoint planned = kind_ == Kind::open ? due_ : now;
    if (kind_ == Kind::open) {
      due_ += draw(random);
    } else if (kind_ == Kind::capped) {
      due_ = now + gap_;
    }
    return planned;
  }

 private:
  enum class Kind : std::uint8_t { closed, open, capped };

  Arrivals(Kind kind, Duration gap) : kind_(kind), gap_(gap) {}
  [[nodiscard]] Duration draw(Random& random) const {
    return std::chrono::duration_cast<Duration>(gap_ * -std::log1p(-random.unit()));
  }

  Kind kind_ = Kind::closed;
  Duration gap_{};
  TimePoint due_{};
};

}  // namespace scalemark::mail
