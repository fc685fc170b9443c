// `scalemark files web` and `scalemark files check`: the web file set on a disk.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_files_web_command();
[[nodiscard]] std::unique_ptr<Command> make_files_check_command();

}  // namespace scalemark::app
