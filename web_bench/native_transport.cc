// The native engine: one non-blocking socket and one event per user.
//
// What keeps it cheap: a request goes out in one send, tried right after connect() so that a local connection
// needs no wake-up; an answer is read with one large recv into a buffer shared by the thread, and the rest of
// a long body is discarded inside the kernel (MSG_TRUNC) unless its content is to be checked; read events
// stay registered for the life of a connection; time-outs are a linear sweep over a dense array.

#include <event2/event.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "core/tcp_socket.h"
#include "web_bench/native_connection.h"
#include "web_bench/request_writer.h"
#include "web_bench/transports.h"

namespace scalemark::web {
namespace {

// Most answers of the file set come in one read of this size; larger ones are cheaper to discard than to
// copy.
constexpr std::size_t kReadBuffer = std::size_t{16} * 1024;
constexpr TimePoint kNever = TimePoint::max();

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

/// Throws away up to `most` bytes inside the kernel. The bare system call: sanitizers take recv()'s buffer
/// for written to, but there is none.
ssize_t discard_bytes(int fd, std::size_t most) {
  return ::syscall(SYS_recvfrom, fd, nullptr, most, MSG_TRUNC, nullptr, nullptr);
}

using Connection = NativeConnection;
using Wire = NativeConnection::Wire;

}  // namespace

class NativeTransport final : public Transport {
 public:
  explicit NativeTransport(const TransportSetup& setup);
  ~NativeTransport() override;
  NativeTransport(const NativeTransport&) = delete;
  NativeTransport& operator=(const NativeTransport&) = delete;

  void start(LocalUser user, const Exchange& exchange) override;
  std::uint64_t received(LocalUser user) const override { return connections_[user].wire_bytes; }
  std::uint32_t segment_bytes(LocalUser user) const override {
    return tcp_segment_bytes(connections_[user].fd);
  }
  void sweep(TimePoint now) override;
  void drop(LocalUser user) override;

 private:
  static void on_readiness(int fd, short what, void* connection);

  bool open(Connection& connection);
  void watch(Connection& connection, short what);
  void on_connected(Connection& connection);
  void send_request(Connection& connection);
  void on_send_error(Connection& connection, int error);
  void on_writable(Connection& connection);
  void on_idle_readable(Connection& connection);
  void receive(Connection& connection);
  bool consume(Connection& connection, std::size_t bytes);
  void on_end_of_stream(Connection& connection);
  void on_receive_error(Connection& connection, int error);
  void complete(Connection& connection, bool excess);
  void fail(Connection& connection, Outcome outcome, bool stale = false);
  void report(Connection& connection, Outcome outcome, bool stale);
  void close(Connection& connection);

  TransportSetup setup_;
  RequestWriter requests_;
  std::vector<Connection> connections_;
  std::vector<TimePoint> deadlines_;  // per user; kNever without an exchange
  std::array<char, kReadBuffer> buffer_;
};

NativeTransport::NativeTransport(const TransportSetup& setup)
    : setup_(setup),
      requests_(setup.targets, setup.source),
      connections_(setup.share.count()),
      deadlines_(setup.share.count(), kNever) {
  for (LocalUser user = 0; user < connections_.size(); ++user) {
    connections_[user].owner = this;
    connections_[user].user = user;
  }
}

NativeTransport::~NativeTransport() {
  for (Connection& connection : connections_) {
    close(connection);
  }
}

void NativeTransport::start(LocalUser user, const Exchange& exchange) {
  Connection& connection = connections_[user];
  if (connection.wire == Wire::finished || exchange.fresh_connection) {
    close(connection);
  }
  connection.take(exchange);
  if (connection.wire == Wire::closed && !open(connection)) {
    return;
  }
  send_request(connection);
}

/// Creates the socket and begins to connect. Returns false after reporting a failure.
bool NativeTransport::open(Connection& connection) {
  const std::uint32_t number = setup_.share.global(connection.user);
  const Target& target = setup_.targets[number % setup_.targets.size()];
  connection.began = setup_.clock.now();
  connection.opened_here = true;
  connection.connect.reset();
  connection.carried_before = false;
  const Address* from = setup_.bind.empty() ? nullptr : &setup_.bind[number % setup_.bind.size()];
  connection.fd = make_tcp_socket(target.address, from, setup_.plan.mss);
  if (connection.fd < 0) {
    report(connection, Outcome::local, false);
    return false;
  }
  const int on = 1;
  ::setsockopt(connection.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(connection.fd, target.address.get(), target.address.length) != 0 && errno != EINPROGRESS) {
    fail(connection, outcome_of_connect_error(errno));
    return false;
  }
  connection.wire = Wire::connecting;
  return true;
}

void NativeTransport::watch(Connection& connection, short what) {
  event_assign(&connection.readiness, setup_.loop, connection.fd, what, &NativeTransport::on_readiness,
               &connection);
  event_add(&connection.readiness, nullptr);
}

void NativeTransport::send_request(Connection& connection) {
  const std::string& request = requests_.write(setup_.share.global(connection.user), connection.exchange);
  const char* rest = request.data() + connection.sent;
  const std::size_t length = request.size() - connection.sent;
  const ssize_t sent = ::send(connection.fd, rest, length, MSG_NOSIGNAL);
  const TimePoint now = setup_.clock.now();
  if (sent < 0 && !would_block(errno)) {
    on_send_error(connection, errno);
    return;
  }
  if (sent < 0 && connection.wire == Wire::connecting) {
    deadlines_[connection.user] = connection.began + setup_.plan.connect_timeout;
    watch(connection, EV_WRITE);
    return;
  }
  if (connection.wire == Wire::connecting) {
    connection.connect = now - connection.began;
  }
  const bool fresh = connection.wire == Wire::connecting;
  deadlines_[connection.user] = now + setup_.plan.read_timeout;
  connection.sent += static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
  if (connection.sent < request.size()) {
    if (connection.wire == Wire::idle) {
      event_del(&connection.readiness);
    }
    connection.wire = Wire::sending;
    watch(connection, EV_WRITE);
    return;
  }
  if (fresh || connection.wire == Wire::sending) {
    watch(connection, EV_READ | EV_PERSIST);
  }
  connection.wire = Wire::receiving;
}

void NativeTransport::on_send_error(Connection& connection, int error) {
  if (connection.wire == Wire::connecting) {
    int pending = 0;
    socklen_t length = sizeof pending;
    ::getsockopt(connection.fd, SOL_SOCKET, SO_ERROR, &pending, &length);
    const int cause = pending != 0 ? pending : error;
    fail(connection, cause == EPIPE ? Outcome::connect_reset : outcome_of_connect_error(cause));
  } else if (error == ENOBUFS || error == ENOMEM) {
    fail(connection, Outcome::local);
  } else {
    fail(connection, Outcome::reset, connection.carried_before);
  }
}

void NativeTransport::on_writable(Connection& connection) {
  if (connection.wire == Wire::connecting) {
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(connection.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
      fail(connection, outcome_of_connect_error(error));
      return;
    }
  }
  send_request(connection);
}

void NativeTransport::on_readiness(int /*fd*/, short what, void* argument) {
  auto& connection = *static_cast<Connection*>(argument);
  NativeTransport& self = *connection.owner;
  if ((what & EV_WRITE) != 0) {
    self.on_writable(connection);
  } else if (connection.wire == Wire::idle) {
    self.on_idle_readable(connection);
  } else {
    self.receive(connection);
  }
}

/// Whatever comes while nothing was asked for ends the connection: the close itself, or an answer such as
/// 408 that announces it.
void NativeTransport::on_idle_readable(Connection& connection) {
  const ssize_t got = ::recv(connection.fd, buffer_.data(), buffer_.size(), 0);
  if (got < 0 && (would_block(errno) || errno == EINTR)) {
    return;
  }
  close(connection);
  setup_.events.on_idle_close(connection.user);
}

void NativeTransport::receive(Connection& connection) {
  // A long answer that comes as fast as it is read must not hold up the others; the event tells again.
  constexpr int kMostReads = 16;
  for (int reads = 0; reads < kMostReads; ++reads) {
    // Ask for one byte more than belongs to the body, to see an answer that is too long.
    const std::uint64_t discardable = connection.exchange.check_content ? 0 : connection.reader.discardable();
    const bool discard = discardable > 0;
    const std::size_t wanted =
        discard ? static_cast<std::size_t>(std::min<std::uint64_t>(discardable + 1, 1U << 30U))
                : buffer_.size();
    const ssize_t got =
        discard ? discard_bytes(connection.fd, wanted) : ::recv(connection.fd, buffer_.data(), wanted, 0);
    if (got == 0) {
      on_end_of_stream(connection);
      return;
    }
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (!would_block(errno)) {
        on_receive_error(connection, errno);
      }
      return;
    }
    const auto bytes = static_cast<std::size_t>(got);
    const TimePoint now = setup_.clock.now();
    if (connection.wire_bytes == 0) {
      connection.first_byte = now;
    }
    connection.wire_bytes += bytes;
    deadlines_[connection.user] = now + setup_.plan.read_timeout;
    if (discard) {
      connection.reader.skip(std::min<std::uint64_t>(bytes, discardable));
      if (connection.reader.state() == ResponseReader::State::complete) {
        complete(connection, bytes > discardable);
        return;
      }
    } else if (consume(connection, bytes)) {
      return;
    }
    if (bytes < wanted) {
      return;  // the socket is drained; the event tells when there is more
    }
  }
}

/// Reads the buffer's first `bytes`. Returns whether the exchange is over.
bool NativeTransport::consume(Connection& connection, std::size_t bytes) {
  ContentCheck check(setup_.source, connection);
  BodySink* sink = connection.exchange.check_content ? &check : nullptr;
  const std::size_t used = connection.reader.feed({buffer_.data(), bytes}, sink);
  if (connection.reader.state() == ResponseReader::State::malformed) {
    fail(connection, Outcome::malformed);
    return true;
  }
  if (connection.reader.state() == ResponseReader::State::complete) {
    complete(connection, used < bytes);
    return true;
  }
  // An answer that is known to be too long is not worth waiting for; it may never end.
  const int status = connection.reader.status();
  const auto size = setup_.source.size_of(connection.exchange.item);
  if (status >= 200 && status < 300 && size && connection.reader.announced_bytes() > *size) {
    fail(connection, Outcome::long_body);
    return true;
  }
  return false;
}

void NativeTransport::on_end_of_stream(Connection& connection) {
  if (connection.reader.close()) {
    complete(connection, false);
    return;
  }
  const bool nothing = connection.wire_bytes == 0;
  fail(connection, Outcome::closed_early, nothing && connection.carried_before);
}

void NativeTransport::on_receive_error(Connection& connection, int error) {
  const bool nothing = connection.wire_bytes == 0;
  if (error == ENOMEM || error == ENOBUFS) {
    fail(connection, Outcome::local);
  } else if (error == ETIMEDOUT) {
    fail(connection, Outcome::read_timeout);
  } else {
    fail(connection, Outcome::reset, nothing && connection.carried_before);
  }
}

/// The response is whole. `excess`: more bytes came than belong to it.
void NativeTransport::complete(Connection& connection, bool excess) {
  const Outcome outcome = connection.outcome(setup_.source);
  if (excess) {
    fail(connection, outcome == Outcome::good ? Outcome::long_body : outcome);
    return;
  }
  connection.carried_before = true;
  if (connection.exchange.last_on_connection || !connection.reader.keeps_alive()) {
    event_del(&connection.readiness);
    connection.wire = Wire::finished;
  } else {
    connection.wire = Wire::idle;
  }
  report(connection, outcome, false);
}

void NativeTransport::fail(Connection& connection, Outcome outcome, bool stale) {
  close(connection);
  report(connection, outcome, stale);
}

void NativeTransport::report(Connection& connection, Outcome outcome, bool stale) {
  deadlines_[connection.user] = kNever;
  ExchangeResult result;
  result.outcome = outcome;
  result.status = connection.reader.status();
  result.wire_bytes = connection.wire_bytes;
  result.body_bytes = connection.reader.body_bytes();
  result.first_byte = connection.first_byte;
  result.end = setup_.clock.now();
  if (connection.opened_here) {
    result.connect = connection.connect;
  }
  result.connection_open = connection.wire == Wire::idle;
  result.stale = stale;
  setup_.events.on_exchange_end(connection.user, result);
}

void NativeTransport::close(Connection& connection) {
  if (connection.fd < 0) {
    return;
  }
  if (event_initialized(&connection.readiness) != 0) {
    event_del(&connection.readiness);
  }
  ::close(connection.fd);
  connection.fd = -1;
  connection.wire = Wire::closed;
}

void NativeTransport::sweep(TimePoint now) {
  for (LocalUser user = 0; user < deadlines_.size(); ++user) {
    if (deadlines_[user] <= now) {
      Connection& connection = connections_[user];
      const bool connecting = connection.wire == Wire::connecting;
      fail(connection, connecting ? Outcome::connect_timeout : Outcome::read_timeout);
    }
  }
}

void NativeTransport::drop(LocalUser user) {
  deadlines_[user] = kNever;
  connections_[user].wire_bytes = 0;
  close(connections_[user]);
}

std::unique_ptr<Transport> make_native_transport(const TransportSetup& setup) {
  return std::make_unique<NativeTransport>(setup);
}

}  // namespace scalemark::web
