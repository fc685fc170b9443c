// Options as data: one table says a setting's name, meaning, and how its text becomes a value and back.
//
// Each room that can be configured offers a function that binds a `Settings` table to its plan struct. The
// command line, TOML files, `--print-plan`, `--help` and the record's `plan` section are all made from that
// one table, so a setting is written down once. `set` throws UsageError; `get` gives texts that `set` reads
// to the same value. The table refers to the plan it was made for, which must outlive it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace scalemark {

/// How a setting is given.
enum class SettingForm {
  single,  ///< one value; a later one replaces an earlier one
  list,    ///< may be repeated; in TOML an array
  flag,    ///< on the command line without a value; "true" or "false" in TOML
};

struct Setting {
  std::string name;   ///< as on the command line without dashes and in TOML: "ramp-up"
  std::string hint;   ///< what stands for the value in the help: "TIME"
  std::string help;   ///< one sentence
  std::string group;  ///< heading in the help: "Load"
  SettingForm form = SettingForm::single;
  std::function<void(const std::vector<std::string>&)> set;  ///< throws UsageError
  std::function<std::vector<std::string>()> get;             ///< empty list: not set
};

using Settings = std::vector<Setting>;

/// The setting called `name`. Throws UsageError that names the nearest known one.
[[nodiscard]] Setting& find_setting(Settings& settings, const std::string& name);

/// The known word nearest to `word` by edit distance, or "" when none is near.
[[nodiscard]] std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

/// All effective settings as a JSON object: text (null when not set), array of texts, or boolean for a flag.
[[nodiscard]] nlohmann::ordered_json settings_json(const Settings& settings);

}  // namespace scalemark
