// Dots at the beginning of lines, which SMTP and POP3 double so that a lone one can end a text (RFC
// 5321, 4.5.2; RFC 1939, 3).
//
// On the way out DotStuffer doubles them; on the way in DotReader takes one away and finds the end. Both take
// a text in whatever pieces it comes, and what they make of it does not depend on where it is cut. Pure; each
// object belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scalemark::mail {

/// Doubles the dots at line starts of a text that is given piece by piece.
class DotStuffer {
 public:
  /// Appends the next piece to `to`, stuffed.
  void append(std::string& to, std::string_view piece);
  /// Appends what ends the text: a line end where the last line has none, and the final dot with its CRLF.
  void finish(std::string& to);

 private:
  char last_ = '\n';  // of the text so far: a text begins with a line
  bool return_before_last_ = true;
};

/// The whole text, stuffed, without the final dot.
void append_stuffed(std::string& to, std::string_view text);

/// Reads a stuffed text that comes from the network, up to its final dot.
class DotReader {
 public:
  /// Texts above this many bytes are not kept; see too_long().
  static constexpr std::size_t kMostBytes = std::size_t{1} << 31U;

  explicit DotReader(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  /// Takes bytes; returns how many belonged to the text: fewer than given when it is finished (the rest is
  /// not its own) or too long.
  std::size_t feed(std::string_view bytes);
  /// The line with the lone dot has come: CRLF.CRLF, or .CRLF at the very beginning.
  [[nodiscard]] bool finished() const { return state_ == State::finished; }
  /// The text is longer than it may be; nothing more is taken.
  [[nodiscard]] bool too_long() const { return state_ == State::too_long; }
  /// What has come so far, with one dot less where there were dots; whole lines when finished, without the
  /// final dot. Valid until the next feed() or reset().
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Gets ready for the next text; keeps the memory.
  void reset();

 private:
  enum class State : std::uint8_t {
    line_start,   ///< after CRLF, or nothing has come yet
    dot,          ///< a dot at a line's start, held back
    dot_return,   ///< and a CR after it, held back too
    line,         ///< within a line
    line_return,  ///< a CR within a line
    finished,
    too_long,
  };
  std::size_t take_run(std::string_view bytes);
  void take_one(char byte);
  void keep(std::string_view bytes);

  std::size_t most_bytes_;
  State state_ = State::line_start;
  std::string text_;
};

}  // namespace scalemark::mail
