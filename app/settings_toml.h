// A settings table as a TOML file, both ways.
//
// Keys are the settings' names, at the top level or in the command's own table ([web]); a key in the table
// wins over one at the top. Tables of other commands are left alone, so that one file can serve several. What
// write_toml() writes, read_toml() reads to the same values. toml++ does the reading; no other file sees it.
#pragma once

#include <string>
#include <vector>

#include "app/given.h"

namespace scalemark::app {

/// The settings that the file gives for the command whose table is `table` ("web", "files.web"); `tables` are
/// those of all commands. Throws UsageError with the file's name and line for what cannot be read, for an
/// unknown key (with the nearest known one) and for a value of the wrong kind.
[[nodiscard]] std::vector<Given> read_toml(const std::string& path, const std::string& table,
                                           const std::vector<std::string>& tables, const Settings& settings);

/// The same from a text; `path` stands for it in messages.
[[nodiscard]] std::vector<Given> parse_toml(const std::string& text, const std::string& path,
                                            const std::string& table, const std::vector<std::string>& tables,
                                            const Settings& settings);

/// The names of the tables directly within that table of the file, in the order in which they stand there;
/// "" stands for the file itself. Empty when there is no such table. Throws UsageError like read_toml().
[[nodiscard]] std::vector<std::string> inner_tables(const std::string& path, const std::string& table);

/// `name` as it stands between the dots of a table's name: in quotes when it must.
[[nodiscard]] std::string toml_key(const std::string& name);

/// All settings that have a value, under a heading for each group, as the command's table.
[[nodiscard]] std::string write_toml(const Settings& settings, const std::string& table);

}  // namespace scalemark::app
