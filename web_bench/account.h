// The books of a worker: what its users did, per class, per connection and per second.
//
// A worker owns one `Tally` and writes it without locks; after the iteration all tallies are merged, which is
// commutative and associative. `LineCredit` is the rule for operations that cross the window's edges. All of
// it is pure bookkeeping: no clock, no sockets.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "core/accounting.h"
#include "core/clock.h"
#include "core/generator_health.h"
#include "core/histogram.h"
#include "core/phases.h"
#include "core/units.h"

namespace scalemark::web {

/// Most classes that a source may have.
inline constexpr std::size_t kMaxClasses = 4;

/// Bits that an operation brings its connection within the window.
struct LineCredit {
  /// A good operation that lasts over [start, end), pacing wait included, and moved `bytes`: its bytes are
  /// spread evenly over that time and the part inside the window counts.
  static double whole(const Schedule& schedule, TimePoint start, TimePoint end, std::uint64_t bytes);
  /// An operation still in transfer when the window closed: the `bytes` received inside the window, capped at
  /// what the line carries in the operation's time inside it.
  static double in_transfer(const Schedule& schedule, TimePoint start, std::uint64_t bytes,
                            BitsPerSecond line);
};

/// What one connection did in the window.
struct ConnectionTally {
  std::uint32_t number = 0;  ///< run-wide
  double bits = 0;           ///< credited
  std::array<std::uint32_t, kMaxClasses> good{};
  std::array<std::uint32_t, kMaxClasses> failed{};
  friend auto operator<=>(const ConnectionTally&, const ConnectionTally&) = default;
};

struct ClassTally {
  Accounting window;
  Accounting run;
  std::uint64_t window_bytes = 0;
  std::uint64_t run_wire_bytes = 0;
  std::uint64_t run_body_bytes = 0;
  Histogram first_byte;
  Histogram last_byte;

  void merge(const ClassTally& other);
  friend bool operator==(const ClassTally&, const ClassTally&) = default;
};

struct Tally {
  std::vector<ClassTally> classes;
  std::vector<ConnectionTally> connections;
  std::map<int, std::uint64_t> bad_statuses;
  std::uint64_t connections_opened = 0;
  std::uint64_t reconnects_idle = 0;
  std::uint64_t retries = 0;
  Histogram connect;
  std::vector<UnfinishedOperation> unfinished;
  Histogram lag;
  std::uint64_t late_timers = 0;
  Duration lag_sum{};
  std::vector<SecondTally> seconds;
  std::vector<ThreadHealth> threads;
  Duration window = Duration::max();  ///< as long as it was; the shortest of the merged

  /// An empty tally for so many classes and seconds.
  Tally(std::size_t class_count, std::size_t second_count);
  /// Adds another; connections, unfinished operations and threads are then in the order of their numbers,
  /// whatever the order of merging.
  void merge(const Tally& other);
  friend bool operator==(const Tally&, const Tally&) = default;
};

}  // namespace scalemark::web
