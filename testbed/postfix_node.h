// The Postfix of a mail node: it takes in mail for the mailboxes of its node and puts it there, itself or by
// way of Dovecot's LMTP. Pure, except for own_postfix_node(); thread-safe.
#pragma once

#include "testbed/mail_accounts.h"
#include "testbed/postfix_instance.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// `mailboxes` are those of the whole cluster.
[[nodiscard]] ServiceSetup setup_postfix_node(const ClusterPlan& plan, const NodePlace& node,
                                              const std::vector<MailAccount>& mailboxes);

/// Gives queue and mailboxes their owners, when the setup's folders exist. Throws RunError.
void own_postfix_node(const ClusterPlan& plan, const NodePlace& node);

}  // namespace scalemark::testbed
