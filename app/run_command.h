// From the words of a command line to an exit code: the one place where exceptions end.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"

namespace scalemark::app {

/// Runs the sub-command that `words` (without the program's name) ask for and returns the process's exit
/// code. Throws nothing: whatever stops a command is one line on `console.err`.
int run_command(const std::vector<std::string>& words, Console& console);

}  // namespace scalemark::app
