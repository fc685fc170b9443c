// `scalemark report` and `scalemark compare`: what records come to.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_report_command();
[[nodiscard]] std::unique_ptr<Command> make_compare_command();

}  // namespace scalemark::app
