#include "study/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace scalemark::study {
namespace {

constexpr std::array<std::pair<PointStatus, std::string_view>, 5> kStatuses = {
    {{PointStatus::confirmed, "confirmed"},
     {PointStatus::not_confirmed, "not_confirmed"},
     {PointStatus::generator_limited, "generator_limited"},
     {PointStatus::failed, "failed"},
     {PointStatus::interrupted, "interrupted"}}};

PointStatus status_from(const std::string& name) {
  const auto* found = std::find_if(kStatuses.begin(), kStatuses.end(),
                                   [&name](const auto& known) { return known.second == name; });
  if (found == kStatuses.end()) {
    throw UsageError(fmt::format("a point of the study has the status '{}', which is none", name));
  }
  return found->first;
}

Json answer_json(const PointAnswer& answer) {
  Json json;
  json["load"] = answer.load;
  json["lower"] = answer.lower;
  json["upper"] = answer.upper ? Json(*answer.upper) : Json(nullptr);
  return json;
}

PointAnswer answer_from(const Json& json) {
  PointAnswer answer;
  json.at("load").get_to(answer.load);
  json.at("lower").get_to(answer.lower);
  if (!json.at("upper").is_null()) {
    answer.upper = json.at("upper").get<std::uint32_t>();
  }
  return answer;
}

/// "30/60" as "30-60".
std::string file_name_of(std::string text) {
  const auto plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '.' || letter == '-';
  };
  std::replace_if(
      text.begin(), text.end(), [&plain](char letter) { return !plain(letter); }, '-');
  return text;
}

}  // namespace

std::string_view name_of(PointStatus status) {
  return std::find_if(kStatuses.begin(), kStatuses.end(),
                      [status](const auto& known) { return known.first == status; })
      ->second;
}

bool PointResult::finished() const {
  return status != PointStatus::failed && status != PointStatus::interrupted;
}

std::string PointResult::name() const {
  return fmt::format("{}, {}{}", setup.router == "none" ? "direct" : setup.router,
                     counted(setup.nodes, "node"), setup.variant.empty() ? "" : ", " + setup.variant);
}

std::string PointResult::folder() const {
  const std::string point =
      fmt::format("{}-{}", setup.router == "none" ? "direct" : setup.router, setup.nodes);
  return setup.variant.empty() ? point : fmt::format("{}_{}", point, file_name_of(setup.variant));
}

Json to_json(const PointResult& point) {
  Json json;
  json["router"] = point.setup.router;
  json["nodes"] = point.setup.nodes;
  json["base"] = point.setup.base;
  if (!point.setup.variant.empty()) {
    json["variant"] = point.setup.variant;
  }
  json["status"] = name_of(point.status);
  json["why"] = point.why;
  json["answer"] = point.answer ? answer_json(*point.answer) : Json(nullptr);
  json["measured"] = point.measured;
  json["confirmed_by"] = point.confirmed_by;
  json["trials"] = Json::array();
  for (const TrialReport& trial : point.trials) {
    json["trials"].push_back(to_json(trial));
  }
  return json;
}

PointResult point_from_json(const Json& json) {
  try {
    PointResult point;
    json.at("router").get_to(point.setup.router);
    json.at("nodes").get_to(point.setup.nodes);
    json.at("base").get_to(point.setup.base);
    point.setup.variant = json.value("variant", "");  // most studies have none
    point.status = status_from(json.at("status").get<std::string>());
    json.at("why").get_to(point.why);
    if (!json.at("answer").is_null()) {
      point.answer = answer_from(json.at("answer"));
    }
    json.at("measured").get_to(point.measured);
    json.at("confirmed_by").get_to(point.confirmed_by);
    for (const Json& trial : json.at("trials")) {
      point.trials.push_back(trial_from_json(trial));
    }
    return point;
  } catch (const Json::exception& fault) {
    throw UsageError(fmt::format("a point in the study's record cannot be read: {}", fault.what()));
  }
}

}  // namespace scalemark::study
