// Settings as they were given, before anyone read their values.
//
// The command line and a TOML file both come down to a list of `Given`; laying one list over the other and
// applying the result to a settings table is all there is to precedence. Each entry remembers where it stood,
// so that a bad value is reported with its file and line. Pure data; not synchronised.
#pragma once

#include <string>
#include <vector>

#include "core/setting.h"

namespace scalemark::app {

/// One setting, as given in one place.
struct Given {
  std::string name;                ///< the setting's name
  std::vector<std::string> texts;  ///< its values; a setting of a single value takes the last
  std::string origin;              ///< "web.toml:12"; empty on the command line, where the option says it
};

/// What `above` gives replaces what `below` gives for the same setting, lists included.
[[nodiscard]] std::vector<Given> overlay(const std::vector<Given>& below, const std::vector<Given>& above);

/// The entry for `name`, or null.
[[nodiscard]] const Given* find_given(const std::vector<Given>& given, const std::string& name);

/// Sets the settings of `settings` that are among what was given, and returns the rest.
[[nodiscard]] std::vector<Given> take_given(Settings& settings, const std::vector<Given>& given);

/// Sets every entry's setting in turn. Throws UsageError that begins with the entry's origin, if it has one.
void apply_given(Settings& settings, const std::vector<Given>& given);
void apply_given(Settings& settings, const Given& given);

}  // namespace scalemark::app
