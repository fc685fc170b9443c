// `scalemark mail-map`: tells a mail proxy which node holds a mailbox.
#pragma once

#include <memory>

#include "app/command.h"

namespace scalemark::app {

[[nodiscard]] std::unique_ptr<Command> make_mail_map_command();

}  // namespace scalemark::app
