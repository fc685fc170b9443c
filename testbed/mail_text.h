// A message's bytes as the built-in mail sink keeps them.
//
// SMTP and POP3 send a message in the same form: lines end in CRLF, a dot at the start of a line is doubled,
// and a line with nothing but a dot ends it (RFC 5321 4.5.2, RFC 1939 3). So what came by SMTP is kept as it
// came, final dot included, and sent by POP3 as it is: no byte is looked at twice. All of it belongs to one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scalemark::testbed {

/// Finds the end of a message in bytes that come in pieces of any size. Pure.
class DotScanner {
 public:
  /// How many bytes of the piece belong to the message, the final dot's line included. Not after the end.
  std::size_t scan(std::string_view piece);
  [[nodiscard]] bool ended() const { return place_ == Place::end; }
  /// Dots so far that the receiver of the message takes away.
  [[nodiscard]] std::uint64_t stuffed() const { return stuffed_; }

 private:
  enum class Place : std::uint8_t { line_start, dot, dot_cr, line, cr, end };
  void step(char next);

  Place place_ = Place::line_start;
  std::uint64_t stuffed_ = 0;
};

/// What may be kept, and how much is.
class MailMemory {
 public:
  explicit MailMemory(std::uint64_t most) : most_(most) {}

  /// False, and nothing taken, when there is not so much left.
  [[nodiscard]] bool take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) { used_ -= bytes; }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t left() const { return most_ - used_; }

 private:
  std::uint64_t most_;
  std::uint64_t used_ = 0;
};

/// A message, being received or whole. Gives back its memory when the last one who holds it is gone.
class MailText {
 public:
  /// `memory` must outlive it.
  explicit MailText(MailMemory& memory) : memory_(memory) {}
  ~MailText() { memory_.give_back(taken_); }
  MailText(const MailText&) = delete;
  MailText& operator=(const MailText&) = delete;

  /// False, and nothing appended, when there is no memory for it.
  [[nodiscard]] bool append(std::string_view bytes);
  /// The last line, a dot, has been appended, and so many dots before it are doubled ones.
  void finish(std::uint64_t stuffed);

  /// All bytes, doubled dots and final dot included.
  [[nodiscard]] std::string_view wire() const { return {bytes_.data(), bytes_.size()}; }
  /// How long the message is without the doubled dots and the final one.
  [[nodiscard]] std::uint64_t octets() const { return octets_; }
  /// How many bytes of wire() its head, the empty line after it and so many lines of its body are; all of
  /// them when it has no more lines.
  [[nodiscard]] std::size_t top(std::uint64_t lines) const;

 private:
  MailMemory& memory_;
  std::vector<char> bytes_;  // grows to what it is told, unlike a string
  std::uint64_t taken_ = 0;
  std::uint64_t octets_ = 0;
};

/// The line that ends a message.
inline constexpr std::string_view kFinalDot = ".\r\n";

}  // namespace scalemark::testbed
