#include "mail_bench/smtp_reply.h"

#include <algorithm>

namespace scalemark::mail {
namespace {

constexpr std::size_t kCodeDigits = 3;

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/// The code that a line begins with; 0 when it begins with none that a reply may have.
int code_of(std::string_view line) {
  const std::string_view digits = line.substr(0, kCodeDigits);
  if (digits.size() < kCodeDigits || !std::all_of(digits.begin(), digits.end(), is_digit) ||
      digits[0] < '2' || digits[0] > '5') {
    return 0;
  }
  return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
}

}  // namespace

std::size_t ReplyReader::feed(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty() && state_ == State::reading) {
    switch (line_.take(rest)) {
      case LineReader::Found::line:
        take_line(line_.line());
        break;
      case LineReader::Found::part:
        break;
      case LineReader::Found::malformed:
        refuse(line_.line());
        break;
    }
  }
  return bytes.size() - rest.size();
}

void ReplyReader::reset() {
  state_ = State::reading;
  code_ = 0;
  lines_ = 0;
  text_.clear();
  line_.reset();
}

void ReplyReader::take_line(std::string_view line) {
  const int code = code_of(line);
  const std::string_view words = line.substr(std::min(line.size(), kCodeDigits));
  const bool last = words.empty() || words.front() == ' ';
  const bool fits = last || words.front() == '-';
  if (code == 0 || !fits || (lines_ > 0 && code != code_) || lines_ == kMostLines) {
    refuse(line);
    return;
  }
  code_ = code;
  if (lines_++ > 0) {
    text_ += '\n';
  }
  text_ += words.substr(words.empty() ? 0 : 1);
  if (last) {
    state_ = State::complete;
  }
}

void ReplyReader::refuse(std::string_view line) {
  state_ = State::malformed;
  code_ = 0;
  text_ = line;
}

}  // namespace scalemark::mail
