#include "app/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>

#include "app/help.h"
#include "app/settings_cli.h"
#include "app/settings_toml.h"
#include "core/error.h"

namespace scalemark::app {
namespace {

using Words = std::vector<std::string>;
using Commands = std::vector<std::unique_ptr<Command>>;

std::vector<CommandInfo> infos_of(const Commands& commands) {
  std::vector<CommandInfo> infos;
  for (const auto& command : commands) {
    infos.push_back(command->info());
  }
  return infos;
}

/// The first `count` words with blanks between.
std::string joined(const Words& words, std::size_t count) {
  return fmt::format("{}", fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count), " "));
}

/// The command that the words begin with, the longest if several do; null when none.
Command* find_command(const Commands& commands, const Words& words, std::size_t& used) {
  for (used = std::min<std::size_t>(words.size(), 3); used > 0; --used) {
    const std::string name = joined(words, used);
    for (const auto& command : commands) {
      if (command->info().words == name) {
        return command.get();
      }
    }
  }
  return nullptr;
}

/// How many words name a group of commands together: "testbed", "testbed up".
std::size_t group_length(const std::vector<CommandInfo>& infos, const Words& words) {
  std::size_t count = 0;
  const auto begins_some = [&](const std::string& group) {
    return std::any_of(infos.begin(), infos.end(),
                       [&group](const CommandInfo& info) { return info.words.starts_with(group + " "); });
  };
  while (count < words.size() && begins_some(joined(words, count + 1))) {
    ++count;
  }
  return count;
}

/// Throws UsageError for a word that is neither a command (of the group, unless that is empty) nor an option.
[[noreturn]] void refuse_word(const std::string& group, const std::string& word,
                              const std::vector<CommandInfo>& infos) {
  const std::string said = group.empty() ? word : group + " " + word;
  Words commands;
  for (const CommandInfo& info : infos) {
    if (info.words.starts_with(group)) {
      commands.push_back(info.words);
    }
  }
  Words known = commands;
  for (const std::string& command : commands) {
    for (auto end = command.find(' '); end != std::string::npos; end = command.find(' ', end + 1)) {
      known.push_back(command.substr(0, end));  // a group's name can be misspelt, too
    }
  }
  known.insert(known.end(), {"--help", "--version"});
  const std::string nearest = nearest_word(said, known);
  throw UsageError(fmt::format("there is no {} '{}'; {}", word.starts_with('-') ? "option" : "command", said,
                               nearest.empty()
                                   ? fmt::format("there are: {}, --help", fmt::join(commands, ", "))
                                   : fmt::format("did you mean '{}'?", nearest)));
}

/// Answers words that name no command: a plea for help or the version, a group without its command, a slip.
int answer(const Words& words, const std::vector<CommandInfo>& infos, Console& console) {
  const std::size_t grouped = group_length(infos, words);
  const std::string group = joined(words, grouped);
  const Words rest(words.begin() + static_cast<std::ptrdiff_t>(grouped), words.end());
  if (rest.empty()) {
    console.err << overview(infos, group);
    return kExitUsage;
  }
  if (rest[0] == "--help" || rest[0] == "-h") {
    console.out << overview(infos, group);
    return kExitOk;
  }
  if (rest[0] == "--version" && grouped == 0) {
    console.out << "scalemark " << SCALEMARK_VERSION << "\n";
    return kExitOk;
  }
  refuse_word(group, rest[0], infos);
}

/// Prints the plan, and then throws UsageError when it cannot run: whoever asks for the plan looks for that,
/// too.
int print_plan(Command& command, Console& console) {
  console.out << command.plan_text() << std::flush;
  try {
    command.check();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("this plan cannot run: {}", error.what()));
  }
  return kExitOk;
}

/// Takes all words after the first "--" out of `words`: they are another program's, and none is looked at.
Words take_rest(Words& words) {
  const auto mark = std::find(words.begin(), words.end(), "--");
  Words rest(mark == words.end() ? mark : mark + 1, words.end());
  words.erase(mark, words.end());
  return rest;
}

int run_found(Command& command, const std::vector<CommandInfo>& infos, Words words, Console& console) {
  const CommandInfo info = command.info();
  const Settings settings = command.settings();
  const Words rest = info.rest.empty() ? Words{} : take_rest(words);
  CommandLine line = read_command_line(settings, info.by_place, words);
  if (line.help) {
    console.out << command_help(info, settings);
    return kExitOk;
  }
  if (!rest.empty()) {
    line.given.push_back({info.rest, rest, ""});
  }
  std::vector<Given> given = line.given;
  if (!line.config.empty()) {
    Words tables;
    for (const CommandInfo& other : infos) {
      tables.push_back(other.table);
    }
    given = overlay(read_toml(line.config, info.table, tables, settings), line.given);
  }
  command.apply(given);
  if (line.print_plan) {
    return print_plan(command, console);
  }
  command.check();
  // From here on a reader that goes away (scalemark web ... | head) must not cost the results.
  std::signal(SIGPIPE, SIG_IGN);
  return command.run(console);
}

/// The exit code, or that of a failure when the results could not be printed (a full disk, a closed pipe).
int flushed(int code, Console& console) {
  console.out.flush();
  if (console.out.good()) {
    return code;
  }
  console.err << "scalemark: standard output could not be written\n";
  return code == kExitOk ? kExitCouldNotRun : code;
}

int complain(const std::string& sentence, int code, Console& console) {
  console.err << "scalemark: " << sentence << "\n";
  return code;
}

}  // namespace

int run_command(const Words& words, Console& console) {
  try {
    const Commands commands = all_commands();
    const auto infos = infos_of(commands);
    std::size_t used = 0;
    Command* command = find_command(commands, words, used);
    if (command == nullptr) {
      return flushed(answer(words, infos, console), console);
    }
    const Words rest(words.begin() + static_cast<std::ptrdiff_t>(used), words.end());
    return flushed(run_found(*command, infos, rest, console), console);
  } catch (const UsageError& error) {
    return complain(error.what(), kExitUsage, console);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; ask for fewer connections or use a larger machine", kExitCouldNotRun,
                    console);
  } catch (const std::exception& error) {
    return complain(error.what(), kExitCouldNotRun, console);
  }
}

}  // namespace scalemark::app
