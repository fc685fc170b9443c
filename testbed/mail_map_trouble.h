// When to say that the mail map's database is lost, and when that it is back: once each, not for every
// look-up.
//
// There are two kinds of trouble. Away: no connection to the database can be used. Failing: it is there and
// answers look-ups with errors (a table that was dropped, a right that was taken); it passes when a look-up
// has succeeded and none has failed for a second, so that errors with some mailboxes alone do not make it
// come and go with each look-up. Pure: told the time, asks nobody. Belongs to one thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/clock.h"

namespace scalemark::testbed {

class MailMapTrouble {
 public:
  /// How long no look-up may have failed before a success counts.
  static constexpr Duration kCalm = std::chrono::seconds(1);

  // Each returns what is to be said, mostly "".

  /// No connection can be used any more, or none yet. `why` is the database's or the system's own sentence.
  [[nodiscard]] std::string away(const std::string& why);
  /// A connection can be used.
  [[nodiscard]] std::string connected();
  /// A look-up was answered with an error.
  [[nodiscard]] std::string failed(TimePoint now, const std::string& why);
  /// A look-up was answered.
  [[nodiscard]] std::string succeeded(TimePoint now);

 private:
  enum class Kind : std::uint8_t { none, away, failing };
  [[nodiscard]] std::string passed();

  Kind kind_ = Kind::none;
  TimePoint last_failure_{};
};

}  // namespace scalemark::testbed
