#include "testbed/mail_text.h"

#include <algorithm>

namespace scalemark::testbed {

std::size_t DotScanner::scan(std::string_view piece) {
  std::size_t i = 0;
  while (i < piece.size() && !ended()) {
    if (place_ == Place::line) {
      // Nearly every byte is one within a line: to its end in one go.
      i = std::min(piece.find('\r', i), piece.size());
      if (i == piece.size()) {
        break;
      }
    }
    step(piece[i++]);
  }
  return i;
}

void DotScanner::step(char next) {
  const Place within = next == '\r' ? Place::cr : Place::line;
  switch (place_) {
    case Place::line_start:
      place_ = next == '.' ? Place::dot : within;
      break;
    case Place::dot:
      if (next == '\r') {
        place_ = Place::dot_cr;
      } else {
        ++stuffed_;
        place_ = within;
      }
      break;
    case Place::dot_cr:
      if (next == '\n') {
        place_ = Place::end;
      } else {
        ++stuffed_;
        place_ = within;
      }
      break;
    case Place::cr:
      place_ = next == '\n' ? Place::line_start : within;
      break;
    case Place::line:
      place_ = within;
      break;
    case Place::end:
      break;
  }
}

bool MailMemory::take(std::uint64_t bytes) {
  if (bytes > left()) {
    return false;
  }
  used_ += bytes;
  return true;
}

bool MailText::append(std::string_view bytes) {
  const std::size_t needed = bytes_.size() + bytes.size();
  if (needed > taken_) {
    // A long message grows by half, as far as there is memory for that, lest it be copied at every piece.
    std::uint64_t wanted = std::max<std::uint64_t>(needed, taken_ + taken_ / 2);
    if (!memory_.take(wanted - taken_)) {
      wanted = needed;
      if (!memory_.take(wanted - taken_)) {
        return false;
      }
    }
    taken_ = wanted;
    bytes_.reserve(wanted);
  }
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return true;
}

void MailText::finish(std::uint64_t stuffed) {
  octets_ = bytes_.size() - kFinalDot.size() - stuffed;
}

std::size_t MailText::top(std::uint64_t lines) const {
  const std::string_view all = wire();
  std::size_t at = 0;
  bool in_head = true;
  while (at < all.size() && (in_head || lines > 0)) {
    const std::size_t end = all.find("\r\n", at);
    if (end == std::string_view::npos) {
      return all.size();
    }
    if (!in_head) {
      --lines;
    }
    in_head = in_head && end != at;
    at = end + 2;
  }
  return at;
}

}  // namespace scalemark::testbed
