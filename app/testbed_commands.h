// `scalemark testbed up web`, `status`, `run` and `down`: clusters of real servers on this machine.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_testbed_up_command();
[[nodiscard]] std::unique_ptr<Command> make_testbed_status_command();
[[nodiscard]] std::unique_ptr<Command> make_testbed_run_command();
[[nodiscard]] std::unique_ptr<Command> make_testbed_down_command();

}  // namespace scalemark::app
