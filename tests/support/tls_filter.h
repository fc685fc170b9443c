// The server's side of one TLS connection as a filter: bytes of the wire in, plain bytes out, and back.
//
// Does no input or output of its own. Belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/certificates.h"

struct ssl_st;

namespace scalemark::test_support {

class TlsFilter {
 public:
  explicit TlsFilter(Certificate certificate);
  ~TlsFilter();
  TlsFilter(const TlsFilter&) = delete;
  TlsFilter& operator=(const TlsFilter&) = delete;

  /// Takes bytes that came over the wire and appends what they say to `plain`. False when the handshake or
  /// the connection failed.
  bool feed(std::string_view wire, std::string& plain);
  /// The handshake is done.
  [[nodiscard]] bool up() const { return up_; }
  /// Has plain bytes encrypted; the handshake is done.
  void write(std::string_view plain);
  /// Says farewell (close_notify).
  void close();
  /// What is to be sent over the wire now.
  [[nodiscard]] std::string take_wire();
  /// The server name that the client asked for; "" when it asked for none.
  [[nodiscard]] std::string server_name() const;

 private:
  ssl_st* ssl_;
  bool up_ = false;
};

}  // namespace scalemark::test_support
