// `scalemark testbed status`: the clusters there are, and whether they serve.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_testbed_status_command();

}  // namespace scalemark::app
