// What the trials of a search say, load by load.
//
// A load stands as its last trial that says something showed it, a confirmation outranking probes. Pure;
// belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "study/search.h"

namespace scalemark::study {

enum class Standing : std::uint8_t {
  passed,
  failed,
  limited,  ///< the generator was the bottleneck
  unclear,  ///< all trials were void
};

/// A load that was tried.
struct TriedLoad {
  std::uint32_t load = 0;
  Standing standing = Standing::unclear;
  std::uint32_t probes = 0;         ///< that say something
  std::uint32_t confirmations = 0;  ///< that say something
  bool void_probes = false;
  bool void_confirmations = false;
  std::uint32_t passes_since =
      0;  ///< probes of other loads that passed in a row, up to now, since its last trial
  std::optional<double> score{};  ///< of its first trial that says something
  std::optional<double> estimate{};

  [[nodiscard]] bool passed() const { return standing == Standing::passed; }
  /// It is the answer if nothing better is.
  [[nodiscard]] bool confirmed() const { return passed() && confirmations > 0; }
  /// It did not pass at full length.
  [[nodiscard]] bool refused() const { return !passed() && (confirmations > 0 || void_confirmations); }
  /// Nothing but one short trial speaks about it.
  [[nodiscard]] bool rests_on_one_probe() const {
    return probes == 1 && confirmations == 0 && !void_confirmations;
  }
};

class Evidence {
 public:
  explicit Evidence(const std::vector<SearchTrial>& history);

  [[nodiscard]] bool empty() const { return loads_.empty(); }
  /// In ascending order.
  [[nodiscard]] std::vector<const TriedLoad*> loads() const;
  /// The lowest load that did not pass, or null.
  [[nodiscard]] const TriedLoad* bound() const;
  /// The highest load below the bound; it passed. Null when there is none.
  [[nodiscard]] const TriedLoad* best() const;
  /// The highest load that passed, whatever failed below it; or null.
  [[nodiscard]] const TriedLoad* highest_passed() const;
  /// The lowest load that failed, or null.
  [[nodiscard]] const TriedLoad* lowest_failed() const;
  /// The lowest load that did not pass at full length, or null.
  [[nodiscard]] const TriedLoad* lowest_refused() const;
  /// The nearest load that was tried above or below this one, or null.
  [[nodiscard]] const TriedLoad* above(std::uint32_t load) const;
  [[nodiscard]] const TriedLoad* below(std::uint32_t load) const;
  /// Loads that stand like this.
  [[nodiscard]] std::size_t count(Standing standing) const;

  /// Trials so far; the repeats of void ones do not count.
  [[nodiscard]] std::uint32_t probes() const;
  [[nodiscard]] std::uint32_t confirmations() const;
  /// Loads that did not pass at full length.
  [[nodiscard]] std::uint32_t refusals() const;

 private:
  void enter(const SearchTrial& trial);

  std::map<std::uint32_t, TriedLoad> loads_;
};

}  // namespace scalemark::study
