// The answer to one exchange as libcurl hands it over: what came, and whether it still can be right.
//
// Bodies are counted and, when asked for, compared with the source; nothing is kept. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "web_bench/curl_head.h"
#include "web_bench/transport.h"

namespace scalemark::web {

class CurlAnswer {
 public:
  /// Nothing has come yet. `source` must outlive the answer.
  CurlAnswer(const RequestSource& source, const Exchange& exchange);

  /// Takes a line of a head or trailer. Returns false when no right answer can follow.
  bool take_head(std::string_view line);
  /// Takes a piece of the body. Returns false when no right answer can follow.
  bool take_body(std::span<const char> bytes);

  [[nodiscard]] const CurlHead& head() const { return head_; }
  /// Heads as text and decoded body: libcurl does not show the framing of chunks, TLS and HTTP/2.
  [[nodiscard]] std::uint64_t wire_bytes() const { return head_.bytes() + body_bytes_; }
  [[nodiscard]] std::uint64_t body_bytes() const { return body_bytes_; }
  [[nodiscard]] std::optional<std::uint64_t> expected_bytes() const { return expected_bytes_; }
  [[nodiscard]] bool wrong_content() const { return wrong_content_; }
  /// Whether it was given up because it is, or says that it will be, longer than the thing asked for.
  [[nodiscard]] bool too_long() const { return too_long_; }

 private:
  const RequestSource* source_;
  Item item_;
  bool check_content_;
  std::optional<std::uint64_t> expected_bytes_;
  CurlHead head_;
  std::uint64_t body_bytes_ = 0;
  bool wrong_content_ = false;
  bool too_long_ = false;
};

}  // namespace scalemark::web
