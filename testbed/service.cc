#include "testbed/service.h"

#include "core/error.h"
#include "testbed/web_service.h"

namespace scalemark::testbed {

std::unique_ptr<Service> make_service(const ClusterPlan& plan) {
  switch (plan.service) {
    case ServiceKind::web:
      return make_web_service(plan);
    case ServiceKind::mail:
      break;
  }
  throw RunError(
      "clusters of mail servers are not built in yet; 'scalemark testbed up web' makes one of web servers");
}

}  // namespace scalemark::testbed
