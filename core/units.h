// Units as people write them: "400kbit", "100mbit", "2s", "250ms", "20m", "5%".
//
// Rates are bits per second with k = 1000 (Kb/s = 1000 bit/s, as in the networking trade, never 1024).
// Parsers throw UsageError with a sentence that shows the accepted forms; formatters give back a text that
// the parser reads to the same value. All functions are pure and thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace scalemark {

/// A rate in bits per second.
struct BitsPerSecond {
  double value = 0;
  friend bool operator==(const BitsPerSecond&, const BitsPerSecond&) = default;
};

/// The time that `bytes` need on a line of `rate`. `rate` must be positive.
[[nodiscard]] Duration time_on_line(std::uint64_t bytes, BitsPerSecond rate);

/// "250us", "10ms", "1.5s", "20m", "2h"; a bare number is refused, except 0.
[[nodiscard]] Duration parse_duration(std::string_view text);
[[nodiscard]] std::string format_duration(Duration duration);

/// "400000", "400kbit", "100mbit", "1gbit" (also "400Kb/s"); must be positive.
[[nodiscard]] BitsPerSecond parse_rate(std::string_view text);
[[nodiscard]] std::string format_rate(BitsPerSecond rate);

/// "95%" or "0.95" to 0.95; must lie in [0, 1].
[[nodiscard]] double parse_share(std::string_view text);
[[nodiscard]] std::string format_share(double share);

/// A whole number in [least, most]; `what` names it in the error ("connections") unless it is empty.
[[nodiscard]] std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t least,
                                        std::uint64_t most);

/// For people only: "1.46 GB", "512 B" with k = 1000.
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);
/// For people only: "98.3 Mb/s".
[[nodiscard]] std::string human_rate(BitsPerSecond rate);
/// For people only: "12.3 ms", "1.20 s".
[[nodiscard]] std::string human_duration(Duration duration);

}  // namespace scalemark
