#include "study/search_evidence.h"

#include <algorithm>
#include <numeric>

namespace scalemark::study {
namespace {

Standing standing_of(Status verdict) {
  switch (verdict) {
    case Status::pass:
      return Standing::passed;
    case Status::fail:
      return Standing::failed;
    case Status::generator_limited:
      return Standing::limited;
    case Status::void_run:
    case Status::interrupted:
      break;
  }
  return Standing::unclear;
}

}  // namespace

Evidence::Evidence(const std::vector<SearchTrial>& history) {
  for (const SearchTrial& trial : history) {
    if (trial.verdict != Status::interrupted) {
      enter(trial);
    }
  }
}

void Evidence::enter(const SearchTrial& trial) {
  for (auto& [load, tried] : loads_) {
    const bool passed = trial.verdict == Status::pass && !trial.confirming;
    tried.passes_since = passed && load != trial.load ? tried.passes_since + 1 : 0;
  }
  TriedLoad& tried = loads_[trial.load];
  tried.load = trial.load;
  if (trial.verdict == Status::void_run) {
    // A void confirmation takes a probe's pass back: the load is not to be answered on a probe's word.
    (trial.confirming ? tried.void_confirmations : tried.void_probes) = true;
    tried.standing = trial.confirming && tried.confirmations == 0 ? Standing::unclear : tried.standing;
    return;
  }
  ++(trial.confirming ? tried.confirmations : tried.probes);
  tried.score = tried.score ? tried.score : trial.score;
  tried.estimate = trial.estimate;
  if (trial.confirming || tried.confirmations == 0) {
    tried.standing = standing_of(trial.verdict);
  }
}

std::vector<const TriedLoad*> Evidence::loads() const {
  std::vector<const TriedLoad*> all;
  for (const auto& [load, tried] : loads_) {
    all.push_back(&tried);
  }
  return all;
}

const TriedLoad* Evidence::bound() const {
  const auto found =
      std::find_if(loads_.begin(), loads_.end(), [](const auto& entry) { return !entry.second.passed(); });
  return found == loads_.end() ? nullptr : &found->second;
}

const TriedLoad* Evidence::best() const {
  const TriedLoad* const ceiling = bound();
  return ceiling == nullptr ? highest_passed() : below(ceiling->load);
}

const TriedLoad* Evidence::highest_passed() const {
  const auto found =
      std::find_if(loads_.rbegin(), loads_.rend(), [](const auto& entry) { return entry.second.passed(); });
  return found == loads_.rend() ? nullptr : &found->second;
}

const TriedLoad* Evidence::lowest_failed() const {
  const auto found = std::find_if(loads_.begin(), loads_.end(), [](const auto& entry) {
    return entry.second.standing == Standing::failed;
  });
  return found == loads_.end() ? nullptr : &found->second;
}

const TriedLoad* Evidence::lowest_refused() const {
  const auto found =
      std::find_if(loads_.begin(), loads_.end(), [](const auto& entry) { return entry.second.refused(); });
  return found == loads_.end() ? nullptr : &found->second;
}

const TriedLoad* Evidence::above(std::uint32_t load) const {
  const auto found = loads_.upper_bound(load);
  return found == loads_.end() ? nullptr : &found->second;
}

const TriedLoad* Evidence::below(std::uint32_t load) const {
  const auto found = loads_.lower_bound(load);
  return found == loads_.begin() ? nullptr : &std::prev(found)->second;
}

std::size_t Evidence::count(Standing standing) const {
  return static_cast<std::size_t>(std::count_if(loads_.begin(), loads_.end(), [standing](const auto& entry) {
    return entry.second.standing == standing;
  }));
}

std::uint32_t Evidence::probes() const {
  return std::accumulate(loads_.begin(), loads_.end(), 0U, [](std::uint32_t sum, const auto& entry) {
    const TriedLoad& tried = entry.second;
    return sum + (tried.probes == 0 && tried.void_probes ? 1U : tried.probes);
  });
}

std::uint32_t Evidence::confirmations() const {
  return std::accumulate(loads_.begin(), loads_.end(), 0U, [](std::uint32_t sum, const auto& entry) {
    const TriedLoad& tried = entry.second;
    return sum + (tried.confirmations == 0 && tried.void_confirmations ? 1U : tried.confirmations);
  });
}

std::uint32_t Evidence::refusals() const {
  return static_cast<std::uint32_t>(
      std::count_if(loads_.begin(), loads_.end(), [](const auto& entry) { return entry.second.refused(); }));
}

}  // namespace scalemark::study
