// Pacing: how long an operation lasts on a line of a given speed.
//
// The transfer itself runs at full speed; the user then waits until the line would have been done. No credit
// is ever earned: an operation that was slower than the line is followed by the next one at once. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/clock.h"
#include "core/units.h"

namespace scalemark {

/// When an operation that began at `start` and whose transfer of `bytes` was over at `end` is over as a
/// whole: max(end, start + bytes * 8 / line).
[[nodiscard]] inline TimePoint paced_end(TimePoint start, TimePoint end, std::uint64_t bytes,
                                         BitsPerSecond line) {
  return std::max(end, start + time_on_line(bytes, line));
}

}  // namespace scalemark
