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

std::uint64_t failures(const OutcomeCounts& counts) {
  return std::accumulate(counts.begin() + 1, counts.end(), std::uint64_t{0});
}

}  // namespace scalemark
