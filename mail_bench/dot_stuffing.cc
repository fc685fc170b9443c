#include "mail_bench/dot_stuffing.h"

namespace scalemark::mail {

void DotStuffer::append(std::string& to, std::string_view piece) {
  if (piece.empty()) {
    return;
  }
  if (last_ == '\n' && piece.front() == '.') {
    to += '.';
  }
  std::size_t kept = 0;
  for (std::size_t at = piece.find("\n."); at != std::string_view::npos; at = piece.find("\n.", kept)) {
    to.append(piece, kept, at + 1 - kept);
    to += '.';
    kept = at + 1;
  }
  to.append(piece, kept);
  return_before_last_ = piece.size() > 1 ? piece[piece.size() - 2] == '\r' : last_ == '\r';
  last_ = piece.back();
}

void DotStuffer::finish(std::string& to) {
  if (last_ == '\r') {
    to += '\n';
  } else if (last_ != '\n' || !return_before_last_) {
    to += "\r\n";
  }
  to += ".\r\n";
  *this = {};
}

void append_stuffed(std::string& to, std::string_view text) {
  DotStuffer{}.append(to, text);
}

std::size_t DotReader::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !finished() && !too_long()) {
    if (state_ == State::line) {
      used += take_run(bytes.substr(used));
    } else {
      take_one(bytes[used++]);
    }
  }
  return used;
}

void DotReader::reset() {
  state_ = State::line_start;
  text_.clear();
}

/// Takes what is kept as it is: from within a line up to the first line that begins with a dot.
std::size_t DotReader::take_run(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n.");
  const std::string_view run = end == std::string_view::npos ? bytes : bytes.substr(0, end + 2);
  if (run.ends_with("\r\n")) {
    state_ = State::line_start;
  } else if (run.ends_with('\r')) {
    state_ = State::line_return;
  }
  keep(run);
  return run.size();
}

void DotReader::take_one(char byte) {
  switch (state_) {
    case State::line_start:
      if (byte == '.') {
        state_ = State::dot;
        return;
      }
      break;
    case State::dot:
      if (byte == '\r') {
        state_ = State::dot_return;
        return;
      }
      state_ = State::line;
      keep({&byte, 1});
      return;
    case State::dot_return:
      if (byte == '\n') {
        state_ = State::finished;
        return;
      }
      keep("\r");
      break;
    case State::line_return:
      if (byte == '\n') {
        state_ = State::line_start;
        keep("\n");
        return;
      }
      break;
    default:
      break;
  }
  state_ = byte == '\r' ? State::line_return : State::line;
  keep({&byte, 1});
}

void DotReader::keep(std::string_view bytes) {
  if (bytes.size() > most_bytes_ - text_.size()) {
    state_ = State::too_long;
    return;
  }
  text_ += bytes;
}

}  // namespace scalemark::mail
