#include "core/clock.h"

#include <fmt/chrono.h>
#include <time.h>

#include <cmath>
#include <ctime>

namespace scalemark {

Duration from_seconds(double seconds) {
  return Duration(std::llround(seconds * 1e9));
}

Duration clock_resolution() {
  timespec resolution{};
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return std::chrono::seconds(resolution.tv_sec) + std::chrono::nanoseconds(resolution.tv_nsec);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace scalemark
