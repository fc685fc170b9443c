#include "study/listed_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace scalemark::study {
namespace {

std::vector<std::uint32_t> loads_that(const std::vector<ListedLoad>& loads, std::optional<Status> standing) {
  std::vector<std::uint32_t> found;
  for (const ListedLoad& listed : loads) {
    if (listed.standing == standing) {
      found.push_back(listed.load);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// "; 120 and its repeat were void".
std::string void_words(const std::vector<std::uint32_t>& loads) {
  return loads.empty() ? "" : fmt::format("; void, and void again when repeated: {}", fmt::join(loads, ", "));
}

}  // namespace

ListedLoad listed_load(std::uint32_t load, const std::vector<TrialReport>& trials) {
  ListedLoad listed{load, std::nullopt, 0};
  for (const TrialReport& trial : trials) {
    if (!trial.counts || trial.load != load || trial.status == Status::interrupted) {
      continue;
    }
    if (trial.status == Status::void_run) {
      ++listed.voids;
    } else {
      listed.standing = trial.status;
    }
  }
  return listed;
}

ListOutcome outcome_of(const std::vector<ListedLoad>& loads) {
  const auto passed = loads_that(loads, Status::pass);
  const auto failed = loads_that(loads, Status::fail);
  const auto limited = loads_that(loads, Status::generator_limited);
  const std::string voids = void_words(loads_that(loads, std::nullopt));
  if (!passed.empty()) {
    const std::uint32_t best = passed.back();
    const auto upper = failed.empty() ? std::nullopt : std::optional(failed.front());
    return {PointStatus::confirmed, PointAnswer{best, best, upper},
            fmt::format("{} is the highest load of the list that passed{}", best, voids)};
  }
  if (!failed.empty()) {
    return {PointStatus::not_confirmed, std::nullopt, "no load of the list passed" + voids};
  }
  if (!limited.empty()) {
    return {PointStatus::generator_limited, std::nullopt,
            "the generator could not make any load of the list" + voids};
  }
  return {PointStatus::failed, std::nullopt, "no load of the list says anything of the service" + voids};
}

}  // namespace scalemark::study
