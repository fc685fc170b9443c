// What a study has found out about one point: its trials so far and what follows from them.
//
// Plain data, to JSON and back: an interrupted study is taken up from it. Not synchronised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "study/study_plan.h"
#include "study/trial.h"

namespace scalemark::study {

enum class PointStatus : std::uint8_t {
  confirmed,          ///< the answer is a load that passed at full length
  not_confirmed,      ///< no load passed at full length
  generator_limited,  ///< the generator ended before the service did
  failed,             ///< the cluster could not be set up, or no trial could begin
  interrupted,        ///< the user ended it
};

struct PointAnswer {
  std::uint32_t load = 0;                ///< connections (users): the highest that was confirmed
  std::uint32_t lower = 0;               ///< the highest load known to pass
  std::optional<std::uint32_t> upper{};  ///< the lowest load known to fail; nothing when none did
};

struct PointResult {
  PointSetup setup;
  PointStatus status = PointStatus::interrupted;
  std::string why{};  ///< a sentence
  std::optional<PointAnswer> answer{};
  std::vector<double> measured{};             ///< score of every iteration of the trials in confirmed_by
  std::vector<std::uint32_t> confirmed_by{};  ///< numbers of trials
  std::vector<TrialReport> trials{};

  /// Nothing more is to be measured: not failed, not interrupted.
  [[nodiscard]] bool finished() const;
  /// "dsr, 4 nodes", "direct, 1 node", "nginx, 2 nodes, 2K".
  [[nodiscard]] std::string name() const;
  /// "dsr-4", "direct-1", "nginx-2_2K": the folder of its trials. What a variant's name has beside letters,
  /// digits, dots and hyphens becomes a hyphen.
  [[nodiscard]] std::string folder() const;
};

[[nodiscard]] std::string_view name_of(PointStatus status);

[[nodiscard]] Json to_json(const PointResult& point);
/// Throws UsageError when `json` is no point.
[[nodiscard]] PointResult point_from_json(const Json& json);

}  // namespace scalemark::study
