// Every mailbox once through the front, before anything is measured.
//
// The first message and the first session make folders, fill caches and have servers start the processes
// that they need; a measurement must not meet that. The same pass proves the map: every mailbox lies on the
// node that it names. Works with threads of its own; the calling thread keeps its namespace.
#pragma once

#include <string>
#include <vector>

#include "testbed/mail_health.h"

namespace scalemark::testbed {

/// Makes all checks, up to `at_once` at a time, each with `timeout`. Throws RunError with what is wrong with
/// the first mailbox, in their order, and how many others have trouble.
void settle_mailboxes(const std::vector<MailCheck>& checks, unsigned at_once, Duration timeout);

}  // namespace scalemark::testbed
