// Cuts the lines out of a byte stream that comes in pieces of any size.
//
// A line that comes in one piece is not copied. Only CRLF ends a line: a lone CR or LF in it, or more bytes
// than a sane server would send, make it malformed. Pure; belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scalemark::mail {

class LineReader {
 public:
  /// Bytes of a line with its CRLF. POP3 asks for 512 (RFC 2449, 4).
  static constexpr std::size_t kMostLine = 2048;

  enum class Found : std::uint8_t {
    line,       ///< see line()
    part,       ///< all bytes were taken, the line's end was not among them
    malformed,  ///< line() is what there was of it
  };

  /// Takes bytes off the front of `bytes`, up to the end of the line that they begin or go on with.
  Found take(std::string_view& bytes);
  /// The line without CRLF. Valid until the next take() and as long as the bytes it was cut from.
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Forgets a line that has begun.
  void reset();

 private:
  Found check();

  std::string begun_;  // a line whose end has not come yet
  std::string_view line_;
  bool whole_ = true;  // line_ may lie in begun_, which the next line clears
};

}  // namespace scalemark::mail
