// How messages leave and mailboxes are read: the line between user model and wire.
//
// Every user has at most one SMTP attempt and at most one POP3 session under way; each one's end is reported
// exactly once through `TransportEvents`, never from within a call. It decides nothing about when, what or
// how often. A transport lives on one event loop and one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/address.h"
#include "core/clock.h"
#include "core/split.h"
#include "mail_bench/accounts.h"
#include "mail_bench/pop3_session.h"
#include "mail_bench/smtp_session.h"
#include "mail_bench/steps.h"

struct event_base;

namespace scalemark::mail {

/// A user's number within its worker: 0..count-1.
using LocalUser = std::uint32_t;

class TransportEvents : public StepTimes {
 public:
  virtual void on_sent(LocalUser user, const SmtpResult& result) = 0;
  /// Returns whether to delete the message from the mailbox.
  virtual bool on_fetched(LocalUser user, const Fetched& message) = 0;
  virtual void on_collected(LocalUser user, const Pop3Result& result) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// Begins an attempt to deliver. The envelope's views must live until its end.
  virtual void send(LocalUser user, const Envelope& envelope) = 0;
  /// Ends the user's SMTP connection in good order, in the background. Not during an attempt.
  virtual void hang_up(LocalUser user) = 0;
  /// Begins a POP3 session that fetches at most `most` messages (0: all).
  virtual void collect(LocalUser user, std::uint32_t most) = 0;
  /// Ends attempts and sessions that are over a time-out at `now`; called every kSweep by the worker.
  virtual void sweep(TimePoint now) = 0;
  /// Closes the user's connections and forgets what was under way without reporting it.
  virtual void drop(LocalUser user) = 0;

  /// How often the worker calls sweep(); time-outs are late by at most this much.
  static constexpr Duration kSweep = std::chrono::milliseconds(100);
};

/// What the sessions of a worker's users need; referred to.
struct SessionNeeds {
  event_base* loop;
  const Clock& clock;
  const SmtpSettings& smtp;
  const Pop3Settings& pop3;
  const std::vector<Stream::Peer>& smtp_peers;  ///< user i works on i mod size
  const std::vector<Stream::Peer>& pop3_peers;
  const std::vector<Address>& bind;      ///< may be empty
  const std::vector<Account>& accounts;  ///< user i has account i
  UserShare share;
  TransportEvents& events;
};

/// The transport over SMTP and POP3 sessions. Throws RunError when the system lacks memory or descriptors.
[[nodiscard]] std::unique_ptr<Transport> make_transport(const SessionNeeds& needs);

}  // namespace scalemark::mail
