// Makers of settings: each binds one field of a plan struct to a `Setting`, with the field's form and limits.
//
// A room lists its settings as a table of calls:
//
//   settings.push_back(duration_setting("ramp-up", "time in which the users start", "Load",
//                                       plan.phases.ramp_up, 0s, 24h));
//
// The setting's `set` throws UsageError with a sentence that begins with the setting's name as on the command
// line and shows the accepted form ("--ramp-up: '5' is no time; write it with a unit, as in 5s, 250ms or
// 20m"); the field keeps its value then. `set` and `get` refer to the field, which must outlive the setting,
// and are not synchronised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/setting.h"
#include "core/units.h"

namespace scalemark {

/// One value that two functions read and write. What `read` throws gets the setting's name put before it; an
/// empty text from `write` counts as not set.
[[nodiscard]] Setting parsed_setting(std::string name, std::string hint, std::string help, std::string group,
                                     std::function<void(const std::string&)> read,
                                     std::function<std::string()> write);

/// Any text. An empty text counts as not set.
[[nodiscard]] Setting text_setting(std::string name, std::string help, std::string group, std::string& field,
                                   std::string hint = "TEXT");

/// A setting that may be repeated, each time with a text that is not empty.
[[nodiscard]] Setting texts_setting(std::string name, std::string help, std::string group,
                                    std::vector<std::string>& field, std::string hint = "TEXT");

/// A whole number in [least, most].
[[nodiscard]] Setting count_setting(std::string name, std::string help, std::string group,
                                    std::uint32_t& field, std::uint32_t least, std::uint32_t most);
[[nodiscard]] Setting count_setting(std::string name, std::string help, std::string group,
                                    std::uint64_t& field, std::uint64_t least, std::uint64_t most);

/// A number in [least, most], whole or not: "29091", "1.5".
[[nodiscard]] Setting number_setting(std::string name, std::string help, std::string group, double& field,
                                     double least, double most);

/// A time in [least, most]: "250ms".
[[nodiscard]] Setting duration_setting(std::string name, std::string help, std::string group, Duration& field,
                                       Duration least, Duration most);

/// A rate above 0: "400kbit".
[[nodiscard]] Setting rate_setting(std::string name, std::string help, std::string group,
                                   BitsPerSecond& field);

/// A share from 0 to 1: "95%" or "0.95".
[[nodiscard]] Setting share_setting(std::string name, std::string help, std::string group, double& field);

/// Yes or no: on the command line the bare name, in TOML true or false.
[[nodiscard]] Setting flag_setting(std::string name, std::string help, std::string group, bool& field);

/// Parts of a mix, "35:50:14:1": whole numbers, at least one above 0, together at most `most`.
[[nodiscard]] Setting counts_setting(std::string name, std::string help, std::string group,
                                     std::vector<std::uint32_t>& field, std::uint32_t most);

/// Two whole numbers in [least, most], the first not above the second: "5-15"; "8" stands for "8-8".
[[nodiscard]] Setting range_setting(std::string name, std::string help, std::string group, std::uint32_t& low,
                                    std::uint32_t& high, std::uint32_t least, std::uint32_t most);

namespace detail {
/// What choice_setting() comes down to: names by index.
[[nodiscard]] Setting choice_of_index(std::string name, std::string help, std::string group,
                                      std::vector<std::string> names, std::function<void(std::size_t)> choose,
                                      std::function<std::size_t()> chosen);
}  // namespace detail

/// One of some names, each standing for a value. The error lists the names. `choices` must name every value
/// that the field can have.
template <typename Value>
[[nodiscard]] Setting choice_setting(const std::string& name, const std::string& help,
                                     const std::string& group, Value& field,
                                     const std::vector<std::pair<std::string, Value>>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& choice : choices) {
    names.push_back(choice.first);
  }
  auto choose = [&field, choices](std::size_t index) { field = choices.at(index).second; };
  auto chosen = [&field, choices]() {
    std::size_t index = 0;
    while (index < choices.size() && choices[index].second != field) {
      ++index;
    }
    return index;
  };
  return detail::choice_of_index(name, help, group, std::move(names), std::move(choose), std::move(chosen));
}

}  // namespace scalemark
