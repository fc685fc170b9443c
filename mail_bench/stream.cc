#include "mail_bench/stream.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "core/parting_socket.h"
#include "core/tcp_socket.h"

namespace scalemark::mail {
namespace {

constexpr std::size_t kReadBuffer = std::size_t{16} * 1024;
constexpr std::size_t kLibeventRead = 4096;  // the most that libevent takes from a socket at a time
constexpr int kMostReads = 16;               // in a row: one fast peer must not hold up the others

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

Outcome outcome_of_io_error(int error) {
  switch (error) {
    case ENOMEM:
    case ENOBUFS:
      return Outcome::local;
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return Outcome::read_timeout;
    default:
      return Outcome::reset;
  }
}

}  // namespace

/// Plain bytes go out by a direct send, tried first, and come in through a bufferevent that lasts from one
/// connection to the next; TLS takes a bufferevent of its own for each connection. The reading side finds the
/// end of a connection, so that what came before it is never lost to a failed write. What happened within a
/// call, or where libevent is not done with a bufferevent yet, is told by `late_`, which the loop runs next.
class Stream::Inside {
 public:
  Inside(event_base* loop, StreamEvents& events) : loop_(loop), events_(events), parting_(loop) {
    event_assign(
        &late_, loop, -1, 0, [](int, short, void* self) { static_cast<Inside*>(self)->on_late(); }, this);
  }
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  void connect(const Peer& peer, const Address* from);
  void start_tls(const TlsContext& tls);
  void write(std::string_view bytes);
  void close();
  void part();
  [[nodiscard]] bool open() const { return state_ != State::closed; }
  [[nodiscard]] bool stale() const;
  [[nodiscard]] bool flushed() const { return !lost_ && !waiting(); }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  enum class State : std::uint8_t {
    closed,
    connecting,
    plain,
    securing,
    secured,
    over,  ///< its end is about to be told
  };

  [[nodiscard]] bufferevent* wire() const { return tls_ != nullptr ? tls_ : plain_; }
  /// Whether bytes wait in the bufferevent.
  [[nodiscard]] bool waiting() const {
    return wire() != nullptr && evbuffer_get_length(bufferevent_get_output(wire())) > 0;
  }
  bool begin_connect(const Address& to, const Address* from);
  bool make_plain();
  bool make_tls(const TlsContext& tls);
  void listen_to(bufferevent* wire);
  void on_connect();
  void on_readable();
  void on_event(short what);
  void on_late();
  void read_on();
  bool read_last();
  bool deliver(std::string_view bytes);
  void interrupt();
  std::size_t send_now(std::string_view bytes);
  void end_later(Outcome why);
  void end(Outcome why);

  event_base* loop_;
  StreamEvents& events_;
  PartingSocket parting_;
  event connect_;  // TCP is up or not to be had
  event late_;
  bufferevent* plain_ = nullptr;
  bufferevent* tls_ = nullptr;
  int fd_ = -1;
  State state_ = State::closed;
  Outcome why_ = Outcome::good;    // what is told when over
  Outcome fault_ = Outcome::good;  // what a direct send or read met, and the reading side cannot see again
  bool lost_ = false;              // bytes did not get to the kernel and never will
  bool unread_ = false;            // TLS failed in writing: there may be something to read
  bool* interrupted_ = nullptr;    // told when a call of the owner's has closed the stream
  std::string host_;
  std::string reason_;
};

Stream::Inside::~Inside() {
  close();
  if (plain_ != nullptr) {
    bufferevent_free(plain_);
  }
}

void Stream::Inside::connect(const Peer& peer, const Address* from) {
  close();
  host_ = peer.host;
  reason_.clear();
  fault_ = Outcome::good;
  lost_ = false;
  unread_ = false;
  if (!make_plain() || !begin_connect(peer.address, from)) {
    end_later(fd_ < 0 ? Outcome::local : outcome_of_connect_error(errno));
    return;
  }
  state_ = State::connecting;
  event_assign(
      &connect_, loop_, fd_, EV_WRITE,
      [](int, short, void* self) { static_cast<Inside*>(self)->on_connect(); }, this);
  event_add(&connect_, nullptr);
}

bool Stream::Inside::begin_connect(const Address& to, const Address* from) {
  fd_ = make_tcp_socket(to, from, 0);
  if (fd_ < 0) {
    return false;
  }
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return ::connect(fd_, to.get(), to.length) == 0 || errno == EINPROGRESS;
}

void Stream::Inside::on_connect() {
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    end(outcome_of_connect_error(error));
    return;
  }
  state_ = State::plain;
  bufferevent_setfd(plain_, fd_);
  bufferevent_enable(plain_, EV_READ);
  events_.on_connected();
}

bool Stream::Inside::make_plain() {
  if (plain_ == nullptr) {
    plain_ = bufferevent_socket_new(loop_, -1, 0);
    if (plain_ == nullptr) {
      return false;
    }
    bufferevent_disable(plain_, EV_WRITE);  // until something has to wait
    listen_to(plain_);
  }
  return true;
}

bool Stream::Inside::make_tls(const TlsContext& tls) {
  SSL* ssl = tls.open(host_);
  if (ssl == nullptr) {
    return false;
  }
  tls_ = bufferevent_openssl_socket_new(loop_, fd_, ssl, BUFFEREVENT_SSL_CONNECTING, BEV_OPT_CLOSE_ON_FREE);
  if (tls_ == nullptr) {
    return false;
  }
  listen_to(tls_);
  bufferevent_openssl_set_allow_dirty_shutdown(tls_, 1);
  bufferevent_enable(tls_, EV_READ | EV_WRITE);
  return true;
}

void Stream::Inside::listen_to(bufferevent* wire) {
  bufferevent_setcb(
      wire, [](bufferevent*, void* self) { static_cast<Inside*>(self)->on_readable(); },
      [](bufferevent*, void* self) { static_cast<Inside*>(self)->events_.on_flushed(); },
      [](bufferevent*, short what, void* self) { static_cast<Inside*>(self)->on_event(what); }, this);
}

void Stream::Inside::start_tls(const TlsContext& tls) {
  const bool early = evbuffer_get_length(bufferevent_get_input(plain_)) > 0 || has_unread(fd_);
  interrupt();
  bufferevent_disable(plain_, EV_READ | EV_WRITE);
  bufferevent_setfd(plain_, -1);
  if (early) {
    reason_ = "the server sent something before the TLS handshake";
    end_later(Outcome::tls_failed);
  } else if (!make_tls(tls)) {
    end_later(Outcome::local);
  } else {
    state_ = State::securing;
  }
}

void Stream::Inside::write(std::string_view bytes) {
  if (lost_ || (state_ != State::plain && state_ != State::secured)) {
    return;
  }
  if (state_ == State::plain && !waiting()) {
    bytes.remove_prefix(send_now(bytes));
  }
  if (bytes.empty() || lost_) {
    return;
  }
  if (bufferevent_write(wire(), bytes.data(), bytes.size()) != 0) {
    lost_ = true;
    end_later(Outcome::local);
  } else if (state_ == State::plain) {
    bufferevent_enable(plain_, EV_WRITE);
  }
}

/// Returns how many bytes the kernel took.
std::size_t Stream::Inside::send_now(std::string_view bytes) {
  const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent >= 0) {
    return static_cast<std::size_t>(sent);
  }
  if (!would_block(errno)) {
    lost_ = true;
    fault_ = outcome_of_io_error(errno);
    if (fault_ == Outcome::local) {
      end_later(fault_);
    }
  }
  return 0;
}

void Stream::Inside::on_readable() {
  evbuffer* input = bufferevent_get_input(wire());
  const bool plenty = evbuffer_get_length(input) >= kLibeventRead;
  std::array<char, kReadBuffer> buffer;
  while (evbuffer_get_length(input) > 0) {
    const int got = evbuffer_remove(input, buffer.data(), buffer.size());
    if (!deliver({buffer.data(), static_cast<std::size_t>(got)})) {
      return;
    }
  }
  if (plenty && state_ == State::plain) {
    read_on();
  }
}

/// Reads more of a long text than libevent would in one turn.
void Stream::Inside::read_on() {
  std::array<char, kReadBuffer> buffer;
  for (int reads = 0; reads < kMostReads; ++reads) {
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && !would_block(errno)) {
      fault_ = outcome_of_io_error(errno);
    }
    if (got <= 0 || !deliver({buffer.data(), static_cast<std::size_t>(got)}) ||
        static_cast<std::size_t>(got) < buffer.size()) {
      return;  // what has ended is seen by the bufferevent as well
    }
  }
}

/// Reads what came before TLS failed in writing. Returns whether the stream is still there.
bool Stream::Inside::read_last() {
  std::array<char, kReadBuffer> buffer;
  SSL* ssl = bufferevent_openssl_get_ssl(tls_);
  ERR_clear_error();
  int got = 0;
  while ((got = SSL_read(ssl, buffer.data(), static_cast<int>(buffer.size()))) > 0) {
    if (!deliver({buffer.data(), static_cast<std::size_t>(got)})) {
      return false;
    }
  }
  ERR_clear_error();
  return true;
}

/// Returns whether the stream is still there and more may be delivered.
bool Stream::Inside::deliver(std::string_view bytes) {
  bool interrupted = false;
  interrupted_ = &interrupted;
  events_.on_data(bytes);
  if (interrupted) {
    return false;
  }
  interrupted_ = nullptr;
  return true;
}

/// Ends a delivery that is going on: its bytes are the last of their kind.
void Stream::Inside::interrupt() {
  if (interrupted_ != nullptr) {
    *std::exchange(interrupted_, nullptr) = true;
  }
}

void Stream::Inside::on_event(short what) {
  const int error = errno;
  const bool closed = (what & BEV_EVENT_EOF) != 0;
  if ((what & BEV_EVENT_CONNECTED) != 0) {
    state_ = State::secured;
    events_.on_secured();
  } else if (state_ == State::securing) {
    reason_ =
        handshake_reason(bufferevent_openssl_get_ssl(tls_), closed ? 0 : bufferevent_get_openssl_error(tls_));
    end_later(Outcome::tls_failed);
  } else if (state_ == State::secured) {
    unread_ = (what & BEV_EVENT_WRITING) != 0;
    lost_ = waiting();
    end_later(was_reset(fd_) ? Outcome::reset : closed ? Outcome::closed_early : Outcome::tls_failed);
  } else if ((what & BEV_EVENT_WRITING) != 0) {
    lost_ = true;
    fault_ = outcome_of_io_error(error);
  } else if (state_ == State::plain) {
    end(fault_ != Outcome::good ? fault_ : closed ? Outcome::closed_early : outcome_of_io_error(error));
  }
}

void Stream::Inside::end_later(Outcome why) {
  state_ = State::over;
  why_ = why;
  event_active(&late_, EV_TIMEOUT, 1);
}

void Stream::Inside::on_late() {
  if (unread_ && !read_last()) {
    return;
  }
  end(why_);
}

void Stream::Inside::end(Outcome why) {
  close();
  events_.on_end(why);
}

void Stream::Inside::close() {
  interrupt();
  if (state_ == State::closed) {
    return;
  }
  event_del(&late_);
  if (state_ == State::connecting) {
    event_del(&connect_);
  }
  if (tls_ != nullptr) {
    // Takes the descriptor out of the loop and away from OpenSSL; libevent frees the rest in its own time.
    lost_ = lost_ || waiting();
    bufferevent_disable(tls_, EV_READ | EV_WRITE);
    bufferevent_setfd(tls_, -1);
    bufferevent_free(std::exchange(tls_, nullptr));
    ERR_clear_error();
  }
  if (plain_ != nullptr) {
    lost_ = lost_ || waiting();
    bufferevent_disable(plain_, EV_READ | EV_WRITE);
    bufferevent_setfd(plain_, -1);
    for (evbuffer* buffer : {bufferevent_get_input(plain_), bufferevent_get_output(plain_)}) {
      evbuffer_drain(buffer, evbuffer_get_length(buffer));
    }
  }
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
  state_ = State::closed;
}

void Stream::Inside::part() {
  const bool up = state_ == State::plain || state_ == State::secured;
  const int fd = up && flushed() ? std::exchange(fd_, -1) : -1;
  close();
  if (fd >= 0) {
    parting_.hold(fd);
  }
}

bool Stream::Inside::stale() const {
  if (state_ != State::plain && state_ != State::secured) {
    return true;
  }
  pollfd state{fd_, POLLIN | POLLRDHUP, 0};
  return ::poll(&state, 1, 0) != 0;
}

Stream::Stream(event_base* loop, StreamEvents& events) : inside_(std::make_unique<Inside>(loop, events)) {}

Stream::~Stream() = default;

void Stream::connect(const Peer& peer, const Address* from) {
  inside_->connect(peer, from);
}

void Stream::start_tls(const TlsContext& tls) {
  inside_->start_tls(tls);
}

void Stream::write(std::string_view bytes) {
  inside_->write(bytes);
}

void Stream::close() {
  inside_->close();
}

void Stream::part() {
  inside_->part();
}

bool Stream::open() const {
  return inside_->open();
}

bool Stream::stale() const {
  return inside_->stale();
}

bool Stream::flushed() const {
  return inside_->flushed();
}

const std::string& Stream::reason() const {
  return inside_->reason();
}

}  // namespace scalemark::mail
