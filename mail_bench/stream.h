// One TCP connection of a mail session, plain or under TLS, on libevent's bufferevents.
//
// Carries bytes and says what became of the connection; knows neither SMTP nor POP3. Belongs to one event
// loop and one thread. Events come from the loop, never from within a call of the owner's; after on_end()
// nothing more comes. The owner may destroy or close the stream from within any event.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/address.h"
#include "core/outcome.h"
#include "mail_bench/tls_context.h"

struct event_base;

namespace scalemark::mail {

class StreamEvents {
 public:
  virtual ~StreamEvents() = default;
  virtual void on_connected() = 0;                   ///< TCP is up
  virtual void on_secured() = 0;                     ///< TLS is up, the certificate is good
  virtual void on_data(std::string_view bytes) = 0;  ///< some bytes, of any number
  /// Bytes that had to wait have now all been given to the kernel. Does not come for a write() whose bytes
  /// went out at once; flushed() tells.
  virtual void on_flushed() {}
  /// The connection is over: closed_early (FIN), reset, connect_*, tls_failed, local. Bytes that had come
  /// before were given to on_data() first.
  virtual void on_end(Outcome why) = 0;
};

class Stream {
 public:
  /// `host` is the name that a certificate must be for, and the server name that TLS asks for.
  struct Peer {
    Address address;
    std::string host;
  };

  Stream(event_base* loop, StreamEvents& events);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Begins to connect, from `from` unless that is null. A connection that there was is closed first. A fault
  /// is reported by on_end() from the loop. TCP_NODELAY is set.
  void connect(const Peer& peer, const Address* from);
  /// Begins the TLS handshake on the connected stream. Bytes of the peer that have come and were not given to
  /// on_data() yet make it fail (tls_failed): somebody spoke before the handshake.
  void start_tls(const TlsContext& tls);
  /// Hands over bytes of a connection that is up (and secured, if TLS was begun). What one write() is given
  /// goes out in as few packets as possible.
  void write(std::string_view bytes);
  /// Closes at once; what was not sent is lost. No event follows.
  void close();
  /// The same, but the peer may close first: the socket is kept for that for a while (core/parting_socket.h),
  /// so that it is the peer's port that stays in TIME_WAIT. For a connection over which all has been said.
  void part();
  /// Whether there is a connection, or one under way.
  [[nodiscard]] bool open() const;
  /// Whether the peer has closed or reset the connection, or sent bytes nobody asked for: what is to be
  /// looked at before an idle connection is used again. Also when there is none.
  [[nodiscard]] bool stale() const;
  /// All bytes handed over on this connection have been given to the kernel.
  [[nodiscard]] bool flushed() const;
  /// Why TLS failed, in words, after on_end(tls_failed); else "".
  [[nodiscard]] const std::string& reason() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace scalemark::mail
