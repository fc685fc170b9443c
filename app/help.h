// What --help prints, made from the same tables as the options themselves. Pure; thread-safe.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"

namespace scalemark::app {

/// Help for one command: usage, settings by group with their defaults (what the table holds now), examples.
[[nodiscard]] std::string command_help(const CommandInfo& info, const Settings& settings);

/// The commands whose words begin with `group` ("files"), or all when it is empty; exit codes after the
/// latter.
[[nodiscard]] std::string overview(const std::vector<CommandInfo>& commands, const std::string& group);

}  // namespace scalemark::app
