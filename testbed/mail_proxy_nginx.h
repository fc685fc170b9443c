// nginx as the mail proxy: SMTP and POP3 by user, with the map service that it asks. Pure; thread-safe.
#pragma once

#include <filesystem>

#include "testbed/cluster_plan.h"
#include "testbed/server.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// nginx's mail module, which Debian has in a package of its own.
inline constexpr const char* kNginxMailModule = "/usr/lib/nginx/modules/ngx_mail_module.so";

/// `program` is the full path of nginx. It passes a client's words on to the node that the map names: by
/// login for POP3, by the first recipient for SMTP. The node's answer is what the client sees.
[[nodiscard]] ServiceSetup setup_nginx_mail_proxy(const ClusterPlan& plan, const NodePlace& proxy,
                                                  const std::filesystem::path& program);
/// The map service beside it; `program` is this program's file.
[[nodiscard]] ServiceSetup setup_mail_map(const ClusterPlan& plan, const NodePlace& proxy,
                                          const std::filesystem::path& program);

}  // namespace scalemark::testbed
