#include "mail_bench/line_reader.h"

namespace scalemark::mail {

LineReader::Found LineReader::take(std::string_view& bytes) {
  if (whole_) {
    begun_.clear();
    whole_ = false;
  }
  const std::size_t line_feed = bytes.find('\n');
  const bool ends = line_feed != std::string_view::npos;
  const std::string_view piece = bytes.substr(0, ends ? line_feed + 1 : bytes.size());
  bytes.remove_prefix(piece.size());
  if (ends && begun_.empty()) {
    line_ = piece;
  } else {
    begun_.append(piece, 0, kMostLine);
    line_ = begun_;
  }
  if (ends) {
    whole_ = true;
    return check();
  }
  return begun_.size() >= kMostLine ? Found::malformed : Found::part;
}

void LineReader::reset() {
  begun_.clear();
  whole_ = true;
}

/// Takes the line's end off, if it is one.
LineReader::Found LineReader::check() {
  if (line_.size() < 2 || line_.size() > kMostLine || line_.find('\r') != line_.size() - 2) {
    return Found::malformed;
  }
  line_.remove_suffix(2);
  return Found::line;
}

}  // namespace scalemark::mail
