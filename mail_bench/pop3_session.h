// One POP3 session of one user: logs in, fetches what is there, deletes it, and quits.
//
// A state machine like SmtpSession's. A session is a snapshot of the mailbox: each begin() is a session of
// its own, on a connection of its own, and never before the one before it has ended. Belongs to one event
// loop and one thread; events come from the loop or from sweep(), never from within begin(). RFC 1939, 2449
// (CAPA, response codes), 2595 (STLS), 3206 ([SYS/TEMP], [AUTH]), 5034 (AUTH).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/outcome.h"
#include "mail_bench/smtp_session.h"  // TlsUse
#include "mail_bench/steps.h"
#include "mail_bench/stream.h"

namespace scalemark::mail {

enum class Pop3Auth : std::uint8_t { user, apop, plain };  ///< USER/PASS, APOP, AUTH PLAIN

/// How all POP3 sessions of a run behave; referred to, immutable.
struct Pop3Settings {
  TlsUse tls = TlsUse::off;
  const TlsContext* tls_context = nullptr;
  Pop3Auth auth = Pop3Auth::user;
  Duration connect_timeout = std::chrono::seconds(10);
  Duration timeout = std::chrono::seconds(30);  ///< of a whole session, from its beginning to QUIT's reply
};

/// Why a login or a command was turned down.
enum class Pop3Refusal : std::uint8_t {
  none,
  locked,     ///< [IN-USE], or words that say the same: another session holds the mailbox
  temporary,  ///< [SYS/TEMP], [LOGIN-DELAY], words such as "try later", or -ERR to something other than a
              ///< login
  login,      ///< [AUTH], [SYS/PERM], or any other -ERR to a login: a matter of configuration
};

enum class Pop3Phase : std::uint8_t { connect, tls, greeting, auth, list, retrieve, remove, quit };

/// A message that a session fetched.
struct Fetched {
  std::string_view uid;   ///< of UIDL; "" when the server has none
  std::string_view text;  ///< un-stuffed, lines end in CRLF; valid during the call only
  TimePoint seen{};       ///< when the list that names it was whole
  TimePoint whole{};      ///< when its last byte had come
};

/// What became of a session.
struct Pop3Result {
  Outcome outcome = Outcome::good;
  Pop3Refusal refusal = Pop3Refusal::none;  ///< with bad_status
  Pop3Phase phase = Pop3Phase::quit;        ///< where it ended
  std::string words{};                      ///< the server's reason or ours, one line, at most 200 bytes
  std::uint32_t listed = 0;                 ///< messages in the mailbox
  std::uint32_t fetched = 0;                ///< of them, fetched whole and reported
  std::uint32_t deleted = 0;                ///< DELE answered by +OK
  bool committed = false;                   ///< QUIT after a login was answered by +OK: the deletions hold
  TimePoint begun{};
  TimePoint ended{};
  std::uint64_t received_bytes = 0;
};

class Pop3Events {
 public:
  virtual ~Pop3Events() = default;
  /// Each message, in the mailbox's order, before it is deleted. Returns whether to delete it.
  virtual bool on_fetched(const Fetched& message) = 0;
  /// The session is over, its connection is closed. The next one may be begun from within; the session's
  /// object must outlive the call.
  virtual void on_pop3_end(const Pop3Result& result) = 0;
};

class Pop3Session {
 public:
  struct Setup {
    event_base* loop;
    const Clock& clock;
    const Pop3Settings& settings;
    Stream::Peer peer;
    const Address* from;
    Pop3Events& events;
    StepTimes& times;
  };
  struct Login {
    std::string_view name;
    std::string_view password;
  };
  /// What to do with the mailbox.
  enum class Work : std::uint8_t {
    collect,  ///< fetch, delete, quit
    count,    ///< only look how many there are, quit
    empty,    ///< delete all without fetching, quit
  };
  explicit Pop3Session(Setup setup);
  ~Pop3Session();
  Pop3Session(const Pop3Session&) = delete;
  Pop3Session& operator=(const Pop3Session&) = delete;

  /// Begins a session; not while another is under way. At most `most` messages are fetched or deleted
  /// (0: all). The login's views must live until the end.
  void begin(Work work, const Login& login, std::uint32_t most = 0);
  /// Closes at once, without an event.
  void abandon();
  /// Time-outs are seen here; to be called about ten times a second.
  void sweep(TimePoint now);

  [[nodiscard]] bool busy() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace scalemark::mail
