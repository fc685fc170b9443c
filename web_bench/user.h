// One simulated user's own state: its draws, its keep-alive plan and the operation it is in.
//
// Kept small: a run holds one per connection. Belongs to its worker's thread.
#pragma once

#include <cstdint>

#include "core/clock.h"
#include "core/random.h"
#include "web_bench/request_source.h"

namespace scalemark::web {

/// How many requests a fresh connection carries.
///
/// `persistent_share` of all requests travel on persistent connections of least..most requests (uniform), the
/// rest one per connection. With mean m = (least + most) / 2 that makes a fresh connection persistent with
/// probability p where p m / (p m + 1 - p) = share, so p = share / (m - share m + share): 7/37 for 70 % and
/// 5..15.
class KeepAlivePlan {
 public:
  /// 0 <= persistent_share <= 1, 1 <= least <= most.
  KeepAlivePlan(double persistent_share, std::uint32_t least, std::uint32_t most);

  [[nodiscard]] std::uint32_t draw(Random& random) const;
  [[nodiscard]] double persistent_probability() const { return probability_; }
  /// Mean requests per connection: 2.70 for the default.
  [[nodiscard]] double mean_requests() const;

 private:
  double probability_;
  std::uint32_t least_;
  std::uint32_t most_;
};

struct User {
  enum class State : std::uint8_t {
    not_started,
    in_transfer,  ///< an exchange is under way
    waiting,      ///< the pacing wait, or the pause after a failure
    stopped,
  };

  explicit User(std::uint64_t seed) : random(seed) {}

  Random random;
  State state = State::not_started;
  std::uint8_t cls = 0;
  bool check_content = false;            ///< of the operation at hand
  std::uint32_t left_on_connection = 0;  ///< requests that the connection still carries
  Item item = 0;
  TimePoint start{};                   ///< of the operation at hand
  TimePoint end{};                     ///< of its pacing wait, once the transfer is over
  std::uint64_t unsettled_bytes = 0;   ///< of a good operation whose line credit is not yet entered
  std::uint64_t received_at_open = 0;  ///< of the operation in transfer when the window opened
};

}  // namespace scalemark::web
