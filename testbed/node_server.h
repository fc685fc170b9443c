// The inside of the built-in node (testbed/builtin_node.h); nobody else's business.
//
// node_server.cc holds its life and its connections, node_response.cc what happens from a whole request to
// the last byte of its response. Except where builtin_node.h says otherwise, all of it belongs to one thread.
#pragma once

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/event_loop.h"
#include "testbed/access_log.h"
#include "testbed/builtin_node.h"
#include "testbed/file_cache.h"
#include "testbed/shaped_link.h"

namespace scalemark::testbed {

class NodeServer {
 public:
  explicit NodeServer(const NodePlan& plan);
  ~NodeServer();
  NodeServer(const NodeServer&) = delete;
  NodeServer& operator=(const NodeServer&) = delete;

  void run();
  void stop() noexcept;
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] NodeCounters counters() const;

 private:
  struct Connection;

  // A response from the moment its request is whole.
  struct Response {
    evhttp_request* request = nullptr;  // null: the connection has none at present
    std::shared_ptr<const ServedFile> file;
    std::string text;  // the body when there is no file
    int status = 0;
    std::uint64_t next = 0;  // body bytes handed to the connection
    std::uint64_t left = 0;  // body bytes not handed over yet
    std::uint64_t head = 0;  // bytes of the head, once it is handed over
    bool queued = false;
    std::list<Connection*>::iterator place;  // in ready_, when queued
  };

  struct Connection {
    NodeServer* server = nullptr;
    evhttp_connection* http = nullptr;
    bufferevent* stream = nullptr;
    std::string client;
    std::unique_ptr<Timer> delay;  // with a latency only
    TimePoint start;               // not before this the response
    Response response;
    std::uint64_t wire = 0;      // bytes written of the present response
    int parser_status = 0;       // status of an answer that evhttp gave by itself
    std::uint32_t requests = 0;  // so far
  };

  // Only the node's thread writes; others read.
  struct Counters {
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> open{0};
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> responses{0};
    std::atomic<std::uint64_t> malformed{0};
    std::atomic<std::uint64_t> wire_bytes{0};
  };

  template <auto Free>
  struct Deleter {
    template <typename T>
    void operator()(T* object) const {
      Free(object);
    }
  };

  static bufferevent* on_accept(event_base* base, void* self);
  static void on_accept_error(evconnlistener* listener, void* http);
  static void on_close(evhttp_connection* http, void* connection);
  static void on_output(evbuffer* output, const evbuffer_cb_info* info, void* connection);
  static void on_request(evhttp_request* request, void* self);
  static void on_turn_written(evhttp_connection* http, void* connection);
  static void on_complete(evhttp_request* request, void* connection);

  void start_http();
  void listen(const std::string& at);
  void adopt_accepted();
  void adopt(bufferevent* stream, evhttp_connection* http);
  void heed_connection_limit();
  void forget(Connection& connection);

  void begin_response(Connection& connection, evhttp_request* request);
  void start_when_due(Connection& connection);
  void choose_answer(Response& response, evhttp_cmd_type method);
  void make_ready(Connection& connection);
  void serve_turns();
  void take_turn(Connection& connection);
  void abandon_response(Connection& connection);
  void log_response(const Connection& connection);

  std::uint64_t max_connections_;
  Duration latency_;
  std::uint64_t turn_;  // bytes that a response may hand over before the next has its turn
  std::optional<ShapedLink> link_;
  SteadyClock clock_;
  FileCache files_;
  AccessLog log_;
  std::string address_;
  Counters counters_;
  std::vector<bufferevent*> accepted_;  // not yet adopted; one reference each
  std::unordered_map<evhttp_connection*, std::unique_ptr<Connection>> connections_;
  std::list<Connection*> ready_;  // responses that wait for their turn
  bool turn_due_ = false;
  int stop_descriptor_ = -1;

  // From here on in the order of construction: each uses those above it.
  EventLoop loop_;
  Timer turn_timer_;
  Timer accept_timer_;
  Timer log_timer_;
  std::unique_ptr<event, Deleter<event_free>> adopt_event_;
  std::unique_ptr<event, Deleter<event_free>> stop_event_;
  std::unique_ptr<evbuffer, Deleter<evbuffer_free>> piece_;
  std::unique_ptr<evhttp, Deleter<evhttp_free>> http_;
  evconnlistener* listener_ = nullptr;  // evhttp's
};

}  // namespace scalemark::testbed
