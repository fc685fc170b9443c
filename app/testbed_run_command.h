// `scalemark testbed run`: a command of the user's in the network of a cluster's client.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_testbed_run_command();

}  // namespace scalemark::app
