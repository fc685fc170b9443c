// A sub-command's words on the command line, read by means of its settings table.
//
// CLI11 does the reading; no other file sees it. Every command also has --help, --config FILE and
// --print-plan. Values are not looked at here, only collected. Pure; thread-safe.
#pragma once

#include <string>
#include <vector>

#include "app/given.h"

namespace scalemark::app {

/// What stood on the command line after the command's name.
struct CommandLine {
  std::vector<Given> given;
  std::string config;       ///< TOML file to read; empty: none
  bool print_plan = false;  ///< show the effective settings and end
  bool help = false;
};

/// Reads `words` (without the command's name). `by_place` names the settings that are given without their
/// name, in order. Throws UsageError for an unknown option, with the nearest known one, and for a missing
/// value.
[[nodiscard]] CommandLine read_command_line(const Settings& settings,
                                            const std::vector<std::string>& by_place,
                                            const std::vector<std::string>& words);

}  // namespace scalemark::app
