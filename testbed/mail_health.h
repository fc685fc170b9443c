// Whether mail flows: one message through a door into a mailbox, and out of it again.
//
// Thread-safe. The calling thread keeps its own namespace.
#pragma once

#include <string>
#include <string_view>

#include "core/clock.h"
#include "testbed/mail_accounts.h"
#include "testbed/mail_client.h"

namespace scalemark::testbed {

/// The host that took a message in last: what stands after "by" in its topmost Received field; "" when there
/// is none. Pure.
[[nodiscard]] std::string received_by(std::string_view message);

struct MailCheck {
  MailDoor door;
  MailAccount mailbox;
  std::string host;  ///< the host that must have taken the message in: "n1.bench.test"
};

/// Logs in, sends a message to the mailbox, waits until it is there, looks which host has taken it in, and
/// removes it. "" when all is well; else what is wrong: a refusal, nothing within `timeout`, "the map names
/// n1.bench.test for user0001@bench.test, but n2.bench.test has its mail". Throws RunError only when there is
/// no such namespace.
[[nodiscard]] std::string check_mailbox(const MailCheck& check, Duration timeout);

}  // namespace scalemark::testbed
