// The Dovecot of a mail node: POP3 for the mailboxes of its node, and LMTP where that puts mail into them.
// Pure; thread-safe.
#pragma once

#include <filesystem>
#include <vector>

#include "testbed/dovecot_instance.h"
#include "testbed/mail_accounts.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// `mailboxes` are those of the whole cluster; `program` is the full path of dovecot.
[[nodiscard]] ServiceSetup setup_dovecot_node(const ClusterPlan& plan, const NodePlace& node,
                                              const std::vector<MailAccount>& mailboxes,
                                              const std::filesystem::path& program);

/// Where it takes in mail over LMTP.
[[nodiscard]] std::filesystem::path lmtp_socket(const ClusterPlan& plan, const NodePlace& node);

/// A mailbox's Maildir, relative to the folder of all mailboxes of its node: "user0001/Maildir".
[[nodiscard]] std::filesystem::path maildir_of(const MailAccount& mailbox);

}  // namespace scalemark::testbed
