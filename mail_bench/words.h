// A server's words, made fit for records and terminals. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace scalemark::mail {

/// The longest text that words_of() gives, in bytes.
inline constexpr std::size_t kMostWords = 200;

/// What a server said as one line of printable ASCII: line ends become blanks, whatever else cannot be
/// printed becomes '?', and what is too long is cut.
[[nodiscard]] std::string words_of(std::string_view text);

}  // namespace scalemark::mail
