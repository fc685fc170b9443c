// The front without code of ours: Dovecot's proxy for POP3 and a Postfix gateway for SMTP, both of which ask
// PostgreSQL themselves.
//
// The gateway stores and forwards: its 250 means that it has the message, not that a node has. Makers of
// texts are pure; thread-safe.
#pragma once

#include <filesystem>

#include "testbed/cluster_plan.h"
#include "testbed/server.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// `program` is the full path of dovecot.
[[nodiscard]] ServiceSetup setup_dovecot_proxy(const ClusterPlan& plan, const NodePlace& proxy,
                                               const std::filesystem::path& program);
[[nodiscard]] ServiceSetup setup_postfix_gateway(const ClusterPlan& plan, const NodePlace& proxy);
/// Gives the gateway's queue its owners, when the setup's folders exist. Throws RunError.
void own_postfix_gateway(const ClusterPlan& plan, const NodePlace& proxy);

}  // namespace scalemark::testbed
