// Whether a server serves: one real request, made inside a network namespace.
//
// Thread-safe. The calling thread keeps its own namespace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/clock.h"

namespace scalemark::testbed {

/// A whole answer.
struct HttpAnswer {
  int status = 0;
  std::uint64_t body_bytes = 0;
  std::string node;  ///< what the server says of itself in X-Node, "" nothing
};

/// An answer, or else a sentence about why there is none: "no answer within 2 s", "connection refused".
struct HealthReport {
  std::optional<HttpAnswer> answer;
  std::string why;

  /// Whether the server gave the file.
  [[nodiscard]] bool healthy() const { return answer && answer->status == 200; }
  /// "" when healthy; else what is wrong: `why`, or what the status means.
  [[nodiscard]] std::string complaint() const;
};

/// GET http://address:port/path from inside the namespace called `netns` ("" the caller's). `timeout` is for
/// all of it together. Throws RunError only when there is no such namespace or no socket to be had.
[[nodiscard]] HealthReport get(const std::string& netns, const std::string& address, std::uint16_t port,
                               const std::string& path, Duration timeout);

}  // namespace scalemark::testbed
