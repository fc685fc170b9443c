// A sub-command, as the one place that runs them (app/run_command.h) sees it.
//
// A command says what it is called and what it can be told (its settings table, bound to a plan of its own);
// reading options, help, errors and exit codes are done for all commands alike. An object serves one run, on
// one thread.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/given.h"
#include "app/settings_toml.h"
#include "core/verdict.h"  // exit codes

namespace scalemark::app {

/// Where a command writes.
struct Console {
  std::ostream& out;  ///< results
  std::ostream& err;  ///< progress, notices, errors
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool colour = false;  ///< whether terminals may be shown colours
  int width = 80;       ///< columns of the terminal
};

struct CommandInfo {
  std::string words;                  ///< "files web"
  std::string table;                  ///< its table in a TOML file: "files.web"
  std::string summary;                ///< a line in the list of commands
  std::string about;                  ///< a paragraph at the head of its help
  std::string examples;               ///< lines at the end of its help
  std::vector<std::string> by_place;  ///< settings that are given without their name, in order
  std::string rest{};                 ///< the setting that takes all words after "--"; "" none
};

class Command {
 public:
  virtual ~Command() = default;

  [[nodiscard]] virtual CommandInfo info() const = 0;
  /// What it can be told, bound to this object.
  [[nodiscard]] virtual Settings settings() = 0;
  /// Takes over what was given. Throws UsageError.
  virtual void apply(const std::vector<Given>& given) {
    Settings table = settings();
    apply_given(table, given);
  }
  /// All effective settings as a TOML file that gives the same plan.
  [[nodiscard]] virtual std::string plan_text() { return write_toml(settings(), info().table); }
  /// Throws UsageError for what no single setting can see. Needs nothing but the settings.
  virtual void check() const {}
  /// Does the work and returns the exit code. Throws UsageError or RunError when it cannot.
  virtual int run(Console& console) = 0;
};

/// Every sub-command, in the order of the help.
[[nodiscard]] std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace scalemark::app
