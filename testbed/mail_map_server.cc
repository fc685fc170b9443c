#include "testbed/mail_map_server.h"

#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/error.h"
#include "core/process_limits.h"
#include "testbed/listen_socket.h"

namespace scalemark::testbed {
namespace {

constexpr ev_ssize_t kHeadLimit = 32'768;
constexpr ev_ssize_t kBodyLimit = 4096;
constexpr Duration kIdle = std::chrono::minutes(1);  // of a connection, beside the time-out of its look-up

// evhttp puts its own argument into the listener, so an accept error cannot say whose it is: the one whose
// loop runs in this thread.
thread_local Timer* accept_pause_timer = nullptr;

MailMapHeaders headers_of(evhttp_request* request) {
  evkeyvalq* headers = evhttp_request_get_input_headers(request);
  const auto value = [headers](const char* name) {
    const char* text = evhttp_find_header(headers, name);
    return std::string(text == nullptr ? "" : text);
  };
  return {value("Auth-Protocol"), value("Auth-Method"), value("Auth-User"), value("Auth-Pass"),
          value("Auth-SMTP-To")};
}

}  // namespace

MailMapServer::MailMapServer(const MailMapPlan& plan)
    : ports_(plan.ports),
      accept_timer_(loop_, [this] { evconnlistener_enable(listener_); }),
      database_(loop_, plan.database, plan.notice) {
  raise_descriptor_limit(descriptor_ceiling());
  std::signal(SIGPIPE, SIG_IGN);
  start_http(plan.database.time_out);
  listen(plan.listen);
  // Last, since nothing but the destructor closes it.
  stop_descriptor_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (stop_descriptor_ < 0) {
    throw RunError("cannot start the mail map: no descriptors left; raise 'ulimit -n'");
  }
  stop_event_.reset(event_new(
      loop_.base(), stop_descriptor_, EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<MailMapServer*>(self)->loop_.stop(); }, this));
  event_add(stop_event_.get(), nullptr);
}

MailMapServer::~MailMapServer() {
  // A request whose client has left belongs to whoever answers it: evhttp frees the others.
  database_.stop();
  http_.reset();
  stop_event_.reset();  // before its descriptor
  ::close(stop_descriptor_);
}

void MailMapServer::start_http(Duration time_out) {
  http_.reset(evhttp_new(loop_.base()));
  if (http_ == nullptr) {
    throw RunError("cannot start the mail map: out of memory");
  }
  evhttp_set_allowed_methods(http_.get(), EVHTTP_REQ_GET);
  evhttp_set_max_headers_size(http_.get(), kHeadLimit);
  evhttp_set_max_body_size(http_.get(), kBodyLimit);
  evhttp_set_default_content_type(http_.get(), nullptr);
  evhttp_set_timeout(http_.get(),
                     static_cast<int>(std::chrono::ceil<std::chrono::seconds>(time_out + kIdle).count()));
  evhttp_set_gencb(http_.get(), &MailMapServer::on_request, this);
}

void MailMapServer::listen(const std::string& at) {
  const ListenSocket socket = open_listen_socket(at);
  address_ = socket.address;
  listener_ = evconnlistener_new(loop_.base(), nullptr, nullptr,
                                 LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket.descriptor);
  if (listener_ == nullptr) {
    ::close(socket.descriptor);
    throw RunError("cannot start the mail map: out of memory");
  }
  if (evhttp_bind_listener(http_.get(), listener_) == nullptr) {
    evconnlistener_free(listener_);
    throw RunError("cannot start the mail map: out of memory");
  }
  evconnlistener_set_error_cb(listener_, &MailMapServer::on_accept_error);
}

void MailMapServer::run() {
  accept_pause_timer = &accept_timer_;
  database_.start();
  loop_.run();
  event_del(stop_event_.get());  // it has been heard, and would end the next line's loop, too
  database_.stop();
  event_base_loop(loop_.base(), EVLOOP_NONBLOCK);  // sends what this has answered
  accept_pause_timer = nullptr;
}

void MailMapServer::stop() noexcept {
  const int kept = errno;  // a signal handler may have interrupted anything
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_descriptor_, &one, sizeof one);
  errno = kept;
}

void MailMapServer::on_accept_error(evconnlistener* listener, void* /*http*/) {
  // Out of descriptors, most likely. The connection stays in the queue and would wake the loop at once.
  if (accept_pause_timer != nullptr) {
    evconnlistener_disable(listener);
    accept_pause_timer->set(kAcceptPause);
  }
}

void MailMapServer::on_request(evhttp_request* request, void* self) {
  auto& server = *static_cast<MailMapServer*>(self);
  server.loop_.guard([&server, request] { server.take(request); });
}

void MailMapServer::take(evhttp_request* request) {
  auto read = understand(headers_of(request));
  if (const auto* refusal = std::get_if<MailMapAnswer>(&read)) {
    reply(request, *refusal);
    return;
  }
  auto& question = std::get<MailMapQuestion>(read);
  std::string name = question.name;
  database_.look_up(std::move(name), [this, request, question = std::move(question)](const MailMapRow& row) {
    reply(request, answer_to(question, row, ports_));
  });
}

// The request is there until it is answered, even if its client has left.
void MailMapServer::reply(evhttp_request* request, const MailMapAnswer& answer) {
  ++counters_.of.at(static_cast<std::size_t>(answer.outcome));
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  for (const auto& [name, value] : answer.headers) {
    evhttp_add_header(headers, name.c_str(), value.c_str());
  }
  evhttp_send_reply(request, 200, "OK", nullptr);
}

}  // namespace scalemark::testbed
