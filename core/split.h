// Who carries which simulated user.
//
// Users are dealt round robin to workers (threads, later threads of ranks): worker w of W carries users w,
// w+W, w+2W, ... So every worker has floor or ceil of users/W, and each phase of a ramp-up touches all
// workers alike. Pure and thread-safe.
#pragma once

#include <cstdint>

namespace scalemark {

/// The users of one worker, by their number in the whole run.
struct UserShare {
  std::uint32_t worker = 0;   ///< which worker, 0..workers-1
  std::uint32_t workers = 1;  ///< how many there are
  std::uint32_t users = 0;    ///< users in the whole run

  /// How many users this worker carries.
  [[nodiscard]] std::uint32_t count() const {
    return worker >= users ? 0 : (users - worker - 1) / workers + 1;
  }
  /// The run-wide number of this worker's local user.
  [[nodiscard]] std::uint32_t global(std::uint32_t local) const { return worker + local * workers; }
};

}  // namespace scalemark
