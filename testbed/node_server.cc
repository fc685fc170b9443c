#include "testbed/node_server.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits>

#include "core/address.h"
#include "core/error.h"
#include "core/process_limits.h"
#include "testbed/listen_socket.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kMappedFiles = 8192;
constexpr ev_ssize_t kHeadLimit = 16'384;
constexpr ev_ssize_t kRequestBodyLimit = 65'536;
constexpr std::size_t kUnreadLimit = 131'072;  // of what a client sends ahead, per connection
constexpr std::size_t kSingleWrite = 262'144;
constexpr int kNever = 10 * 365 * 24 * 3600;     // seconds; evhttp reads 0 and less as its default of 50
constexpr std::uint64_t kSpareDescriptors = 64;  // for the listener, files being opened, logs
constexpr Duration kLogPeriod =
    std::chrono::milliseconds(100);  // kLogDelay in testbed/server.h allows for it
constexpr ev_uint32_t kAllMethods = EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT |
                                    EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE |
                                    EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH;

// evhttp puts its own argument into the listener, so an accept error cannot say whose it is: the node whose
// loop runs in this thread.
thread_local Timer* accept_pause_timer = nullptr;

std::uint64_t connection_limit(std::uint32_t wanted) {
  const std::uint64_t descriptors = raise_descriptor_limit(descriptor_ceiling());
  const std::uint64_t possible = descriptors > kSpareDescriptors ? descriptors - kSpareDescriptors : 1;
  if (wanted > possible) {
    throw UsageError(fmt::format(
        "{} connections need {} descriptors, but the limit is {}; raise 'ulimit -Hn' or lower the "
        "number of connections",
        wanted, wanted + kSpareDescriptors, descriptors));
  }
  return wanted == 0 ? possible : wanted;
}

// On a link half a millisecond's worth, so that turns are short against anything measured, within bounds that
// keep segments full and system calls few. Without a link a response has no reason to stop.
std::uint64_t turn_size(const std::optional<BitsPerSecond>& rate) {
  return rate ? static_cast<std::uint64_t>(std::clamp(rate->value / 8 * 0.0005, 1460.0, 262'144.0))
              : std::numeric_limits<std::uint64_t>::max();
}

std::optional<ShapedLink> make_link(const std::optional<BitsPerSecond>& rate) {
  if (!rate) {
    return std::nullopt;
  }
  if (!(rate->value > 0)) {
    throw UsageError("the link rate must be positive; leave it out for a node without a cap");
  }
  return ShapedLink(*rate, BuiltinNode::kLinkAllowance);
}

}  // namespace

NodeServer::NodeServer(const NodePlan& plan)
    : max_connections_(connection_limit(plan.max_connections)),
      latency_(plan.latency),
      turn_(turn_size(plan.link_rate)),
      link_(make_link(plan.link_rate)),
      files_(plan.files, kMappedFiles),
      log_(plan.access_log),
      turn_timer_(loop_, [this] { serve_turns(); }),
      accept_timer_(loop_, [this] { heed_connection_limit(); }),
      log_timer_(loop_, [this] {
        log_.flush();
        log_timer_.set(kLogPeriod);
      }) {
  if (latency_ < Duration::zero()) {
    throw UsageError("the latency must not be negative; leave it out for none");
  }
  std::signal(SIGPIPE, SIG_IGN);
  start_http();
  listen(plan.listen);
  // Last, since nothing but the destructor closes it.
  stop_descriptor_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (stop_descriptor_ < 0) {
    throw RunError("cannot start the node: no descriptors left; raise 'ulimit -n'");
  }
  stop_event_.reset(event_new(
      loop_.base(), stop_descriptor_, EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<NodeServer*>(self)->loop_.stop(); }, this));
  event_add(stop_event_.get(), nullptr);
}

NodeServer::~NodeServer() {
  for (bufferevent* stream : accepted_) {
    bufferevent_decref(stream);
  }
  listener_ = nullptr;  // evhttp frees it first, then closes the connections, which calls on_close()
  http_.reset();
  stop_event_.reset();  // before its descriptor
  ::close(stop_descriptor_);
}

void NodeServer::start_http() {
  piece_.reset(evbuffer_new());
  http_.reset(evhttp_new(loop_.base()));
  adopt_event_.reset(event_new(
      loop_.base(), -1, 0,
      [](evutil_socket_t, short, void* self) { static_cast<NodeServer*>(self)->adopt_accepted(); }, this));
  if (piece_ == nullptr || http_ == nullptr || adopt_event_ == nullptr) {
    throw RunError("cannot start the node: out of memory");
  }
  evhttp_set_allowed_methods(http_.get(), kAllMethods);  // so that refusing them is ours, with a 405
  evhttp_set_max_headers_size(http_.get(), kHeadLimit);
  evhttp_set_max_body_size(http_.get(), kRequestBodyLimit);
  evhttp_set_default_content_type(http_.get(), nullptr);
  evhttp_set_timeout(http_.get(), kNever);
  evhttp_set_bevcb(http_.get(), &NodeServer::on_accept, this);
  evhttp_set_gencb(http_.get(), &NodeServer::on_request, this);
}

void NodeServer::listen(const std::string& at) {
  const ListenSocket socket = open_listen_socket(at);
  address_ = socket.address;
  listener_ = evconnlistener_new(loop_.base(), nullptr, nullptr,
                                 LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket.descriptor);
  if (listener_ == nullptr) {
    ::close(socket.descriptor);
    throw RunError("cannot start the node: out of memory");
  }
  if (evhttp_bind_listener(http_.get(), listener_) == nullptr) {
    evconnlistener_free(listener_);
    throw RunError("cannot start the node: out of memory");
  }
  evconnlistener_set_error_cb(listener_, &NodeServer::on_accept_error);
}

void NodeServer::run() {
  accept_pause_timer = &accept_timer_;
  if (log_.kept()) {
    log_timer_.set(kLogPeriod);
  }
  loop_.run();
  accept_pause_timer = nullptr;
  log_.finish();
}

void NodeServer::stop() noexcept {
  const int kept = errno;  // a signal handler may have interrupted anything
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_descriptor_, &one, sizeof one);
  errno = kept;
}

NodeCounters NodeServer::counters() const {
  return {counters_.accepted,  counters_.open,      counters_.requests,
          counters_.responses, counters_.malformed, counters_.wire_bytes};
}

// evhttp asks for a stream whenever it accepts a connection; its connection object does not exist yet.
bufferevent* NodeServer::on_accept(event_base* base, void* self) {
  NodeServer& server = *static_cast<NodeServer*>(self);
  bufferevent* stream = bufferevent_socket_new(base, -1, 0);
  if (stream == nullptr) {
    return nullptr;  // evhttp then makes its own or gives up
  }
  bufferevent_setwatermark(stream, EV_READ, 0, kUnreadLimit);
  bufferevent_set_max_single_write(stream, kSingleWrite);
  bufferevent_incref(stream);
  server.accepted_.push_back(stream);
  ++server.counters_.accepted;
  // Activated rather than timed, so that it comes before the loop next looks for anything to read.
  event_active(server.adopt_event_.get(), EV_TIMEOUT, 0);
  server.heed_connection_limit();
  return stream;
}

void NodeServer::on_accept_error(evconnlistener* listener, void* /*http*/) {
  // Out of descriptors, most likely. The connection stays in the queue and would wake the loop at once.
  if (accept_pause_timer != nullptr) {
    evconnlistener_disable(listener);
    accept_pause_timer->set(kAcceptPause);
  }
}

// Gives each new connection its state. evhttp tells when a connection closes only to those who can name it,
// and names it only with its first whole request; but it is the argument of the stream's callbacks. A stream
// that evhttp has freed in the meantime has none.
void NodeServer::adopt_accepted() {
  for (bufferevent* stream : accepted_) {
    void* http = nullptr;
    bufferevent_getcb(stream, nullptr, nullptr, nullptr, &http);
    if (http != nullptr) {
      adopt(stream, static_cast<evhttp_connection*>(http));
    }
    bufferevent_decref(stream);
  }
  accepted_.clear();
  heed_connection_limit();
}

void NodeServer::adopt(bufferevent* stream, evhttp_connection* http) {
  auto connection = std::make_unique<Connection>();
  connection->server = this;
  connection->http = http;
  connection->stream = stream;
  char* address = nullptr;
  ev_uint16_t port = 0;
  evhttp_connection_get_peer(http, &address, &port);
  connection->client = host_and_port(address == nullptr ? "-" : address, port);
  evbuffer_add_cb(bufferevent_get_output(stream), &NodeServer::on_output, connection.get());
  evhttp_connection_set_closecb(http, &NodeServer::on_close, connection.get());
  connections_[http] = std::move(connection);
  ++counters_.open;
}

void NodeServer::heed_connection_limit() {
  if (listener_ == nullptr) {
    return;
  }
  if (connections_.size() + accepted_.size() >= max_connections_) {
    evconnlistener_disable(listener_);
  } else {
    evconnlistener_enable(listener_);
  }
}

void NodeServer::on_close(evhttp_connection* /*http*/, void* connection) {
  Connection& closed = *static_cast<Connection*>(connection);
  closed.server->forget(closed);
}

void NodeServer::forget(Connection& connection) {
  if (connection.response.request != nullptr) {
    abandon_response(connection);
  } else if (connection.parser_status >= 400) {
    ++counters_.malformed;
    log_response(connection);
  }
  evbuffer_remove_cb(bufferevent_get_output(connection.stream), &NodeServer::on_output, &connection);
  --counters_.open;
  connections_.erase(connection.http);
  heed_connection_limit();
}

}  // namespace scalemark::testbed
