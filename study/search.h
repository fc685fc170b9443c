// The capacity search: which load to try next, by what the trials so far have shown.
//
// The answer is the highest load that passes. A short trial (probe) finds out where that is, a trial of full
// length (confirmation) decides: no load is answered that did not pass one. The rules, in docs/search.md:
//
//   bracket   from the first load grow by 2 until a trial does not pass, or halve until one does; from an
//             expected load in small steps that grow
//   bisect    on the logarithm of the load, until the bracket is no wider than the precision
//   confirm   what passed last, else step down and confirm again
//
// A fail overrules passes above it until it is tested again. A void trial is repeated. A load that was void
// or limited by the generator bounds the search, but is no upper bound of the server.
//
// Pure: the same plan and history give the same step, on any thread. Whoever resumes a search hands in the
// trials of before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/verdict.h"

namespace scalemark::study {

struct SearchPlan {
  std::uint32_t start = 100;         ///< the first load, when nothing is expected
  std::optional<double> expected{};  ///< a load to begin with that is probably near the answer
  double precision = 0.01;           ///< relative width at which the search ends, above 0
  std::uint32_t least = 1;           ///< lowest load that can be tried, at least 1
  std::uint32_t most = 1'000'000;    ///< highest
  std::uint32_t max_trials = 12;     ///< probes and the first confirmation together; at least 2
  std::uint32_t confirmations = 4;   ///< most confirmations; at least 1
  std::uint32_t void_repeats = 2;    ///< of a void trial; in the whole search at most three times as many
  bool plateau_guard = true;         ///< stop growing when the score does not grow with three growing loads
};

/// A trial that was made.
struct SearchTrial {
  std::uint32_t load = 0;
  bool confirming = false;        ///< of full length
  Status verdict = Status::pass;  ///< interrupted trials count for nothing
  std::optional<double> score{};  ///< nothing when there is none
  std::optional<double>
      estimate{};  ///< the load that would have been carried, as far as a failed trial tells
};

/// Make this trial next.
struct Try {
  std::uint32_t load = 0;
  bool confirming = false;
  std::string why;  ///< a phrase: "twice 100, which passed"
};

enum class SearchStatus : std::uint8_t {
  confirmed,          ///< the answer passed at full length
  not_confirmed,      ///< loads passed, but none at full length, or the trials did not suffice to find one
  generator_limited,  ///< the generator ended before the server did; an answer is a lower bound only
  failed,             ///< not even the lowest load passes
  void_run,           ///< no trial says anything about the server
};

/// The search is over.
struct Done {
  SearchStatus status = SearchStatus::confirmed;
  std::optional<std::uint32_t> answer{};  ///< a load that passed a confirmation; nothing when none did
  std::uint32_t lower = 0;                ///< the highest load that passed and was not overruled; 0: none
  std::optional<std::uint32_t> upper{};   ///< the lowest load that failed; nothing when none did
  std::string why;                        ///< a sentence
};

using Step = std::variant<Try, Done>;

/// The next step after `history`, in the order in which the trials were made.
[[nodiscard]] Step next(const SearchPlan& plan, const std::vector<SearchTrial>& history);

/// How many trials a search takes.
struct PlannedTrials {
  std::uint32_t usual_probes = 0;        ///< with a first load within a factor of 2, or a good expectation
  std::uint32_t most_probes = 0;         ///< repeats of void trials excluded
  std::uint32_t most_confirmations = 0;  ///< usually 1
};
[[nodiscard]] PlannedTrials planned_trials(const SearchPlan& plan);

/// "confirmed", "not_confirmed", "generator_limited", "failed", "void".
[[nodiscard]] std::string_view name_of(SearchStatus status);

}  // namespace scalemark::study
