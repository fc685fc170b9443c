#include "app/settings_cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/error.h"

namespace scalemark::app {
namespace {

/// CLI11's parser for one command, with the options that belong to each setting.
struct Parser {
  CLI::App app;
  CLI::Option* help = nullptr;
  CLI::Option* config = nullptr;
  CLI::Option* print_plan = nullptr;
  std::vector<std::pair<const Setting*, CLI::Option*>> options;
  std::vector<std::string> names;  // with their dashes, for suggestions
};

CLI::Option* take_every(CLI::Option* option) {
  return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_setting(CLI::App& app, const Setting& setting, bool by_place) {
  if (setting.form == SettingForm::flag) {
    return app.add_flag("--" + setting.name)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  if (by_place && setting.form == SettingForm::list) {  // takes all the words that are left
    return app.add_option(setting.name)->expected(-1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return take_every(app.add_option(by_place ? setting.name : "--" + setting.name));
}

void fill(Parser& parser, const Settings& settings, const std::vector<std::string>& by_place) {
  parser.app.set_help_flag();  // help is made from the table (app/help.h), not by CLI11
  parser.app.allow_extras();   // unknown words are reported by us, with a suggestion
  parser.help = parser.app.add_flag("-h,--help");
  parser.config = take_every(parser.app.add_option("--config"));
  parser.print_plan = parser.app.add_flag("--print-plan");
  parser.names = {"--help", "--config", "--print-plan"};
  for (const Setting& setting : settings) {
    const bool placed = std::find(by_place.begin(), by_place.end(), setting.name) != by_place.end();
    parser.options.emplace_back(&setting, add_setting(parser.app, setting, placed));
    if (!placed) {
      parser.names.push_back("--" + setting.name);
    }
  }
}

[[noreturn]] void refuse_word(const std::string& word, const std::vector<std::string>& names) {
  if (word.empty() || word[0] != '-') {
    throw UsageError(fmt::format("'{}' is one word too many; every option's name begins with --", word));
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string nearest = nearest_word(name, names);
  throw UsageError(nearest.empty()
                       ? fmt::format("there is no option '{}'", name)
                       : fmt::format("there is no option '{}'; did you mean '{}'?", name, nearest));
}

/// CLI11 takes whatever follows as an option's value; an option's name there is a forgotten value.
void check_value(const std::string& option, const std::string& value, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value) != names.end()) {
    throw UsageError(fmt::format("{} needs a value, but '{}' follows it", option, value));
  }
}

void parse(CLI::App& app, const std::vector<std::string>& words) {
  try {
    // CLI11 wants the words last first.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    throw UsageError(text.substr(0, text.find(':')) + " needs a value");
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

CommandLine read_command_line(const Settings& settings, const std::vector<std::string>& by_place,
                              const std::vector<std::string>& words) {
  Parser parser;
  fill(parser, settings, by_place);
  parse(parser.app, words);

  CommandLine line;
  line.help = parser.help->count() > 0;
  line.print_plan = parser.print_plan->count() > 0;
  if (line.help) {
    return line;  // asked for help, one gets it, whatever else is wrong
  }
  if (parser.config->count() > 0) {
    line.config = parser.config->results().back();
    check_value("--config", line.config, parser.names);
  }
  for (const auto& [setting, option] : parser.options) {
    if (option->count() == 0) {
      continue;
    }
    for (const std::string& value : option->results()) {
      check_value(option->get_name(), value, parser.names);
    }
    line.given.push_back({setting->name, option->results(), ""});
  }
  for (const std::string& extra : parser.app.remaining()) {
    if (extra != "--") {  // CLI11 hands it back although it has heeded it
      refuse_word(extra, parser.names);
    }
  }
  return line;
}

}  // namespace scalemark::app
