// A mail server that keeps everything in memory and is never the slower side.
//
// What the mail generator is measured against and tested with: it takes messages by SMTP (RFC 5321) and gives
// them back by POP3 (RFC 1939), with nothing behind it that could hold up or lose one. It is strict: commands
// end in CRLF, messages in CRLF "." CRLF alone, there is no blank before an address, and nothing is accepted
// out of turn. It keeps no time-outs: a client that says nothing stays connected. A client that closes its
// sending side is taken to have left once it has its answers.
//
// A mailbox is in one POP3 session at a time; others are told [IN-USE]. Deletions hold when QUIT is answered,
// and at no other end of a session.
//
// One thread runs the sink; stop() may be used from any thread and from a signal handler. The constructor
// raises the process's soft limit of descriptors and ignores SIGPIPE.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/mail_sink_accounts.h"

namespace scalemark::testbed {

class MailSinkServer;

struct MailSinkPlan {
  std::string smtp = "127.0.0.1:2525";      ///< where to listen; port 0: any free one
  std::string pop3 = "127.0.0.1:2110";      ///< likewise
  std::vector<MailSinkAccount> accounts{};  ///< whose mail is taken; none: everybody's, with any password
  std::string name = "sink.test";           ///< the server's name in greetings and Received lines
  bool auth = false;                        ///< SMTP offers AUTH, and takes nothing without it
  bool discard = false;                     ///< SMTP alone: what was received whole is thrown away
  std::uint64_t max_memory = std::uint64_t{1} << 30;  ///< bytes of messages that may be kept
  Duration visible_after{};                           ///< from a message's 250 until POP3 sessions can see it
  std::string log{};  ///< file to append to (testbed/mail_sink_log.h); "" none
};

/// What a sink has done.
struct MailSinkCounters {
  std::uint64_t smtp_connections = 0;  ///< accepted
  std::uint64_t pop3_connections = 0;
  std::uint64_t messages = 0;        ///< received whole and answered by 250
  std::uint64_t message_octets = 0;  ///< theirs together, as they were received
  std::uint64_t deliveries = 0;  ///< into a mailbox each; more than messages where one had several recipients
  std::uint64_t refused_messages = 0;  ///< received whole and refused, for want of memory
  std::uint64_t sessions = 0;          ///< POP3 logins that opened a mailbox
  std::uint64_t locked = 0;            ///< POP3 logins that were told [IN-USE]
  std::uint64_t retrieved = 0;         ///< by RETR
  std::uint64_t deleted = 0;           ///< and committed
  std::uint64_t kept = 0;              ///< in mailboxes now
};

class MailSink {
 public:
  /// Binds and listens. Throws UsageError or RunError: port in use, address not local, accounts that clash,
  /// ...
  explicit MailSink(const MailSinkPlan& plan);
  /// Closes all connections. run() must have returned.
  ~MailSink();
  MailSink(const MailSink&) = delete;
  MailSink& operator=(const MailSink&) = delete;

  /// Where it really listens, e.g. "127.0.0.1:41234".
  [[nodiscard]] std::string smtp_address() const;
  /// "" with `discard`: there is nothing to fetch.
  [[nodiscard]] std::string pop3_address() const;

  /// Serves until stop(); at once over when stop() came first. Throws RunError when the log could not be
  /// written.
  void run();
  void stop() noexcept;

  /// Not while run() runs.
  [[nodiscard]] MailSinkCounters counters() const;

 private:
  std::unique_ptr<MailSinkServer> server_;
};

}  // namespace scalemark::testbed
