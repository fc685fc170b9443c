#include "app/settings_toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "core/error.h"

namespace scalemark::app {
namespace {

/// What is being read, for all the steps of it.
struct Reading {
  std::string path;
  std::string table;                ///< of the command at hand
  std::vector<std::string> tables;  ///< of all commands
  const Settings& settings;
  std::vector<Given> top;  // from the top level
  std::vector<Given> own;  // from the command's own table
};

std::string place(const Reading& reading, const toml::node& node) {
  return fmt::format("{}:{}", reading.path, node.source().begin.line);
}

std::string hint_at(const std::string& nearest) {
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

/// A value as the text that a setting reads; nothing for tables, arrays, dates and times.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* whole = node.as_integer()) {
    return fmt::format("{}", whole->get());
  }
  if (const auto* real = node.as_floating_point()) {
    return fmt::format("{}", real->get());
  }
  if (const auto* truth = node.as_boolean()) {
    return truth->get() ? "true" : "false";
  }
  return std::nullopt;
}

std::string value_text(const Reading& reading, const Setting& setting, const toml::node& node) {
  const bool is_flag = setting.form == SettingForm::flag;
  const auto text = text_of(node);
  if (!text || is_flag != node.is_boolean()) {
    throw UsageError(fmt::format("{}: '{}' must be {}", place(reading, node), setting.name,
                                 is_flag ? "true or false" : "a text in quotes or a number"));
  }
  return *text;
}

std::vector<std::string> value_texts(const Reading& reading, const Setting& setting, const toml::node& node) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    return {value_text(reading, setting, node)};
  }
  if (setting.form != SettingForm::list) {
    throw UsageError(
        fmt::format("{}: '{}' takes one value, not an array", place(reading, node), setting.name));
  }
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    texts.push_back(value_text(reading, setting, element));
  }
  return texts;
}

void read_value(Reading& reading, std::vector<Given>& given, const std::string& key, const toml::node& node) {
  std::vector<std::string> names;
  for (const Setting& setting : reading.settings) {
    if (setting.name == key) {
      given.push_back({key, value_texts(reading, setting, node), place(reading, node)});
      return;
    }
    names.push_back(setting.name);
  }
  throw UsageError(fmt::format("{}: there is no setting '{}'{}", place(reading, node), key,
                               hint_at(nearest_word(key, names))));
}

/// Whether `inner` is `outer` itself or lies below it: "files.web" below "files".
bool within(const std::string& inner, const std::string& outer) {
  return inner == outer || inner.starts_with(outer + ".");
}

/// Reads the keys of one table. `name` is its full name, "" for the top level. Keys count where the command
/// looks for them: at the top level and in its own table.
void read_table(Reading& reading, const std::string& name, const toml::table& table) {
  for (const auto& [key, node] : table) {
    const std::string text(key.str());
    const std::string full = name.empty() ? text : fmt::format("{}.{}", name, text);
    if (const auto* inner = node.as_table()) {
      const bool known = std::any_of(reading.tables.begin(), reading.tables.end(),
                                     [&full](const std::string& other) { return within(other, full); });
      if (!known) {
        throw UsageError(fmt::format("{}: there is no table [{}]{}", place(reading, node), full,
                                     hint_at(nearest_word(full, reading.tables))));
      }
      if (within(reading.table, full)) {
        read_table(reading, full, *inner);
      }
    } else if (name.empty() || name == reading.table) {
      read_value(reading, name.empty() ? reading.top : reading.own, text, node);
    } else if (std::find(reading.tables.begin(), reading.tables.end(), name) == reading.tables.end()) {
      throw UsageError(fmt::format("{}: there is no setting '{}'", place(reading, node), full));
    }
  }
}

toml::table parse(const std::string& text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw UsageError(fmt::format("{}:{}:{}: {}", path, at.line, at.column, error.description()));
  }
}

std::string quoted(const std::string& text) {
  constexpr auto kOneLineInDoubleQuotes =
      toml::toml_formatter::default_flags &
      ~(toml::format_flags::allow_literal_strings | toml::format_flags::allow_multi_line_strings);
  std::ostringstream out;
  out << toml::toml_formatter{toml::value<std::string>(text), kOneLineInDoubleQuotes};
  return out.str();
}

/// Whole numbers stand bare, all else in quotes; both read back as the same text.
std::string toml_value(const std::string& text) {
  constexpr std::size_t kSafeDigits = 18;  // fits TOML's 64-bit integer
  const bool whole = !text.empty() && text.size() <= kSafeDigits &&
                     text.find_first_not_of("0123456789") == std::string::npos &&
                     (text == "0" || text[0] != '0');
  if (whole) {
    return text;
  }
  return quoted(text);
}

std::string toml_values(const Setting& setting, const std::vector<std::string>& texts) {
  if (setting.form == SettingForm::flag) {
    return texts.back();
  }
  if (setting.form == SettingForm::single) {
    return toml_value(texts.back());
  }
  std::vector<std::string> values;
  std::transform(texts.begin(), texts.end(), std::back_inserter(values), toml_value);
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string text_of_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) {  // an empty file is a configuration, too
    text << file.rdbuf();
  }
  if (!file.is_open() || file.bad() || !text) {
    throw UsageError(fmt::format("cannot read the configuration file '{}': {}", path,
                                 std::generic_category().message(errno)));
  }
  return text.str();
}

}  // namespace

std::vector<Given> read_toml(const std::string& path, const std::string& table,
                             const std::vector<std::string>& tables, const Settings& settings) {
  return parse_toml(text_of_file(path), path, table, tables, settings);
}

std::vector<std::string> inner_tables(const std::string& path, const std::string& table) {
  const toml::table whole = parse(text_of_file(path), path);
  const toml::table* outer = table.empty() ? &whole : whole[table].as_table();
  std::vector<std::pair<toml::source_index, std::string>> found;
  if (outer != nullptr) {  // not a copy of it: that has no places in the file
    for (const auto& [key, node] : *outer) {
      if (node.is_table()) {
        found.emplace_back(node.source().begin.line, key.str());
      }
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  std::transform(found.begin(), found.end(), std::back_inserter(names),
                 [](const auto& entry) { return entry.second; });
  return names;
}

std::string toml_key(const std::string& name) {
  constexpr const char* kBare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !name.empty() && name.find_first_not_of(kBare) == std::string::npos ? name : quoted(name);
}

std::vector<Given> parse_toml(const std::string& text, const std::string& path, const std::string& table,
                              const std::vector<std::string>& tables, const Settings& settings) {
  Reading reading{path, table, tables, settings, {}, {}};
  read_table(reading, "", parse(text, path));
  return overlay(reading.top, reading.own);
}

std::string write_toml(const Settings& settings, const std::string& table) {
  std::string text = fmt::format("[{}]\n", table);
  std::string group;
  for (const Setting& setting : settings) {
    const auto texts = setting.get();
    if (texts.empty()) {
      continue;
    }
    if (setting.group != group) {
      group = setting.group;
      text += fmt::format("\n# {}\n", group);
    }
    text += fmt::format("{} = {}\n", setting.name, toml_values(setting, texts));
  }
  return text;
}

}  // namespace scalemark::app
