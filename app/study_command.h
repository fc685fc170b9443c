// `scalemark study FILE`: measures points over node counts, as a study file says.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_study_command();

}  // namespace scalemark::app
