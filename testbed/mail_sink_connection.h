// One TCP connection to the mail sink: carries bytes to and from a dialogue.
//
// Answers are written at once, in one go for all commands that came together, and the socket is watched for
// room to write only where they did not fit: per exchange that is one wait, one read and one write, which is
// about half of what a bufferevent needs. Reading stops while a client does not take its answers. Belongs to
// the sink's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/socket_watch.h"
#include "testbed/mail_dialogue.h"

struct event_base;

namespace scalemark::testbed {

class MailSinkConnection {
 public:
  using MakeDialogue = std::function<std::unique_ptr<MailDialogue>(MailOutput& output)>;
  /// Is called with the socket when the connection is over, last in an event; destroys the connection.
  using Ended = std::function<void(int fd)>;

  /// Takes over a non-blocking socket. start() comes next.
  MailSinkConnection(event_base* loop, int fd, const MakeDialogue& make, const Ended& ended);
  /// Closes the socket.
  ~MailSinkConnection();
  MailSinkConnection(const MailSinkConnection&) = delete;
  MailSinkConnection& operator=(const MailSinkConnection&) = delete;

  /// Greets the client. May call `ended`.
  void start();

 private:
  static void on_event(int fd, short what, void* self);
  void read();
  /// Lets the dialogue have what there is to read, as far as its answers find room.
  void serve(std::string_view bytes);
  void flush();
  /// Goes on with what was held back, decides what to wait for, or ends.
  void settle();
  [[nodiscard]] bool held_up() const;

  int fd_;
  const Ended& ended_;
  MailOutput output_;
  std::unique_ptr<MailDialogue> dialogue_;
  std::string unread_;    // the beginning of a command, or what is held back
  bool holding_ = false;  // commands are held back until answers are sent
  bool no_more_ = false;  // the client has closed its sending side
  bool broken_ = false;
  SocketWatch watch_;
};

}  // namespace scalemark::testbed
