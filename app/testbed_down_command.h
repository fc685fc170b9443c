// `scalemark testbed down`: removes a cluster and all that was made for it.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_testbed_down_command();

}  // namespace scalemark::app
