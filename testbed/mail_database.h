// The PostgreSQL of a mail cluster: the map from users to nodes, which proxies ask.
//
// A server of its own, with one table:
//
//   mailboxes(name text primary key, password text not null, node inet not null)
//
// It has a socket file and no network, and nothing of it outlives the cluster, so it does not wait for a
// disk. Root and its owner, the user postgres, may change it; everybody may read the map as `mailmap`. Makers
// of texts are pure; thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/cluster_plan.h"
#include "testbed/mail_accounts.h"
#include "testbed/server.h"

namespace scalemark::testbed {

/// The folder of PostgreSQL's programs: the newest of Debian's, or else one in PATH; "" when there is none.
[[nodiscard]] std::filesystem::path postgres_programs();

/// How a proxy reaches the map: "host=... port=5499 dbname=mail user=mailmap".
[[nodiscard]] std::string mail_map_database(const ClusterPlan& plan);

[[nodiscard]] ServiceSetup setup_mail_database(const ClusterPlan& plan,
                                               const std::filesystem::path& programs);
/// Makes the database's folders and an empty database, before its server is started. Throws RunError.
void make_mail_database(const ClusterPlan& plan, const std::filesystem::path& programs);
/// Waits for the server up to `patience` and fills the map. Throws RunError.
void fill_mail_database(const ClusterPlan& plan, const std::vector<MailAccount>& mailboxes,
                        Duration patience);

}  // namespace scalemark::testbed
