#include "core/outcome.h"

#include <numeric>

namespace scalemark {

std::string_view name_of(Outcome outcome) {
  static constexpr std::array<std::string_view, kOutcomes> kNames = {
      "good",       "connect_refused", "connect_timeout", "connect_reset", "tls_failed",
      "reset",      "closed_early",    "short_body",      "long_body",     "wrong_content",
      "bad_status", "malformed",       "read_timeout",    "local",
  };
  return kNames.at(index_of(outcome));
}

std::string_view meaning_of(Outcome outcome) {
  static constexpr std::array<std::string_view, kOutcomes> kMeanings = {
      "all is right",
      "the peer refused the connection",
      "no connection within the connect time-out",
      "the connection was reset while it was made, or the address cannot be reached",
      "the TLS handshake or the peer's certificate failed",
      "the peer reset the connection",
      "the peer closed the connection before the answer was whole",
      "the answer is shorter than what was asked for",
      "the answer is longer than what was asked for",
      "the answer has the right length but the wrong bytes",
      "the answer's status is not a success",
      "the answer does not follow the protocol",
      "the peer was silent for longer than the read time-out",
      "this machine lacks descriptors, ports or memory",
  };
  return kMeanings.at(index_of(outcome));
}

std::uint64_t failures(const OutcomeCounts& counts) {
  return std::accumulate(counts.begin() + 1, counts.end(), std::uint64_t{0});
}

}  // namespace scalemark
