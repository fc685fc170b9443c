// The mailboxes of a mail cluster: who there is, on which node, and the file that says so to a benchmark.
//
// Beside the users' mailboxes each node has one for checks of health, which stands in the map but not in the
// accounts file: a check never meets a user's session. Pure, except for where files lie. Thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbed/cluster_plan.h"

namespace scalemark::testbed {

struct MailAccount {
  std::string address;  ///< "user0001@bench.test"; also the name to log in with
  std::string password;
  unsigned node = 0;  ///< number of the node that holds it, from 1
  friend bool operator==(const MailAccount&, const MailAccount&) = default;
};

/// The users' mailboxes, in order: user0001, user0002, ... Evenly spread, user I is on node (I - 1) mod N +
/// 1; with a skew, nodes have shares as 1/k^skew, at least one mailbox each, and take turns as their shares
/// allow. Throws UsageError when there are fewer accounts than nodes.
[[nodiscard]] std::vector<MailAccount> user_mailboxes(const ClusterPlan& plan);

/// For checks: "health-n1@bench.test".
[[nodiscard]] MailAccount health_mailbox(const ClusterPlan& plan, unsigned node);

/// Both: what the map holds.
[[nodiscard]] std::vector<MailAccount> all_mailboxes(const ClusterPlan& plan);

/// What a node or proxy calls itself, in greetings and Received lines: "n1.bench.test".
[[nodiscard]] std::string mail_host_name(const ClusterPlan& plan, const std::string& place);

/// The users' mailboxes as a file for `scalemark mail --accounts`: address, password and host name of the
/// node, a line each.
[[nodiscard]] std::string accounts_text(const ClusterPlan& plan);
/// Where that file is, as long as the cluster stands.
[[nodiscard]] std::filesystem::path accounts_file(const std::string& cluster_name);

}  // namespace scalemark::testbed
