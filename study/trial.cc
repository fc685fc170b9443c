#include "study/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/record_json.h"
#include "core/units.h"

namespace scalemark::study {
namespace {

constexpr std::array<std::pair<Purpose, std::string_view>, 3> kPurposes = {
    {{Purpose::probe, "probe"}, {Purpose::confirm, "confirm"}, {Purpose::listed, "listed"}}};

std::string_view name_of(Purpose purpose) {
  return std::find_if(kPurposes.begin(), kPurposes.end(),
                      [purpose](const auto& known) { return known.first == purpose; })
      ->second;
}

Purpose purpose_named(const std::string& name) {
  const auto* found = std::find_if(kPurposes.begin(), kPurposes.end(),
                                   [&name](const auto& known) { return known.second == name; });
  if (found == kPurposes.end()) {
    throw UsageError(fmt::format("a trial has the purpose '{}', which is none", name));
  }
  return found->first;
}

/// A number deep within a record; nothing when it is not there.
std::optional<double> number_at(const Json& json, const char* pointer) {
  const Json::json_pointer place(pointer);
  if (!json.contains(place) || !json.at(place).is_number()) {
    return std::nullopt;
  }
  return json.at(place).get<double>();
}

/// The largest share of the processors' time that went elsewhere in an iteration of the trial, or over the
/// whole of it when no iteration says.
double share_elsewhere(const Json& cluster, const char* what) {
  double share = 0;
  bool known = false;
  const auto look = [&](const Json& stretch) {
    const auto seconds = number_at(stretch, "/seconds");
    const auto processors = number_at(stretch, "/machine/processors");
    const auto lost = number_at(stretch, what);
    if (seconds && processors && lost && *seconds > 0 && *processors > 0) {
      share = std::max(share, *lost / (*seconds * *processors));
      known = true;
    }
  };
  if (cluster.contains("iterations") && cluster.at("iterations").is_array()) {
    for (const Json& iteration : cluster.at("iterations")) {
      look(iteration);
    }
  }
  if (!known && cluster.contains("run")) {
    look(cluster.at("run"));
  }
  return share;
}

/// How many lines the bits of the score's iteration would have filled: what a saturated service carries,
/// where the score only says how few users were content with their part of it.
std::optional<double> lines_filled(const RunRecord& record) {
  if (!record.score.iteration || *record.score.iteration > record.iterations.size()) {
    return std::nullopt;
  }
  const Json& iteration = record.iterations.at(*record.score.iteration - 1);
  const auto rate = number_at(iteration, "/bits_per_second/mean");
  const auto users = number_at(iteration, "/requested");
  if (!rate || !users || !record.plan.is_object() || !record.plan.contains("line-speed")) {
    return std::nullopt;
  }
  return *rate * *users / parse_rate(record.plan.at("line-speed").get<std::string>()).value;
}

}  // namespace

Json to_json(const TrialReport& trial) {
  Json json;
  json["number"] = trial.number;
  json["load"] = trial.load;
  json["purpose"] = name_of(trial.purpose);
  json["why"] = trial.why;
  json["verdict"] = scalemark::name_of(trial.status);
  json["score"] = trial.score ? Json(*trial.score) : Json(nullptr);
  json["estimate"] = trial.estimate ? Json(*trial.estimate) : Json(nullptr);
  json["iteration_scores"] = trial.iteration_scores;
  json["reasons"] = trial.reasons;
  json["record"] = trial.record;
  json["seconds"] = json_number(trial.seconds);
  json["stolen_share"] = json_number(trial.stolen_share);
  json["foreign_share"] = json_number(trial.foreign_share);
  json["disturbed"] = trial.disturbed;
  json["counts"] = trial.counts;
  return json;
}

TrialReport trial_from_json(const Json& json) {
  try {
    TrialReport trial;
    json.at("number").get_to(trial.number);
    json.at("load").get_to(trial.load);
    trial.purpose = purpose_named(json.at("purpose").get<std::string>());
    const auto status = status_named(json.at("verdict").get<std::string>());
    if (!status) {
      throw UsageError("a trial's verdict is none that scalemark knows");
    }
    trial.status = *status;
    trial.score = number_at(json, "/score");
    trial.estimate = number_at(json, "/estimate");
    json.at("iteration_scores").get_to(trial.iteration_scores);
    json.at("reasons").get_to(trial.reasons);
    json.at("record").get_to(trial.record);
    json.at("seconds").get_to(trial.seconds);
    json.at("stolen_share").get_to(trial.stolen_share);
    json.at("foreign_share").get_to(trial.foreign_share);
    json.at("disturbed").get_to(trial.disturbed);
    json.at("counts").get_to(trial.counts);
    trial.why = json.value("why", "");  // records of before have none
    return trial;
  } catch (const Json::exception& fault) {
    throw UsageError(fmt::format("a trial in the study's record cannot be read: {}", fault.what()));
  }
}

TrialReport report_of(const RunRecord& record, std::uint32_t load, Purpose purpose) {
  TrialReport report;
  report.load = load;
  report.purpose = purpose;
  report.status = record.verdict.status;
  report.reasons = record.verdict.reasons;
  if (std::isfinite(record.score.value) && record.score.iteration) {
    report.score = record.score.value;
  }
  report.estimate = lines_filled(record);
  const char* const scored = record.kind == "mail" ? "/operations_per_hour" : "/conforming";
  for (const Json& iteration : record.iterations) {
    const auto score = number_at(iteration, scored);
    if (score && !iteration.value("partial", false)) {
      report.iteration_scores.push_back(*score);
    }
  }
  if (record.cluster.is_object()) {
    report.stolen_share = share_elsewhere(record.cluster, "/machine/stolen_cpu_seconds");
    report.foreign_share = share_elsewhere(record.cluster, "/machine/foreign_cpu_seconds");
  }
  return report;
}

TrialReport report_of_none(std::uint32_t load, Purpose purpose, const std::string& why) {
  TrialReport report;
  report.load = load;
  report.purpose = purpose;
  report.status = Status::void_run;
  report.reasons = {fmt::format("the trial could not be made: {}", why)};
  return report;
}

SearchTrial search_trial_of(const TrialReport& trial) {
  return {trial.load, trial.purpose == Purpose::confirm, trial.status, trial.score, trial.estimate};
}

}  // namespace scalemark::study
