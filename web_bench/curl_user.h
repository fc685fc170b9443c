// One user of the curl engine: a multi handle of its own, an easy handle, and their place on the event loop.
//
// A multi handle per user keeps users apart: a shared one hands each the others' connections and searches
// all of them for every transfer. libcurl tells through callbacks which socket it wants watched and when it
// wants to be called again; the user does both with libevent. Handles are made at the first exchange, so that
// a user who has not started yet costs next to nothing. Events are only ever reported from outside of
// libcurl's calls, as the last thing done, so the owner may start or drop the user from within them.
// Lives on one event loop and one thread, at a fixed address.
#pragma once

#include <event2/event_struct.h>

#include <optional>

#include "core/parting_socket.h"
#include "core/socket_watch.h"
#include "core/tcp_socket.h"
#include "web_bench/curl_answer.h"
#include "web_bench/curl_handle.h"

namespace scalemark::web {

class CurlUser {
 public:
  /// `common` must outlive the user.
  CurlUser(const CurlCommon& common, LocalUser number);
  ~CurlUser();
  CurlUser(const CurlUser&) = delete;
  CurlUser& operator=(const CurlUser&) = delete;

  void start(const Exchange& exchange);
  /// Ends the exchange when it is over a time-out at `now`.
  void sweep(TimePoint now);
  /// Closes the connection and forgets the exchange.
  void drop();
  [[nodiscard]] std::uint64_t received() const { return answer_ ? answer_->wire_bytes() : 0; }

  [[nodiscard]] std::uint32_t segment_bytes() const { return tcp_segment_bytes(socket_); }

 private:
  /// What the callbacks saw of the exchange under way, its answer apart.
  struct Progress {
    bool on_open_connection = false;    // a connection stood open when the exchange began,
    bool connection_lost = false;       // and turned out to be closed,
    bool was_reset = false;             // by a reset,
    bool byte_seen = false;             // and not before a part of the answer came
    std::uint64_t received_before = 0;  // by the connection, before the request
    bool opened = false;                // a socket was made for it
    bool request_sent = false;          // the connection is ready and the request on its way
    int requests = 0;                   // how often that was so: libcurl may have to ask again
    bool local_fault = false;           // this machine gave no socket
    bool peer_closed = false;           // seen when the socket was closed
    bool surplus = false;               // bytes beyond the answer
    TimePoint connecting_since{};
    TimePoint last_byte{};  // from here silence is counted
    TimePoint first_byte{};
    std::optional<Duration> connect;
  };

  // What libcurl calls. None may call libcurl's multi functions, or report.
  static int want_watch(CURL* handle, curl_socket_t socket, int what, void* self, void* unused);
  static int want_timer(CURLM* multi, long milliseconds, void* self);
  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int close_socket(void* self, curl_socket_t socket);
  static int request_ready(void* self, char* peer_ip, char* own_ip, int peer_port, int own_port);
  static std::size_t take_head(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* self);
  // What libevent calls.
  static void on_ready(int fd, short what, void* self);
  static void on_timer(int fd, short what, void* self);

  [[nodiscard]] std::size_t index_in(std::size_t size) const;
  [[nodiscard]] const Target& target() const;
  [[nodiscard]] bool plain_http1() const;
  bool make_handles();
  bool set_up(const Exchange& exchange);
  void note_loss(int fd);
  void act(curl_socket_t socket, int what);
  void finish(CURLcode code);
  [[nodiscard]] Outcome judge(CURLcode code, int os_error) const;
  void look_for_surplus();
  void abandon_exchange();
  void report(Outcome outcome);
  void close_connection();
  void on_idle_readable();

  const CurlCommon& common_;
  LocalUser number_;
  MultiHandle multi_;
  CurlHandle easy_;
  SocketWatch watch_;
  event timer_{};
  int socket_ = -1;          // the connection, open or being opened
  bool hard_close_ = false;  // sockets are closed at once, not left to the peer
  Exchange exchange_;
  std::optional<CurlAnswer> answer_;  // while an exchange is under way
  Progress progress_;
  PartingSocket parting_;
};

}  // namespace scalemark::web
