// Response heads as libcurl shows them: line by line, 1xx heads first, trailers last.
//
// libcurl is forgiving: it accepts two different lengths, or a length beside chunks, and does not tell which
// end wanted the connection closed. A benchmark must not call such an answer right, so the few fields that
// decide about an answer's framing are read here as well. Belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scalemark::web {

class CurlHead {
 public:
  /// Takes a line with its end. Returns false when it makes the response malformed.
  bool take(std::string_view line);

  /// Whether the final head came whole.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Status of the final head; 0 until that is complete.
  [[nodiscard]] int status() const { return complete_ ? status_ : 0; }
  [[nodiscard]] bool success() const { return complete_ && status_ >= 200 && status_ < 300; }
  /// The final head's Content-Length, if it has one.
  [[nodiscard]] std::optional<std::uint64_t> announced_bytes() const { return length_; }
  /// Whether HTTP/1.x lets the connection live on after this response.
  [[nodiscard]] bool keeps_connection() const;
  [[nodiscard]] bool is_http2() const { return http2_; }
  /// All lines so far, trailers included.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void begin(std::string_view status_line);
  bool end();
  bool take_field(std::string_view line);
  bool take_length(std::string_view value);

  std::uint64_t bytes_ = 0;
  std::optional<std::uint64_t> length_;
  int status_ = 0;
  bool complete_ = false;
  bool chunked_ = false;
  bool http2_ = false;
  bool old_ = false;  // HTTP/1.0: closes unless it says otherwise
  bool says_close_ = false;
  bool says_keep_ = false;
};

}  // namespace scalemark::web
