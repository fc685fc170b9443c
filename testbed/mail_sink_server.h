// The inside of the mail sink (testbed/mail_sink.h): listeners, connections, and its end. Except where
// mail_sink.h says otherwise, all of it belongs to one thread.
#pragma once

#include <event2/event.h>
#include <event2/listener.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/address.h"
#include "core/event_loop.h"
#include "testbed/mail_office.h"
#include "testbed/mail_sink.h"
#include "testbed/mail_sink_connection.h"

namespace scalemark::testbed {

class MailSinkServer {
 public:
  explicit MailSinkServer(const MailSinkPlan& plan);
  ~MailSinkServer();
  MailSinkServer(const MailSinkServer&) = delete;
  MailSinkServer& operator=(const MailSinkServer&) = delete;

  void run();
  void stop() noexcept;
  [[nodiscard]] const std::string& smtp_address() const { return smtp_.address; }
  [[nodiscard]] const std::string& pop3_address() const { return pop3_.address; }
  [[nodiscard]] MailSinkCounters counters() const;

 private:
  struct FreeListener {
    void operator()(evconnlistener* listener) const { evconnlistener_free(listener); }
  };
  struct FreeEvent {
    void operator()(event* object) const { event_free(object); }
  };
  /// Where clients of one protocol come in.
  struct Door {
    MailSinkServer* server;
    bool smtp;
    std::string address{};
    std::unique_ptr<evconnlistener, FreeListener> listener{};
  };

  static void on_accept(evconnlistener* listener, int fd, sockaddr* peer, int length, void* door);
  static void on_accept_error(evconnlistener* listener, void* door);
  void open(Door& door, const std::string& at);
  void adopt(const Door& door, int fd, const Address& peer);
  void open_doors();

  MailOffice office_;
  EventLoop loop_;
  Timer accept_timer_;
  Timer log_timer_;
  MailSinkConnection::Ended ended_;
  std::unordered_map<int, std::unique_ptr<MailSinkConnection>> connections_;  // by socket
  Door smtp_{this, true};
  Door pop3_{this, false};
  int stop_descriptor_ = -1;
  std::unique_ptr<event, FreeEvent> stop_event_;
};

}  // namespace scalemark::testbed
