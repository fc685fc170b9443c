// `scalemark mailboxes`: looks into the mailboxes that a mail run uses, or empties them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "app/command.h"
#include "mail_bench/mailboxes.h"

namespace scalemark::app {

/// What does the visiting: mail::visit_mailboxes, or a stand-in.
using MailboxVisitor = std::function<std::vector<mail::MailboxState>(
    const mail::MailPlan&, const std::vector<mail::Account>&, bool empty, std::uint32_t at_once,
    const std::atomic<bool>* stop, const std::function<void(std::size_t done, std::size_t of)>& progress)>;

[[nodiscard]] std::unique_ptr<Command> make_mailboxes_command();
[[nodiscard]] std::unique_ptr<Command> make_mailboxes_command(MailboxVisitor visitor);

}  // namespace scalemark::app
