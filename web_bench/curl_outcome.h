// What libcurl's end of a transfer means in the words of core/outcome.h.
//
// libcurl reports what it stumbled over, which is not always what happened: a response head that was cut off
// is a success to it, a broken chunk is a "receive error" like a reset, and a full descriptor table is a
// "could not connect" like a refusal. So the code is read together with what the callbacks saw. Pure.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <optional>

#include "core/outcome.h"

namespace scalemark::web {

/// What is known of a transfer that is over.
struct CurlEnding {
  CURLcode code = CURLE_OK;
  int os_error = 0;            ///< errno of the failed socket call, as far as libcurl keeps it; else 0
  bool local_fault = false;    ///< this machine gave no socket, or would not bind it
  bool request_sent = false;   ///< the connection, TLS included, was ready and the request on its way
  bool peer_closed = false;    ///< the peer's FIN had arrived when the socket was given up
  bool secure = false;         ///< https
  int status = 0;              ///< of the final head; 0: it did not come whole
  bool surplus = false;        ///< bytes beyond the response's own framing came with it
  bool too_long = false;       ///< given up as longer than the thing asked for
  bool wrong_content = false;  ///< a piece of the body differs from the thing asked for
  std::uint64_t body_bytes = 0;
  std::optional<std::uint64_t> expected_bytes;  ///< length of the thing asked for
};

[[nodiscard]] Outcome outcome_of(const CurlEnding& ending);

}  // namespace scalemark::web
