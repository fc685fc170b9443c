// One user's connection in the native engine, and the exchange on it.
//
// Kept small: a run holds one per user. Belongs to its transport's thread, at a fixed address (libevent holds
// it).
#pragma once

#include <event2/event_struct.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "web_bench/response_reader.h"
#include "web_bench/transport.h"

namespace scalemark::web {

class NativeTransport;

struct NativeConnection {
  enum class Wire : std::uint8_t {
    closed,      ///< no socket
    idle,        ///< open, no exchange
    connecting,  ///< the exchange waits for the connection
    sending,     ///< part of the request waits for room
    receiving,   ///< the request is out
    finished,    ///< its last exchange is over: kept open so that the server closes first
  };

  event readiness{};
  NativeTransport* owner = nullptr;
  LocalUser user = 0;
  int fd = -1;
  Wire wire = Wire::closed;
  bool carried_before = false;  ///< this connection has carried an exchange
  bool content_wrong = false;
  bool opened_here = false;  ///< by the exchange under way
  Exchange exchange;
  ResponseReader reader;
  std::uint64_t wire_bytes = 0;
  std::size_t sent = 0;  ///< request bytes out, while sending
  TimePoint began{};     ///< of the connection attempt
  TimePoint first_byte{};
  std::optional<Duration> connect;  ///< how long it took, once connected

  /// Forgets the last exchange and takes up the next.
  void take(const Exchange& next) {
    exchange = next;
    reader.reset();
    content_wrong = false;
    opened_here = false;
    wire_bytes = 0;
    sent = 0;
  }

  /// What a response that is whole by its own framing amounts to.
  [[nodiscard]] Outcome outcome(const RequestSource& source) const {
    const int status = reader.status();
    if (status < 200 || status > 299) {
      return Outcome::bad_status;
    }
    const auto size = source.size_of(exchange.item);
    if (size && reader.body_bytes() != *size) {
      return reader.body_bytes() < *size ? Outcome::short_body : Outcome::long_body;
    }
    return content_wrong ? Outcome::wrong_content : Outcome::good;
  }
};

/// Compares a streaming body with what the source says, and notes in the connection when it differs.
class ContentCheck final : public BodySink {
 public:
  ContentCheck(const RequestSource& source, NativeConnection& connection)
      : source_(source), connection_(connection) {}
  void on_body(std::uint64_t offset, std::span<const char> bytes) override {
    connection_.content_wrong =
        connection_.content_wrong || !source_.content_matches(connection_.exchange.item, offset, bytes);
  }

 private:
  const RequestSource& source_;
  NativeConnection& connection_;
};

}  // namespace scalemark::web
