#include "testbed/request_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace scalemark::testbed {
namespace {

constexpr std::size_t kPiece = 262'144;

/// The field of that number, from 0, of a line with single blanks between the fields; "" when there is none.
std::string_view field(std::string_view line, unsigned number) {
  for (; number > 0; --number) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) {
      return {};
    }
    line.remove_prefix(blank + 1);
  }
  return line.substr(0, line.find(' '));
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

void LogTally::feed(std::string_view piece) {
  while (true) {
    const std::size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      rest_ += piece;
      return;
    }
    if (rest_.empty()) {
      add_line(piece.substr(0, end));
    } else {
      rest_ += piece.substr(0, end);
      add_line(rest_);
      rest_.clear();
    }
    piece.remove_prefix(end + 1);
  }
}

void LogTally::add_line(std::string_view line) {
  if (format_ == LogFormat::postfix) {
    // One line for each recipient that a message was delivered to; how long it was stands in another one.
    count_.requests += line.find(" status=sent ") != std::string_view::npos ? 1U : 0U;
    return;
  }
  const bool builtin = format_ == LogFormat::builtin;
  const auto status = number_in(field(line, builtin ? 4 : 0));
  const auto bytes = number_in(field(line, builtin ? 6 : 1));
  if (status && bytes) {
    ++count_.requests;
    count_.bytes += *bytes;
  }
}

RequestLog::RequestLog(std::filesystem::path path, LogFormat format, bool whole)
    : path_(std::move(path)), tally_(format) {
  struct stat state {};
  if (!whole && open() && ::fstat(file_, &state) == 0) {
    next_ = static_cast<std::uint64_t>(state.st_size);
  }
}

RequestLog::~RequestLog() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

RequestLog::RequestLog(RequestLog&& other) noexcept
    : path_(std::move(other.path_)),
      tally_(std::move(other.tally_)),
      file_(std::exchange(other.file_, -1)),
      next_(other.next_),
      broken_(other.broken_) {}

bool RequestLog::open() {
  if (file_ < 0) {
    file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  }
  return file_ >= 0;
}

std::optional<RequestCount> RequestLog::read() {
  struct stat state {};
  if (broken_ || !open()) {
    return std::nullopt;
  }
  broken_ = ::fstat(file_, &state) != 0 || static_cast<std::uint64_t>(state.st_size) < next_;
  std::vector<char> piece(kPiece);
  // Not beyond the size that it had just now: a busy server could keep us reading.
  const auto size = static_cast<std::uint64_t>(state.st_size);
  while (!broken_ && next_ < size) {
    const auto wanted = std::min<std::uint64_t>(piece.size(), size - next_);
    const ssize_t got = ::pread(file_, piece.data(), wanted, static_cast<off_t>(next_));
    if (got <= 0) {
      broken_ = true;
      break;
    }
    tally_.feed({piece.data(), static_cast<std::size_t>(got)});
    next_ += static_cast<std::uint64_t>(got);
  }
  return broken_ ? std::nullopt : std::optional(tally_.count());
}

}  // namespace scalemark::testbed
