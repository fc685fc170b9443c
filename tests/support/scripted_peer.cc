#include "tests/support/scripted_peer.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tests/support/tls_filter.h"

namespace scalemark::test_support {
namespace {

constexpr std::chrono::seconds kPeerPatience{10};

/// Waits until `fd` is ready for `events`; false once `stop` is readable.
bool ready(int fd, short events, int stop) {
  std::array<pollfd, 2> polled{{{fd, events, 0}, {stop, POLLIN, 0}}};
  while (true) {
    if (poll(polled.data(), polled.size(), -1) < 0) {
      if (errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "poll");
      }
      continue;
    }
    if (polled[1].revents != 0) {
      return false;
    }
    if (polled[0].revents != 0) {
      return true;
    }
  }
}

}  // namespace

Gate::Gate()
    : permits_(checked(eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")),
      arrivals_(checked(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")) {}

void Gate::open(std::uint64_t times) {
  opened_ += times;
  checked(eventfd_write(permits_.get(), times), "eventfd_write");
}

bool Gate::open_if_awaited() {
  if (arrived_ <= opened_) {
    return false;
  }
  open();
  return true;
}

class Conversation {
 public:
  Conversation(ScriptedPeer& peer, Descriptor socket, std::size_t number)
      : peer_(peer), socket_(std::move(socket)), number_(number) {
    const int on = 1;
    checked(setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
  }

  /// The text up to and including the delimiter; nullptr when the script is over.
  const std::string* expect(const std::string& delimiter) {
    std::size_t at = std::string::npos;
    std::size_t looked_through = 0;  // a long text is not searched again from its beginning
    while ((at = pending_.find(delimiter, looked_through)) == std::string::npos) {
      looked_through = pending_.size() - std::min(pending_.size(), delimiter.size());
      if (!read_more()) {
        return nullptr;
      }
    }
    consumed_ = pending_.substr(0, at + delimiter.size());
    pending_.erase(0, at + delimiter.size());
    note([](ConnectionLog& log) { ++log.expected; });
    return &consumed_;
  }

  bool send(std::string_view bytes) {
    if (tls_ == nullptr) {
      return send_wire(bytes);
    }
    tls_->write(bytes);
    return send_wire(tls_->take_wire());
  }

  bool start_tls(Certificate certificate) {
    tls_ = std::make_unique<TlsFilter>(certificate);
    const std::string early = std::exchange(pending_, {});
    note([&early](ConnectionLog& log) {
      log.received.resize(log.received.size() - early.size());
      log.in_clear = log.received.size();
    });
    bool going = take(early);
    while (going && !tls_->up()) {
      going = read_more();
    }
    return going;
  }

  bool pass(Gate& gate) {
    ++gate.arrived_;
    checked(eventfd_write(gate.arrivals_.get(), 1), "eventfd_write");
    eventfd_t permit = 0;
    do {
      if (!ready(gate.permits_.get(), POLLIN, peer_.stop_.get())) {
        return false;
      }
    } while (eventfd_read(gate.permits_.get(), &permit) != 0);  // another script may have been quicker
    return true;
  }

  bool close() {
    while (readable_now()) {
      if (!read_more()) {
        return false;
      }
    }
    if (tls_ != nullptr && tls_->up()) {
      tls_->close();
      if (!send_wire(tls_->take_wire())) {
        return false;
      }
    }
    return end(ConnectionEnd::closed);
  }

  bool reset() {
    const linger hard{1, 0};
    checked(setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard), "SO_LINGER");
    return end(ConnectionEnd::reset);
  }

  bool half_close() {
    // A client that has reset the connection meanwhile is found out by the next step.
    shutdown(socket_.get(), SHUT_WR);
    return true;
  }

  void hold() {
    while (socket_.is_open() && read_more()) {
    }
  }

 private:
  [[nodiscard]] bool readable_now() const {
    pollfd polled{socket_.get(), POLLIN, 0};
    return poll(&polled, 1, 0) > 0;
  }

  bool read_more() {
    if (!ready(socket_.get(), POLLIN, peer_.stop_.get())) {
      return false;
    }
    std::array<char, 65536> buffer;
    const ssize_t got = recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      return take({buffer.data(), static_cast<std::size_t>(got)});
    }
    if (got == 0) {
      return end(ConnectionEnd::closed_by_client);
    }
    if (errno == ECONNRESET || errno == EPIPE) {
      return end(ConnectionEnd::reset_by_client);
    }
    return errno == EAGAIN || errno == EINTR;
  }

  /// Takes bytes off the wire.
  bool take(std::string_view wire) {
    if (tls_ == nullptr) {
      pending_ += wire;
      note([wire](ConnectionLog& log) { log.received += wire; });
      return true;
    }
    std::string plain;
    const bool was_up = tls_->up();
    const bool sound = tls_->feed(wire, plain);
    pending_ += plain;
    note([&](ConnectionLog& log) {
      log.received += plain;
      log.tls = sound ? (tls_->up() ? TlsState::up : TlsState::none) : TlsState::failed;
      if (!was_up && tls_->up()) {
        log.server_name = tls_->server_name();
      }
    });
    if (!send_wire(tls_->take_wire())) {
      return false;
    }
    return sound || end(ConnectionEnd::closed);
  }

  bool send_wire(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!ready(socket_.get(), POLLOUT, peer_.stop_.get())) {
        return false;
      }
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EPIPE || errno == ECONNRESET) {
        return end(ConnectionEnd::reset_by_client);
      } else if (errno != EAGAIN && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "send");
      }
    }
    return true;
  }

  /// Closes before it notes, so that whoever reads the note may rely on it.
  bool end(ConnectionEnd how) {
    socket_.close();
    note([how](ConnectionLog& log) { log.end = how; });
    return false;
  }

  void note(const std::function<void(ConnectionLog&)>& change) { peer_.note(number_, change); }

  ScriptedPeer& peer_;
  Descriptor socket_;
  std::size_t number_;
  std::unique_ptr<TlsFilter> tls_;
  std::string pending_;   // read, not yet consumed
  std::string consumed_;  // by the last expect()
};

Script& Script::then(Step step) {
  steps_.push_back(std::move(step));
  return *this;
}

Script& Script::expect(std::string delimiter) {
  return then(
      [delimiter = std::move(delimiter)](Conversation& with) { return with.expect(delimiter) != nullptr; });
}

Script& Script::answer(std::string delimiter, std::function<std::string(std::string_view)> reply) {
  return then([delimiter = std::move(delimiter), reply = std::move(reply)](Conversation& with) {
    const std::string* request = with.expect(delimiter);
    return request != nullptr && with.send(reply(*request));
  });
}

Script& Script::send(std::string bytes) {
  return then([bytes = std::move(bytes)](Conversation& with) { return with.send(bytes); });
}

Script& Script::send_segments(std::vector<std::string> segments) {
  for (std::string& segment : segments) {
    send(std::move(segment));
  }
  return *this;
}

Script& Script::send_segments(std::vector<std::string> segments, Gate& gate) {
  for (std::string& segment : segments) {
    wait(gate).send(std::move(segment));
  }
  return *this;
}

Script& Script::send_byte_by_byte(std::string_view bytes) {
  for (const char byte : bytes) {
    send(std::string(1, byte));
  }
  return *this;
}

Script& Script::send_byte_by_byte(std::string_view bytes, Gate& gate) {
  for (const char byte : bytes) {
    wait(gate).send(std::string(1, byte));
  }
  return *this;
}

Script& Script::wait(Gate& gate) {
  return then([&gate](Conversation& with) { return with.pass(gate); });
}

Script& Script::close() {
  return then([](Conversation& with) { return with.close(); });
}

Script& Script::reset() {
  return then([](Conversation& with) { return with.reset(); });
}

Script& Script::half_close() {
  return then([](Conversation& with) { return with.half_close(); });
}

Script& Script::stall() {
  return then([](Conversation& with) {
    with.hold();
    return false;
  });
}

Script& Script::start_tls(Certificate certificate) {
  return then([certificate](Conversation& with) { return with.start_tls(certificate); });
}

Script& Script::add(const Script& part) {
  steps_.insert(steps_.end(), part.steps_.begin(), part.steps_.end());
  return *this;
}

Script& Script::repeat(std::size_t times, const Script& part) {
  return then([times, part](Conversation& with) {
    for (std::size_t i = 0; i < times; ++i) {
      if (!part.play(with)) {
        return false;
      }
    }
    return true;
  });
}

Script& Script::repeat_forever(const Script& part) {
  return then([part](Conversation& with) {
    while (part.play(with)) {
    }
    return false;
  });
}

bool Script::play(Conversation& with) const {
  for (const Step& step : steps_) {
    if (!step(with)) {
      return false;
    }
  }
  return true;
}

ScriptedPeer::ScriptedPeer(Script script, Loopback family)
    : ScriptedPeer(std::vector<Script>{std::move(script)}, family) {}

ScriptedPeer::ScriptedPeer(std::vector<Script> scripts, Loopback family)
    : scripts_(std::move(scripts)),
      listener_(bind_loopback(family)),
      endpoint_(local_endpoint(listener_)),
      stop_(checked(eventfd(0, EFD_CLOEXEC), "eventfd")) {
  if (scripts_.empty()) {
    throw std::invalid_argument("a scripted peer needs a script");
  }
  checked(listen(listener_.get(), SOMAXCONN), "listen");
  checked(fcntl(listener_.get(), F_SETFL, O_NONBLOCK), "O_NONBLOCK");
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedPeer::~ScriptedPeer() {
  eventfd_write(stop_.get(), 1);
  acceptor_.join();
  for (std::thread& conversation : conversations_) {
    conversation.join();
  }
}

std::vector<ConnectionLog> ScriptedPeer::connections() const {
  const std::scoped_lock lock(mutex_);
  return log_;
}

bool ScriptedPeer::wait_until(const std::function<bool(const std::vector<ConnectionLog>&)>& condition) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPeerPatience, [&] { return condition(log_); });
}

void ScriptedPeer::accept_all() {
  while (ready(listener_.get(), POLLIN, stop_.get())) {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) {
      continue;  // the client gave up in between
    }
    ConnectionLog fresh;
    fresh.client.length = sizeof fresh.client.storage;
    getpeername(socket.get(), reinterpret_cast<sockaddr*>(&fresh.client.storage), &fresh.client.length);
    std::size_t number = 0;
    {
      const std::scoped_lock lock(mutex_);
      number = log_.size();
      log_.push_back(std::move(fresh));
    }
    changed_.notify_all();
    conversations_.emplace_back(
        [this, number, held = std::move(socket)]() mutable { converse(std::move(held), number); });
  }
}

void ScriptedPeer::converse(Descriptor socket, std::size_t number) {
  Conversation conversation(*this, std::move(socket), number);
  if (scripts_[std::min(number, scripts_.size() - 1)].play(conversation)) {
    conversation.hold();
  }
}

void ScriptedPeer::note(std::size_t number, const std::function<void(ConnectionLog&)>& change) {
  {
    const std::scoped_lock lock(mutex_);
    change(log_[number]);
  }
  changed_.notify_all();
}

}  // namespace scalemark::test_support
