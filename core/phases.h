// The phases of an iteration, as instants.
//
//   begin --ramp-up--> --warm-up--> open ====window==== close --ramp-down--> end
//
// Users start one after another, evenly over the ramp-up; the warm-up (before the first window only) is at
// full load; only the window is measured; users stop one after another over the ramp-down, each after the
// operation it is in. Pure; all members are instants of one monotonic clock.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/clock.h"

namespace scalemark {

/// How long each phase lasts.
struct PhaseLengths {
  Duration ramp_up{};
  Duration warm_up{};  ///< before the first iteration's window only
  Duration window{};
  Duration ramp_down{};
};

enum class Phase : std::uint8_t { ramp_up, warm_up, window, ramp_down, over };

[[nodiscard]] std::string_view name_of(Phase phase);

/// One iteration's phases as instants.
struct Schedule {
  TimePoint begin;
  TimePoint ramped;  ///< all users have started
  TimePoint open;    ///< the window opens
  TimePoint close;   ///< and closes
  TimePoint end;     ///< the last user starts no further operation

  /// The phases of an iteration that begins at `begin`; only the first has a warm-up.
  static Schedule plan(const PhaseLengths& lengths, bool first_iteration, TimePoint begin);

  /// Ends everything at `at`, if it would have lasted longer: a window that is open closes then.
  void cut(TimePoint at);

  /// The phase at an instant; each phase includes its first instant and excludes its last.
  [[nodiscard]] Phase at(TimePoint now) const;
  /// When user `number` of `users` starts: begin + ramp-up * number / users.
  [[nodiscard]] TimePoint start_of(std::uint32_t number, std::uint32_t users) const;
  /// From when user `number` of `users` starts nothing new: close + ramp-down * (number + 1) / users.
  [[nodiscard]] TimePoint stop_of(std::uint32_t number, std::uint32_t users) const;
  /// The part of [from, to) that lies inside the window; zero when from >= to.
  [[nodiscard]] Duration inside_window(TimePoint from, TimePoint to) const;
};

}  // namespace scalemark
