#include "core/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace scalemark {
namespace {

std::string lower(const std::string& word) {
  std::string result = word;
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

/// Levenshtein's distance: how many letters must be put in, taken out or changed.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    // More than a third of the letters wrong is another word, not a slip.
    const bool near = 3 * distance <= std::max(word.size(), candidate.size()) + 1;
    if (near && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

Setting& find_setting(Settings& settings, const std::string& name) {
  std::vector<std::string> names;
  for (Setting& setting : settings) {
    if (setting.name == name) {
      return setting;
    }
    names.push_back(setting.name);
  }
  const std::string nearest = nearest_word(name, names);
  throw UsageError(nearest.empty()
                       ? fmt::format("there is no setting '{}'; --help lists them all", name)
                       : fmt::format("there is no setting '{}'; did you mean '{}'?", name, nearest));
}

nlohmann::ordered_json settings_json(const Settings& settings) {
  auto object = nlohmann::ordered_json::object();
  for (const Setting& setting : settings) {
    const auto values = setting.get();
    auto& value = object[setting.name];
    switch (setting.form) {
      case SettingForm::list:
        value = values;
        break;
      case SettingForm::flag:
        value = !values.empty() && values.back() == "true";
        break;
      case SettingForm::single:
        if (!values.empty()) {
          value = values.back();
        }
        break;
    }
  }
  return object;
}

}  // namespace scalemark
