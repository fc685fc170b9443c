// `scalemark serve`: a web node of our own, whose capacity can be set.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_serve_command();

}  // namespace scalemark::app
