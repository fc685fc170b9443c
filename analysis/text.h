// Plain text for people: numbers and wrapped sentences.
//
// Everything takes what it shows as optional and shows "-" for what does not exist, so that a gap in a record
// is seen as a gap and never as a zero. Widths are in characters (UTF-8 code points) of a terminal; control
// characters of foreign texts are shown as "?". Pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scalemark::analysis {

/// How a text is to look.
struct TextStyle {
  bool colour = false;  ///< ANSI colours for the verdict
  int width = 80;       ///< columns of the terminal; less than 72 is taken as 72
};

/// "2,000,000".
[[nodiscard]] std::string count_text(std::optional<std::uint64_t> count);
/// With thousands separators and this many decimals, rounded to nearest.
[[nodiscard]] std::string real_text(std::optional<double> value, int decimals);
/// Milliseconds in three or more figures: "0.31", "12.4", "1,240".
[[nodiscard]] std::string ms_text(std::optional<double> ms);
/// A share in 0..1 as "35.0%", rounded to nearest.
[[nodiscard]] std::string percent_text(std::optional<double> share, int decimals);
/// bit/s as Kb/s with one decimal, cut and not rounded: 319,999 bit/s must not look like 320.
[[nodiscard]] std::string kbps_text(std::optional<double> bits_per_second);
/// "1.46 GB" with k = 1000.
[[nodiscard]] std::string bytes_text(std::optional<std::uint64_t> bytes);
/// Seconds as "60 s", "12.3 s", "1,200 s".
[[nodiscard]] std::string seconds_text(std::optional<double> seconds);

/// Characters that a text takes on a terminal.
[[nodiscard]] std::size_t width_of(std::string_view text);
/// The text with control characters replaced by "?", cut to `most` characters ("..." at the end).
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = std::string_view::npos);

/// Takes the blanks off the end of the text and ends its line.
void end_line(std::string& text);
/// `lead` and then the text, broken between words so that no line is wider than `width`; later lines are
/// indented to where the text began. A word wider than a line is broken. Ends with a line feed.
[[nodiscard]] std::string wrapped(std::string_view lead, std::string_view text, int width);

}  // namespace scalemark::analysis
