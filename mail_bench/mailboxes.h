// Looks into mailboxes, or empties them, before or after a run.
//
// Many accounts at a time over POP3 on one event loop; blocks. Nothing is printed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mail_bench/mail_plan.h"

namespace scalemark::mail {

/// What one mailbox had to say.
struct MailboxState {
  std::string address;
  bool reached = false;        ///< logged in, and QUIT was answered
  std::uint32_t messages = 0;  ///< that it held
  std::uint32_t deleted = 0;   ///< of these, deleted and committed
  std::string fault;           ///< why not, a sentence; "" when it was reached
};

/// Counts the messages of every account of the plan or, with `empty`, deletes them. At most `at_once`
/// sessions at a time. `progress` may be empty. A `stop` that is set ends it: RunError. In the accounts'
/// order.
[[nodiscard]] std::vector<MailboxState> visit_mailboxes(
    const MailPlan& plan, const std::vector<Account>& accounts, bool empty, std::uint32_t at_once,
    const std::atomic<bool>* stop, const std::function<void(std::size_t done, std::size_t of)>& progress);

}  // namespace scalemark::mail
