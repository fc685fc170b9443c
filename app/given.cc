#include "app/given.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace scalemark::app {

std::vector<Given> overlay(const std::vector<Given>& below, const std::vector<Given>& above) {
  std::vector<Given> result;
  std::copy_if(below.begin(), below.end(), std::back_inserter(result),
               [&above](const Given& entry) { return find_given(above, entry.name) == nullptr; });
  result.insert(result.end(), above.begin(), above.end());
  return result;
}

const Given* find_given(const std::vector<Given>& given, const std::string& name) {
  const auto found =
      std::find_if(given.begin(), given.end(), [&name](const Given& entry) { return entry.name == name; });
  return found == given.end() ? nullptr : &*found;
}

std::vector<Given> take_given(Settings& settings, const std::vector<Given>& given) {
  std::vector<Given> rest;
  for (const Given& entry : given) {
    const bool known = std::any_of(settings.begin(), settings.end(),
                                   [&entry](const Setting& setting) { return setting.name == entry.name; });
    if (known) {
      apply_given(settings, entry);
    } else {
      rest.push_back(entry);
    }
  }
  return rest;
}

void apply_given(Settings& settings, const std::vector<Given>& given) {
  for (const Given& entry : given) {
    apply_given(settings, entry);
  }
}

void apply_given(Settings& settings, const Given& given) {
  try {
    Setting& setting = find_setting(settings, given.name);
    if (setting.form == SettingForm::list) {
      setting.set(given.texts);
    } else if (!given.texts.empty()) {
      setting.set({given.texts.back()});
    }
  } catch (const UsageError& error) {
    throw UsageError(given.origin.empty() ? error.what() : fmt::format("{}: {}", given.origin, error.what()));
  }
}

}  // namespace scalemark::app
