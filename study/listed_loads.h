// A point whose loads the study file lists: what its trials say of each, and what follows from all of them.
//
// Pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "study/point.h"
#include "study/trial.h"

namespace scalemark::study {

/// A load of the list, by the trials so far that count.
struct ListedLoad {
  std::uint32_t load = 0;  ///< connections (users)
  std::optional<Status>
      standing;             ///< pass, fail or generator_limited; nothing when no trial says one of these
  std::uint32_t voids = 0;  ///< trials that said nothing
};
[[nodiscard]] ListedLoad listed_load(std::uint32_t load, const std::vector<TrialReport>& trials);

/// What the whole list comes to: the answer is the highest load that passed.
struct ListOutcome {
  PointStatus status = PointStatus::failed;
  std::optional<PointAnswer> answer{};
  std::string why;  ///< a sentence; names the loads that stayed void
};
[[nodiscard]] ListOutcome outcome_of(const std::vector<ListedLoad>& loads);

}  // namespace scalemark::study
