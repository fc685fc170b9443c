// `scalemark mail-sink`: a mail server of our own, in memory.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_mail_sink_command();

}  // namespace scalemark::app
