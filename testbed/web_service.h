// Web servers as the service of a cluster: nginx, Apache or the built-in one, a process per node, port 80.
#pragma once

#include <memory>

#include "testbed/service.h"

namespace scalemark::testbed {

/// `plan` is copied.
[[nodiscard]] std::unique_ptr<Service> make_web_service(const ClusterPlan& plan);

}  // namespace scalemark::testbed
