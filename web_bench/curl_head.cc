#include "web_bench/curl_head.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace scalemark::web {
namespace {

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equals(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return lower_letter(a) == b; });
}

bool contains(std::string_view text, std::string_view lower_case) {
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                     [](char a, char b) { return lower_letter(a) == b; }) != text.end();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The status of "HTTP/1.1 200 OK"; 0 when there is none.
int status_in(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (space != std::string_view::npos) {
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  }
  return status;
}

}  // namespace

bool CurlHead::take(std::string_view line) {
  bytes_ += line.size();
  if (complete_) {
    return true;  // a trailer
  }
  if (line.substr(0, 5) == "HTTP/") {
    begin(line);
    return true;
  }
  return line == "\r\n" || line == "\n" ? end() : take_field(line);
}

void CurlHead::begin(std::string_view status_line) {
  const std::uint64_t bytes = bytes_;
  *this = {};
  bytes_ = bytes;
  status_ = status_in(status_line);
  http2_ = status_line.substr(0, 6) == "HTTP/2";
  old_ = status_line.substr(0, 8) == "HTTP/1.0";
}

bool CurlHead::end() {
  if (status_ == 101) {
    return false;  // to a protocol that nobody asked for
  }
  complete_ = status_ >= 200;
  return !complete_ || !(chunked_ && length_);
}

bool CurlHead::take_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return true;  // a folded value, or libcurl's business
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (equals(name, "content-length")) {
    return take_length(value);
  }
  if (equals(name, "transfer-encoding")) {
    chunked_ = chunked_ || contains(value, "chunked");
  } else if (equals(name, "connection")) {
    says_close_ = says_close_ || contains(value, "close");
    says_keep_ = says_keep_ || contains(value, "keep-alive");
  }
  return true;
}

bool CurlHead::take_length(std::string_view value) {
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (error != std::errc() || end != value.data() + value.size() || (length_ && *length_ != length)) {
    return false;
  }
  length_ = length;
  return true;
}

bool CurlHead::keeps_connection() const {
  const bool framed = length_ || chunked_ || status_ == 204 || status_ == 304;
  return framed && !says_close_ && (!old_ || says_keep_);
}

}  // namespace scalemark::web
