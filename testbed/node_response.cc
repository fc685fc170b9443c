#include <event2/keyvalq_struct.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "testbed/node_server.h"
#include "testbed/request_target.h"

namespace scalemark::testbed {
namespace {

const char* name_of(evhttp_cmd_type method) {
  switch (method) {
    case EVHTTP_REQ_GET:
      return "GET";
    case EVHTTP_REQ_POST:
      return "POST";
    case EVHTTP_REQ_HEAD:
      return "HEAD";
    case EVHTTP_REQ_PUT:
      return "PUT";
    case EVHTTP_REQ_DELETE:
      return "DELETE";
    case EVHTTP_REQ_OPTIONS:
      return "OPTIONS";
    case EVHTTP_REQ_TRACE:
      return "TRACE";
    case EVHTTP_REQ_CONNECT:
      return "CONNECT";
    case EVHTTP_REQ_PATCH:
      return "PATCH";
  }
  return "-";
}

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Service Unavailable";
  }
}

// The status in "HTTP/1.1 400 Bad Request", or 0.
int status_in(evbuffer* output) {
  std::array<char, 12> line{};
  int status = 0;
  if (evbuffer_copyout(output, line.data(), line.size()) == static_cast<ev_ssize_t>(line.size())) {
    std::from_chars(line.data() + 9, line.data() + line.size(), status);
  }
  return status;
}

}  // namespace

void NodeServer::on_request(evhttp_request* request, void* self) {
  NodeServer& server = *static_cast<NodeServer*>(self);
  const auto known = server.connections_.find(evhttp_request_get_connection(request));
  if (known == server.connections_.end()) {
    evhttp_send_error(request, HTTP_SERVUNAVAIL, nullptr);  // accepted without a stream of ours: no memory
    return;
  }
  server.begin_response(*known->second, request);
}

void NodeServer::begin_response(Connection& connection, evhttp_request* request) {
  ++counters_.requests;
  ++connection.requests;
  connection.wire = 0;
  connection.parser_status = 0;
  Response& response = connection.response;
  response = Response{};
  response.request = request;
  choose_answer(response, evhttp_request_get_command(request));
  evhttp_request_set_on_complete_cb(request, &NodeServer::on_complete, &connection);
  connection.start = clock_.now() + latency_;
  if (latency_ > Duration::zero() && connection.delay == nullptr) {
    connection.delay = std::make_unique<Timer>(loop_, [this, &connection] { start_when_due(connection); });
  }
  start_when_due(connection);
}

// libevent tells the time by a coarse clock, so its timers may come some milliseconds early.
void NodeServer::start_when_due(Connection& connection) {
  const Duration wait = connection.start - clock_.now();
  if (latency_ > Duration::zero() && wait > Duration::zero()) {
    connection.delay->set(wait);
  } else {
    make_ready(connection);
  }
}

void NodeServer::choose_answer(Response& response, evhttp_cmd_type method) {
  evkeyvalq* headers = evhttp_request_get_output_headers(response.request);
  if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
    response.status = 405;
    evhttp_add_header(headers, "Allow", "GET, HEAD");
  } else if (const auto path = relative_path_of(evhttp_request_get_uri(response.request)); !path) {
    response.status = 400;
  } else {
    const auto found = files_.find(*path, clock_.now());
    response.status = found.status;
    response.file = found.file;
  }
  if (response.file == nullptr) {
    response.text = fmt::format("{} {}\n", response.status, reason_of(response.status));
    evhttp_add_header(headers, "Content-Type", "text/plain");
  }
  const std::uint64_t size = response.file != nullptr ? response.file->size() : response.text.size();
  evhttp_add_header(headers, "Content-Length", fmt::format_int(size).c_str());
  response.left = method == EVHTTP_REQ_HEAD ? 0 : size;
}

// Puts the response last among those that wait for the link.
void NodeServer::make_ready(Connection& connection) {
  if (!link_) {
    take_turn(connection);
    return;
  }
  connection.response.queued = true;
  connection.response.place = ready_.insert(ready_.end(), &connection);
  if (!turn_due_) {
    turn_due_ = true;
    turn_timer_.set(link_->wait(clock_.now()));
  }
}

void NodeServer::serve_turns() {
  turn_due_ = false;
  while (!ready_.empty() && link_->free(clock_.now())) {
    Connection& connection = *ready_.front();
    ready_.pop_front();
    connection.response.queued = false;
    take_turn(connection);
  }
  if (!ready_.empty()) {
    turn_due_ = true;
    turn_timer_.set(link_->wait(clock_.now()));
  }
}

// Hands over one turn's worth of the response. The next turn is due when the kernel has taken it all, so a
// client that reads slowly occupies no more of the link than it takes off it. The last call on the request
// may end the connection.
void NodeServer::take_turn(Connection& connection) {
  Response& response = connection.response;
  evbuffer* output = bufferevent_get_output(connection.stream);
  std::uint64_t room = turn_;
  if (response.head == 0) {
    const std::size_t before = evbuffer_get_length(output);
    evhttp_send_reply_start(response.request, response.status, reason_of(response.status));
    response.head = evbuffer_get_length(output) - before;
    room -= std::min(room - 1, response.head);
  }
  const std::uint64_t size = std::min(room, response.left);
  const bool last = size == response.left;
  if (size > 0) {
    if (response.file != nullptr) {
      evbuffer_add_file_segment(piece_.get(), response.file->segment(), static_cast<ev_off_t>(response.next),
                                static_cast<ev_off_t>(size));
    } else {
      evbuffer_add(piece_.get(), response.text.data() + response.next, size);
    }
    response.next += size;
    response.left -= size;
    evhttp_send_reply_chunk_with_cb(response.request, piece_.get(),
                                    last ? nullptr : &NodeServer::on_turn_written, &connection);
  }
  if (last) {
    evhttp_send_reply_end(response.request);
  }
}

void NodeServer::on_turn_written(evhttp_connection* /*http*/, void* connection) {
  Connection& ready = *static_cast<Connection*>(connection);
  ready.server->make_ready(ready);
}

// Sees every byte that enters or leaves the connection's output, evhttp's own error answers included.
void NodeServer::on_output(evbuffer* output, const evbuffer_cb_info* info, void* connection) {
  Connection& writing = *static_cast<Connection*>(connection);
  NodeServer& server = *writing.server;
  if (info->n_added > 0) {
    if (server.link_) {
      server.link_->carry(info->n_added, server.clock_.now());
    }
    if (writing.response.request == nullptr && writing.parser_status < 400) {
      writing.wire = 0;
      writing.parser_status = status_in(output);
    }
  }
  writing.wire += info->n_deleted;
  server.counters_.wire_bytes += info->n_deleted;
}

void NodeServer::on_complete(evhttp_request* /*request*/, void* connection) {
  Connection& done = *static_cast<Connection*>(connection);
  ++done.server->counters_.responses;
  done.server->log_response(done);
  done.response = Response{};
}

// The client has gone in the middle. evhttp leaves a request to its user until the user has ended the reply.
void NodeServer::abandon_response(Connection& connection) {
  Response& response = connection.response;
  if (connection.wire > 0) {
    log_response(connection);
  }
  if (response.queued) {
    ready_.erase(response.place);
  }
  if (evhttp_request_get_connection(response.request) == nullptr) {
    evhttp_request_free(response.request);
  }
}

void NodeServer::log_response(const Connection& connection) {
  if (!log_.kept()) {
    return;
  }
  const Response& response = connection.response;
  AccessLine line;
  line.time = clock_.now();
  line.client = connection.client;
  line.wire_bytes = connection.wire;
  line.connection_requests = connection.requests;
  if (response.request == nullptr) {
    line.method = "-";
    line.path = "-";
    line.status = connection.parser_status;
  } else {
    line.method = name_of(evhttp_request_get_command(response.request));
    line.path = evhttp_request_get_uri(response.request);
    line.status = response.status;
    line.body_bytes = connection.wire > response.head ? connection.wire - response.head : 0;
  }
  log_.write(line);
}

}  // namespace scalemark::testbed
