#include "testbed/mail_sink_server.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "core/error.h"
#include "core/process_limits.h"
#include "testbed/listen_socket.h"
#include "testbed/mail_sink_pop3.h"
#include "testbed/mail_sink_smtp.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kLogPeriod = std::chrono::milliseconds(100);

const MailSinkPlan& checked(const MailSinkPlan& plan) {
  if (plan.visible_after < Duration::zero()) {
    throw UsageError("the time until a message is visible must not be negative; leave it out for none");
  }
  for (const char letter : plan.name) {
    if (letter <= ' ' || letter > '~') {
      throw UsageError("the server's name '" + plan.name +
                       "' cannot stand in a greeting; use letters, digits, dots and hyphens");
    }
  }
  if (plan.name.empty()) {
    throw UsageError("the server needs a name for its greeting, as in sink.test");
  }
  return plan;
}

}  // namespace

MailSinkServer::MailSinkServer(const MailSinkPlan& plan)
    : office_(checked(plan)),
      accept_timer_(loop_, [this] { open_doors(); }),
      log_timer_(loop_,
                 [this] {
                   office_.log.flush();
                   log_timer_.set(kLogPeriod);
                 }),
      ended_([this](int fd) { connections_.erase(fd); }) {
  raise_descriptor_limit(descriptor_ceiling());
  std::signal(SIGPIPE, SIG_IGN);
  open(smtp_, plan.smtp);
  if (!plan.discard) {
    open(pop3_, plan.pop3);
  }
  // Last, since nothing but the destructor closes it.
  stop_descriptor_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (stop_descriptor_ < 0) {
    throw RunError("cannot start the mail sink: no descriptors left; raise 'ulimit -n'");
  }
  stop_event_.reset(event_new(
      loop_.base(), stop_descriptor_, EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<MailSinkServer*>(self)->loop_.stop(); }, this));
  event_add(stop_event_.get(), nullptr);
}

MailSinkServer::~MailSinkServer() {
  stop_event_.reset();  // before its descriptor
  ::close(stop_descriptor_);
}

void MailSinkServer::open(Door& door, const std::string& at) {
  const ListenSocket socket = open_listen_socket(at);
  door.address = socket.address;
  door.listener.reset(evconnlistener_new(loop_.base(), &MailSinkServer::on_accept, &door,
                                         LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0,
                                         socket.descriptor));
  if (door.listener == nullptr) {
    ::close(socket.descriptor);
    throw RunError("cannot start the mail sink: out of memory");
  }
  evconnlistener_set_error_cb(door.listener.get(), &MailSinkServer::on_accept_error);
}

void MailSinkServer::run() {
  if (office_.log.kept()) {
    log_timer_.set(kLogPeriod);
  }
  loop_.run();
  office_.log.finish();
}

void MailSinkServer::stop() noexcept {
  const int kept = errno;  // a signal handler may have interrupted anything
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_descriptor_, &one, sizeof one);
  errno = kept;
}

MailSinkCounters MailSinkServer::counters() const {
  MailSinkCounters counters = office_.counters;
  counters.kept = office_.store.kept();
  return counters;
}

void MailSinkServer::on_accept(evconnlistener* /*listener*/, int fd, sockaddr* peer, int length, void* door) {
  const Door& at = *static_cast<Door*>(door);
  Address address;
  address.length = static_cast<socklen_t>(length);
  std::memcpy(&address.storage, peer, address.length);
  at.server->loop_.guard([&at, fd, &address] { at.server->adopt(at, fd, address); });
}

void MailSinkServer::on_accept_error(evconnlistener* listener, void* door) {
  // Out of descriptors, most likely. The connection stays in the queue and would wake the loop at once.
  evconnlistener_disable(listener);
  static_cast<Door*>(door)->server->accept_timer_.set(kAcceptPause);
}

void MailSinkServer::open_doors() {
  for (const Door* door : {&smtp_, &pop3_}) {
    if (door->listener != nullptr) {
      evconnlistener_enable(door->listener.get());
    }
  }
}

void MailSinkServer::adopt(const Door& door, int fd, const Address& peer) {
  ++(door.smtp ? office_.counters.smtp_connections : office_.counters.pop3_connections);
  const auto make = [this, &door, &peer](MailOutput& output) -> std::unique_ptr<MailDialogue> {
    if (door.smtp) {
      return std::make_unique<SmtpDialogue>(office_, output, peer.host());
    }
    return std::make_unique<Pop3Dialogue>(office_, output);
  };
  auto& connection = connections_[fd];
  connection = std::make_unique<MailSinkConnection>(loop_.base(), fd, make, ended_);
  connection->start();
}

}  // namespace scalemark::testbed
