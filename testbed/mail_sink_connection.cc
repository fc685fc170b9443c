#include "testbed/mail_sink_connection.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace scalemark::testbed {
namespace {

constexpr std::size_t kMostWaiting = 262'144;  // bytes of answers, beyond which no further command is served

// What one read may bring; all connections of a thread share it.
thread_local std::array<char, 65'536> read_buffer;

}  // namespace

MailSinkConnection::MailSinkConnection(event_base* loop, int fd, const MakeDialogue& make, const Ended& ended)
    : fd_(fd), ended_(ended), dialogue_(make(output_)), watch_(loop, &MailSinkConnection::on_event, this) {}

MailSinkConnection::~MailSinkConnection() {
  watch_.off();
  ::close(fd_);
}

void MailSinkConnection::start() {
  dialogue_->greet();
  flush();
  settle();
}

void MailSinkConnection::on_event(int /*fd*/, short what, void* self) {
  auto& connection = *static_cast<MailSinkConnection*>(self);
  if ((what & EV_READ) != 0) {
    connection.read();
  }
  connection.flush();
  connection.settle();
}

void MailSinkConnection::read() {
  const ssize_t got = ::read(fd_, read_buffer.data(), read_buffer.size());
  if (got > 0) {
    serve({read_buffer.data(), static_cast<std::size_t>(got)});
  } else if (got == 0) {
    no_more_ = true;
  } else {
    broken_ = errno != EAGAIN && errno != EINTR;
  }
}

bool MailSinkConnection::held_up() const {
  return output_.waiting() > kMostWaiting;
}

void MailSinkConnection::serve(std::string_view bytes) {
  const bool had = !unread_.empty();
  if (had) {
    unread_.append(bytes);
    bytes = unread_;
  }
  const std::size_t all = bytes.size();
  holding_ = false;
  while (!bytes.empty() && !dialogue_->over() && !broken_) {
    if (held_up()) {
      flush();
      if (held_up()) {
        holding_ = true;
        break;
      }
    }
    const std::size_t taken = dialogue_->take(bytes);
    if (taken == 0) {
      break;
    }
    bytes.remove_prefix(taken);
  }
  if (had) {
    unread_.erase(0, all - bytes.size());
  } else {
    unread_.assign(bytes);
  }
}

void MailSinkConnection::flush() {
  while (output_.waiting() > 0 && !broken_) {
    if (evbuffer_write(output_.buffer(), fd_) < 0) {
      broken_ = errno != EAGAIN && errno != EINTR;
      return;
    }
  }
}

void MailSinkConnection::settle() {
  while (holding_ && !held_up() && !broken_) {
    serve({});
    flush();
  }
  const bool waiting = output_.waiting() > 0;
  if (broken_ || (!waiting && (dialogue_->over() || no_more_))) {
    ended_(fd_);
    return;
  }
  const bool reads = !holding_ && !dialogue_->over() && !no_more_;
  watch_.on(fd_, static_cast<short>((reads ? EV_READ : 0) | (waiting ? EV_WRITE : 0)));
}

}  // namespace scalemark::testbed
