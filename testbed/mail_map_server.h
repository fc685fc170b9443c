// The mail map: tells nginx's mail proxy which node holds a mailbox, as a PostgreSQL database says.
//
// A small HTTP service for the proxy's auth_http (testbed/mail_map_answer.h says what it is asked and what it
// answers). The database has a table `mailboxes(name text primary key, password text not null, node inet not
// null)`, names in lower case, passwords as they are. Whatever becomes of the database, every question is
// answered within the time-out, if need be with a temporary failure, and the service goes on by itself when
// the database is back (testbed/mail_map_database.h). Nothing is kept of an answer: what the table says now,
// holds.
//
// Whoever reaches its port can ask for any mailbox's node: it is for the proxy's own machine, or a network of
// its own.
//
// One thread runs it; stop() may be used from any thread and from a signal handler. The constructor raises
// the process's soft limit of descriptors and ignores SIGPIPE.
#pragma once

#include <event2/event.h>
#include <event2/http.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/event_loop.h"
#include "testbed/mail_map_answer.h"
#include "testbed/mail_map_database.h"

struct evconnlistener;

namespace scalemark::testbed {

struct MailMapPlan {
  std::string listen = "127.0.0.1:9000";  ///< port 0: any free one
  MailMapDatabasePlan database{};
  MailMapPorts ports{};              ///< of the nodes
  MailMapDatabase::Notice notice{};  ///< given a line when the database is lost or back; in run()'s thread
};

/// What a map has been asked, by what became of it.
struct MailMapCounters {
  std::array<std::uint64_t, kMailMapOutcomes> of{};
  [[nodiscard]] std::uint64_t operator[](MailMapOutcome outcome) const {
    return of.at(static_cast<std::size_t>(outcome));
  }
};

class MailMapServer {
 public:
  /// Binds and listens. Throws UsageError or RunError: port in use, address not local, no such option of a
  /// database, ... A database that cannot be reached is no error, now or later.
  explicit MailMapServer(const MailMapPlan& plan);
  /// Closes all connections. run() must have returned.
  ~MailMapServer();
  MailMapServer(const MailMapServer&) = delete;
  MailMapServer& operator=(const MailMapServer&) = delete;

  /// Where it really listens, e.g. "127.0.0.1:41234".
  [[nodiscard]] const std::string& address() const { return address_; }

  /// Serves until stop(); at once over when stop() came first. What waits then is told of a temporary
  /// failure.
  void run();
  void stop() noexcept;

  /// Not while run() runs.
  [[nodiscard]] const MailMapCounters& counters() const { return counters_; }

 private:
  template <auto Free>
  struct Deleter {
    template <typename T>
    void operator()(T* object) const {
      Free(object);
    }
  };

  static void on_request(evhttp_request* request, void* self);
  static void on_accept_error(evconnlistener* listener, void* http);
  void start_http(Duration time_out);
  void listen(const std::string& at);
  void take(evhttp_request* request);
  void reply(evhttp_request* request, const MailMapAnswer& answer);

  MailMapPorts ports_;
  std::string address_;
  MailMapCounters counters_;
  int stop_descriptor_ = -1;

  // From here on in the order of construction: each uses those above it.
  EventLoop loop_;
  Timer accept_timer_;
  std::unique_ptr<evhttp, Deleter<evhttp_free>> http_;
  evconnlistener* listener_ = nullptr;  // evhttp's
  std::unique_ptr<event, Deleter<event_free>> stop_event_;
  MailMapDatabase database_;
};

}  // namespace scalemark::testbed
