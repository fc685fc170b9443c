// What became of an operation.
//
// One vocabulary for every protocol, so that records, reports and verdicts of web, mail and directory runs
// can be read side by side. An operation under load never throws: it ends as exactly one Outcome and is
// counted under it. Values are dense so that a tally is an array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scalemark {

enum class Outcome : std::uint8_t {
  good,             ///< the right answer, whole
  connect_refused,  ///< the peer refused the connection
  connect_timeout,  ///< no connection within the connect time-out
  connect_reset,    ///< reset while connecting, or the address cannot be reached
  tls_failed,       ///< the TLS handshake or the peer's certificate failed
  reset,            ///< reset by the peer after the request was sent
  closed_early,     ///< closed by the peer before the answer was whole
  short_body,       ///< whole by its own framing, but shorter than the thing asked for
  long_body,        ///< longer than the thing asked for, or bytes beyond its own framing
  wrong_content,    ///< right length, wrong bytes
  bad_status,       ///< a status other than success (counted per code beside)
  malformed,        ///< not a legal answer of the protocol
  read_timeout,     ///< no byte within the read time-out
  local,            ///< this machine's fault (descriptors, ports, memory): voids the run
};

inline constexpr std::size_t kOutcomes = 14;

/// The outcome's name in records and texts, e.g. "connect_refused".
[[nodiscard]] std::string_view name_of(Outcome outcome);

/// The outcome in words, to end a sentence that begins with what was tried: "the peer refused the
/// connection".
[[nodiscard]] std::string_view meaning_of(Outcome outcome);

/// A count for each outcome.
using OutcomeCounts = std::array<std::uint64_t, kOutcomes>;

[[nodiscard]] constexpr std::size_t index_of(Outcome outcome) {
  return static_cast<std::size_t>(outcome);
}

/// All that is not good.
[[nodiscard]] std::uint64_t failures(const OutcomeCounts& counts);

}  // namespace scalemark
