// `scalemark testbed up web` and `testbed up mail`: make a cluster of real servers, or change one.
#pragma once

#include <memory>

#include "app/command.h"
#include "testbed/cluster_plan.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_testbed_up_command(testbed::ServiceKind service);

}  // namespace scalemark::app
