// A network card of a stated speed, as arithmetic.
//
// The link is busy until the instant `free_at`; whatever it carries moves that instant on by the time the
// bytes need. A sender that finds the link free may put something on it, however large, and pays for it
// afterwards. A sender that comes late (its timer, its share of a busy processor) may catch up by at most the
// allowance, so over any stretch of time T the link starts to carry no more than rate x (T + allowance) plus
// the last piece, and over a long one exactly the rate. Pure; belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/clock.h"
#include "core/units.h"

namespace scalemark::testbed {

class ShapedLink {
 public:
  /// `rate` must be positive, `allowance` not negative.
  ShapedLink(BitsPerSecond rate, Duration allowance) : rate_(rate), allowance_(allowance) {}

  /// Whether a sender may put something on the link.
  [[nodiscard]] bool free(TimePoint now) const { return free_at_ <= now; }
  /// How long until it may; zero when the link is free.
  [[nodiscard]] Duration wait(TimePoint now) const { return std::max(free_at_ - now, Duration::zero()); }
  /// Puts `bytes` on the link, free or not.
  void carry(std::uint64_t bytes, TimePoint now) {
    free_at_ = std::max(free_at_, now - allowance_) + time_on_line(bytes, rate_);
  }

 private:
  BitsPerSecond rate_;
  Duration allowance_;
  TimePoint free_at_{};
};

}  // namespace scalemark::testbed
