#include "app/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/text.h"

namespace scalemark::app {
namespace {

constexpr int kWidth = 90;
constexpr std::size_t kColumn = 30;  // where explanations begin

/// "  --name HINT" and its explanation beside it, or below when the name is long.
std::string entry(const std::string& name, const std::string& text) {
  const std::string left = fmt::format("  {:<{}}", name, kColumn - 2);
  if (left.size() <= kColumn && left.ends_with("  ")) {
    return analysis::wrapped(left, text, kWidth);
  }
  return fmt::format("  {}\n", name) + analysis::wrapped(std::string(kColumn, ' '), text, kWidth);
}

bool is_placed(const CommandInfo& info, const Setting& setting) {
  return std::find(info.by_place.begin(), info.by_place.end(), setting.name) != info.by_place.end();
}

std::string setting_entry(const CommandInfo& info, const Setting& setting) {
  if (setting.name == info.rest) {
    return entry("-- " + setting.hint, setting.help);
  }
  std::string name =
      is_placed(info, setting) ? setting.hint : fmt::format("--{} {}", setting.name, setting.hint);
  std::string text = setting.help;
  const auto defaults = setting.get();
  if (setting.form == SettingForm::single && !defaults.empty()) {
    text += fmt::format(" [{}]", defaults.back());
  } else if (setting.form == SettingForm::list) {
    text += " (may be repeated)";
  }
  return entry(name, text);
}

std::string usage(const CommandInfo& info, const Settings& settings) {
  std::string line = fmt::format("Usage: scalemark {}", info.words);
  std::string after;
  for (const Setting& setting : settings) {
    if (is_placed(info, setting)) {
      line += " " + setting.hint;
    }
    if (setting.name == info.rest) {
      after = " -- " + setting.hint;
    }
  }
  return line + " [options]" + after + "\n";
}

std::string general_entries(const CommandInfo& info) {
  return "\nGeneral\n" +
         entry("--config FILE",
               fmt::format("take settings from this TOML file (top level or [{}]); the command line wins",
                           info.table)) +
         entry("--print-plan",
               "print all effective settings as TOML, which --config reads, and end; with 2 when they cannot "
               "run") +
         entry("--help", "print this and end");
}

std::string exit_codes() {
  std::vector<std::string> parts;
  parts.reserve(std::size(kExitCodes));
  for (const ExitCode& exit : kExitCodes) {
    parts.push_back(fmt::format("{} {}", exit.code, exit.meaning));
  }
  const std::string list = fmt::format("Exit codes: {}.", fmt::join(parts, ", "));
  return fmt::format("\n{}", analysis::wrapped("", list, kWidth));
}

}  // namespace

std::string command_help(const CommandInfo& info, const Settings& settings) {
  std::string text = usage(info, settings) + "\n" + analysis::wrapped("", info.about, kWidth);
  std::string group;
  for (const Setting& setting : settings) {
    if (setting.group != group) {
      group = setting.group;
      text += fmt::format("\n{}\n", group);
    }
    text += setting_entry(info, setting);
  }
  text += general_entries(info);
  if (!info.examples.empty()) {
    text += "\nExamples\n" + info.examples;
  }
  return text;
}

std::string overview(const std::vector<CommandInfo>& commands, const std::string& group) {
  const std::string lead = group.empty() ? "" : group + " ";
  std::string text = fmt::format("Usage: scalemark {}COMMAND [options]\n", lead);
  if (group.empty()) {
    text += "\nMeasures how much a networked service carries, and whether a run of it can be trusted.\n";
  }
  text += "\nCommands\n";
  for (const CommandInfo& info : commands) {
    if (info.words.starts_with(lead)) {
      text += entry(info.words, info.summary);
    }
  }
  text += "\n'scalemark COMMAND --help' explains a command and its options.\n";
  return group.empty() ? text + "'scalemark --version' prints the version.\n" + exit_codes() : text;
}

}  // namespace scalemark::app
