// Reads the replies of an SMTP server from a byte stream, in whatever pieces they come (RFC 5321, 4.2).
//
// A reply is one line or several; all its lines begin with the same three digits, and the last one has a
// blank, or nothing, after them. What is no reply by these rules, or longer than a sane server would make it,
// is malformed, and the connection is of no more use. Pure; belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "mail_bench/line_reader.h"

namespace scalemark::mail {

/// A whole reply. The view is valid until its reader is fed again or reset.
struct SmtpReply {
  int code = 0;
  std::string_view text;  ///< without the codes; lines are separated by LF
};

class ReplyReader {
 public:
  /// Of a reply. Lines have a limit of their own (LineReader::kMostLine).
  static constexpr std::size_t kMostLines = 128;

  enum class State : std::uint8_t { reading, complete, malformed };

  /// Takes bytes; returns how many were used: fewer than given when the reply is complete (the rest is not
  /// its own) or malformed.
  std::size_t feed(std::string_view bytes);
  [[nodiscard]] State state() const { return state_; }
  /// The reply when complete. When malformed: code 0, and the line that is no reply.
  [[nodiscard]] SmtpReply reply() const { return {code_, text_}; }
  /// Gets ready for the next reply; keeps the memory.
  void reset();

 private:
  void take_line(std::string_view line);
  void refuse(std::string_view line);

  State state_ = State::reading;
  int code_ = 0;
  std::size_t lines_ = 0;
  std::string text_;
  LineReader line_;
};

}  // namespace scalemark::mail
