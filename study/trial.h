// What a study remembers of one trial.
//
// The whole record of the trial is a file of its own; this is what the search decides by and what the study's
// record lists. Plain data, to JSON and back; the functions are pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "core/verdict.h"
#include "study/search.h"

namespace scalemark::study {

enum class Purpose : std::uint8_t {
  probe,    ///< a short trial of a search
  confirm,  ///< full length: decides what the search answers
  listed,   ///< a load that the study file names
};

struct TrialReport {
  std::uint32_t number = 1;  ///< within the point, from 1
  std::uint32_t load = 0;    ///< connections (users)
  Purpose purpose = Purpose::probe;
  Status status = Status::pass;
  std::optional<double> score;           ///< of the record; nothing when there is none
  std::optional<double> estimate;        ///< lines that all bits together would have filled
  std::vector<double> iteration_scores;  ///< of every complete iteration
  std::vector<std::string> reasons;      ///< what spoke against it
  std::string record;                    ///< its file, relative to the study's folder
  double seconds = 0;                    ///< how long it took
  double stolen_share = 0;               ///< of the processors' time, taken away by the host
  double foreign_share = 0;              ///< of the processors' time, taken by other programs
  bool disturbed = false;                ///< more of these than allowed
  bool counts = true;                    ///< false: disturbed and made again
  std::string why{};                     ///< why this load was tried; "" for one that the file names
};

[[nodiscard]] Json to_json(const TrialReport& trial);
/// Throws UsageError when `json` is no trial.
[[nodiscard]] TrialReport trial_from_json(const Json& json);

/// The report of a finished trial: what its record says. `record`, its file, stays empty.
[[nodiscard]] TrialReport report_of(const RunRecord& record, std::uint32_t load, Purpose purpose);
/// That of a trial that could not be made: void, with the reason.
[[nodiscard]] TrialReport report_of_none(std::uint32_t load, Purpose purpose, const std::string& why);

/// What the search goes by.
[[nodiscard]] SearchTrial search_trial_of(const TrialReport& trial);

}  // namespace scalemark::study
