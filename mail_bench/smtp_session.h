// One SMTP connection of one user, and the messages that go over it one after another.
//
// A state machine: bytes and the loop's events in, commands out, every message's end reported exactly once.
// It decides nothing about when to send or what a failure means for the score. Belongs to one event loop and
// one thread; events come from the loop, never from within send() or quit(). RFC 5321 and, where said, RFC
// 1870, 2920 (pipelining), 3207 (STARTTLS), 4954 (AUTH), 6531 (SMTPUTF8).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/outcome.h"
#include "mail_bench/steps.h"
#include "mail_bench/stream.h"

namespace scalemark::mail {

enum class TlsUse : std::uint8_t {
  off,       ///< never, whatever the server offers
  required,  ///< STARTTLS / STLS; a server that does not offer it fails the session
  implicit,  ///< from the first byte (ports 465 and 995)
};
enum class SmtpAuth : std::uint8_t { none, plain, login };

/// How all SMTP sessions of a run behave; referred to, immutable.
struct SmtpSettings {
  std::string hello_name = "scalemark.test";
  TlsUse tls = TlsUse::off;
  const TlsContext* tls_context = nullptr;  ///< unless tls is off
  SmtpAuth auth = SmtpAuth::none;
  bool pipelining = false;  ///< send MAIL, RCPT and DATA in one go where the server offers it
  Duration connect_timeout = std::chrono::seconds(10);
  Duration timeout = std::chrono::seconds(60);  ///< of a whole attempt, from its beginning to the last reply
  Duration quit_patience = std::chrono::seconds(2);
};

/// The sender's name and password, where SmtpAuth asks for them.
struct SmtpLogin {
  std::string_view name;
  std::string_view password;
};

/// One message to deliver. The views must live until its end is reported.
struct Envelope {
  std::string_view sender;
  std::string_view recipient;
  std::string_view text;  ///< wire form, not stuffed; ends in CRLF
};

/// Where in the dialogue an attempt ended.
enum class SmtpPhase : std::uint8_t { connect, tls, greeting, hello, auth, mail, rcpt, data, dot };

/// What became of an attempt.
struct SmtpResult {
  Outcome outcome = Outcome::good;
  SmtpPhase phase = SmtpPhase::dot;
  int code = 0;  ///< the reply that decided: 250, 452, 550, 421, ...; 0 when there was none
  /// Its text, one line, at most 200 bytes; without a reply, what else is known; "" when that is nothing.
  std::string words{};
  /// Nobody knows whether the message was delivered: the connection or the time ended between the final dot
  /// and its reply.
  bool unknown = false;
  bool new_connection = false;  ///< one was opened for it
  TimePoint begun{};            ///< send()
  TimePoint ended{};
  std::uint64_t sent_bytes = 0;
};

class SmtpEvents {
 public:
  virtual ~SmtpEvents() = default;
  /// The end of send(). The session may be told to send() again from within the call, or be destroyed.
  virtual void on_smtp_end(const SmtpResult& result) = 0;
  /// The connection is gone after quit(), or the peer closed it while it was idle.
  virtual void on_smtp_closed() = 0;
};

class SmtpSession {
 public:
  struct Setup {
    event_base* loop;
    const Clock& clock;
    const SmtpSettings& settings;
    Stream::Peer peer;
    const Address* from;  ///< local address; null: the system's choice
    SmtpEvents& events;
    StepTimes& times;
  };
  explicit SmtpSession(Setup setup);
  ~SmtpSession();
  SmtpSession(const SmtpSession&) = delete;
  SmtpSession& operator=(const SmtpSession&) = delete;

  /// Begins an attempt: over the present connection when it is good, else over a new one. Not while another
  /// is under way. A connection whose peer has hung up or said 421 meanwhile is replaced before anything is
  /// sent, and that is no failure.
  void send(const Envelope& envelope, const SmtpLogin& login);
  /// Says QUIT and waits briefly; on_smtp_closed() follows unless there was no connection, or send() comes
  /// first, which does not wait for the old connection. Not during send().
  void quit();
  /// Closes at once, without an event; what was under way is reported by nobody.
  void abandon();
  /// Time-outs are seen here; to be called about ten times a second.
  void sweep(TimePoint now);

  /// Whether a message is under way.
  [[nodiscard]] bool busy() const;
  /// Whether there is a connection, or one under way; also after QUIT, until it is closed.
  [[nodiscard]] bool connected() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace scalemark::mail
