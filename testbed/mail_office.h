// What all connections of a mail sink share: its plan, mailboxes, accounts, log and counters. Belongs to the
// sink's thread.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "testbed/mail_sink.h"
#include "testbed/mail_sink_accounts.h"
#include "testbed/mail_sink_log.h"
#include "testbed/mail_store.h"
#include "testbed/mail_text.h"

namespace scalemark::testbed {

class MailOffice {
 public:
  /// Throws UsageError for accounts that clash and a log that cannot be written.
  explicit MailOffice(const MailSinkPlan& plan);

  /// What UIDL says of a delivery: unlike that of any other, also in sinks that run later.
  [[nodiscard]] std::string uid(std::uint64_t number) const;
  /// The present time as heads of messages have it: "Mon, 01 Dec 2025 08:41:48 +0000".
  [[nodiscard]] std::string_view date();
  /// Puts a whole message into a mailbox; returns the delivery's number.
  std::uint64_t deliver(std::string_view mailbox, const std::shared_ptr<const MailText>& text);
  /// Writes a line of the log, if there is one.
  void note(std::string_view event, std::string_view mailbox, std::uint64_t number, std::uint64_t octets);
  void note_discarded(std::string_view mailbox, std::uint64_t octets);

  const MailSinkPlan plan;
  const SteadyClock clock;
  const MailAccounts accounts;
  MailMemory memory;
  MailStore store;
  MailSinkLog log;
  MailSinkCounters counters;

 private:
  std::string uid_prefix_;
  std::time_t dated_ = 0;
  std::string date_;
};

}  // namespace scalemark::testbed
