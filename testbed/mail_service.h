// A cluster that serves mail: Postfix and Dovecot on every node, proxies before them, and a database with the
// map from users to nodes. One object per command; used from one thread.
#pragma once

#include <memory>

#include "testbed/service.h"

namespace scalemark::testbed {

/// `plan`, which check() has seen, is copied. Throws UsageError when there are fewer accounts than nodes.
[[nodiscard]] std::unique_ptr<Service> make_mail_service(const ClusterPlan& plan);

}  // namespace scalemark::testbed
