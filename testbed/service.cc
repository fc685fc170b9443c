#include "testbed/service.h"

#include "core/error.h"
#include "testbed/mail_service.h"
#include "testbed/web_service.h"

namespace scalemark::testbed {

std::unique_ptr<Service> make_service(const ClusterPlan& plan) {
  switch (plan.service) {
    case ServiceKind::web:
      return make_web_service(plan);
    case ServiceKind::mail:
      return make_mail_service(plan);
  }
  throw RunError("a cluster of no known service is asked for");
}

}  // namespace scalemark::testbed
