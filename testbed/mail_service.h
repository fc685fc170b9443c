// A cluster that serves mail: Postfix and Dovecot on every node, proxies before them, and a database with the
// map from users to nodes. One object per command; used from one thread.
#pragma once

#include <memory>

#include "testbed/service.h"

namespace scalemark::testbed {

/// `plan` is copied. Throws UsageError for what the mail part of a plan cannot be: a domain that is none, a
/// data folder that is not absolute, fewer accounts than nodes.
[[nodiscard]] std::unique_ptr<Service> make_mail_service(const ClusterPlan& plan);

/// The same check alone.
void check_mail(const ClusterPlan& plan);

}  // namespace scalemark::testbed
