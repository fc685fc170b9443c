// Where the files of a mail cluster lie.
//
// Configurations, logs, sockets and the database are in the cluster's own folder; queues and mailboxes are
// there too, or in a folder that the plan names, which may be a disk or a tmpfs. Thread-safe.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "testbed/cluster_plan.h"

namespace scalemark::testbed {

/// PostgreSQL listens on a socket file only; the port is a part of that file's name.
inline constexpr unsigned kMailDatabasePort = 5499;
/// The owner of all mailboxes. There need not be such a user.
inline constexpr unsigned kMailboxUser = 5000;

/// Of a node or proxy, by its name: configurations, logs and sockets.
[[nodiscard]] std::filesystem::path mail_folder(const ClusterPlan& plan, const std::string& place);
/// Of a node or proxy: its queue and its mailboxes.
[[nodiscard]] std::filesystem::path mail_data_folder(const ClusterPlan& plan, const std::string& place);
/// The database's folder, and the one that its socket is in.
[[nodiscard]] std::filesystem::path mail_database_folder(const ClusterPlan& plan);
[[nodiscard]] std::filesystem::path mail_database_socket(const ClusterPlan& plan);

/// The cluster's part of the folder that the plan names for data; "" without one.
[[nodiscard]] std::filesystem::path mail_data_root(const ClusterPlan& plan);

/// Gives a folder to a user and a group, by name, with these permissions. Throws RunError.
void give_folder(const std::filesystem::path& folder, const std::string& user, const std::string& group,
                 mode_t mode);

}  // namespace scalemark::testbed
