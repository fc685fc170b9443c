// How a request reaches a server and the answer comes back: the line between user model and wire.
//
// A transport carries at most one exchange per user at a time, keeps the user's connection open between
// exchanges unless told otherwise, and reports each exchange's end exactly once through `TransportEvents`.
// It decides nothing about when, what or how often: pacing, keep-alive plans, retries and accounting belong
// to the user model (web_bench/crowd.h). A transport lives on one event loop and one thread. It may report
// from within `start`.
#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.h"
#include "core/outcome.h"
#include "web_bench/request_source.h"

namespace scalemark::web {

/// A user's number within its worker: 0..count-1.
using LocalUser = std::uint32_t;

/// One request, as the user model wants it made.
struct Exchange {
  Item item = 0;
  bool last_on_connection = false;  ///< sends "Connection: close" and uses the connection no more
  bool check_content = false;       ///< whether the body is compared with the source while it streams
  bool fresh_connection = false;    ///< never on a connection that carried a request before (a retry)
};

/// How an exchange ended.
struct ExchangeResult {
  Outcome outcome = Outcome::good;
  int status = 0;                   ///< HTTP status of the final response; 0: none arrived
  std::uint64_t wire_bytes = 0;     ///< read from the socket for this response, head included
  std::uint64_t body_bytes = 0;     ///< of these, decoded body
  TimePoint first_byte{};           ///< of the response; only when wire_bytes > 0
  TimePoint end{};                  ///< when the exchange was over
  std::optional<Duration> connect;  ///< how long the connection took, if this exchange opened one
  bool connection_open = false;     ///< the connection can carry the user's next exchange
  bool stale = false;               ///< a reused connection turned out closed: no byte of response arrived
  bool retried = false;             ///< the engine itself had to send the request again (a stream that HTTP/2
                                    ///< refused, a fallback to HTTP/1.1); never after a stale connection
};

class TransportEvents {
 public:
  virtual ~TransportEvents() = default;
  /// The exchange of `user` is over. The user may start its next one from within this call.
  virtual void on_exchange_end(LocalUser user, const ExchangeResult& result) = 0;
  /// The server closed `user`'s connection while no exchange was on it.
  virtual void on_idle_close(LocalUser user) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// Begins an exchange; `user` must have none under way. Opens a connection where none is open.
  virtual void start(LocalUser user, const Exchange& exchange) = 0;
  /// Response bytes of the exchange under way, so far (unfinished operations are credited with them).
  [[nodiscard]] virtual std::uint64_t received(LocalUser user) const = 0;
  /// TCP maximum segment size of the user's open connection in bytes; 0: none is open, or unknown.
  [[nodiscard]] virtual std::uint32_t segment_bytes(LocalUser user) const = 0;
  /// Ends exchanges that are over a time-out at `now`; called every kSweep by the worker.
  virtual void sweep(TimePoint now) = 0;
  /// Closes the user's connection and forgets its exchange without reporting it.
  virtual void drop(LocalUser user) = 0;

  /// How often the worker calls sweep(); time-outs are late by at most this much.
  static constexpr Duration kSweep = std::chrono::milliseconds(100);
};

}  // namespace scalemark::web
