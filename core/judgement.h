// From what speaks against a run to its verdict: the part that is the same for every kind of run.
//
// A judge collects sentences in `Findings`, by what they mean for the result; verdict_of() is the one place
// that knows which of them outranks which. Findings of several iterations are put together before they are
// judged, so the order holds across iterations as well. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/generator_health.h"
#include "core/requirement.h"
#include "core/verdict.h"

namespace scalemark {

/// More of the users' time than this lost to late timers makes a run generator-limited: it is also how far a
/// rate may fall below the line on a server that never delays anyone.
inline constexpr double kMostLateness = 0.015;
/// A thread that was busy for more than this share of the window is the bottleneck.
inline constexpr double kMostCpuShare = 0.95;

/// Sentences about what is wrong, by what it makes of the result.
struct Findings {
  std::vector<std::string> broken;   ///< this machine or this program failed: void
  std::vector<std::string> limited;  ///< the generator was the bottleneck: generator-limited
  std::vector<std::string> odd;      ///< the load was not what it should be, or was not served: void
  std::vector<std::string> poor;     ///< the server did not reach the goal: fail

  /// Appends another's sentences, each behind `lead`.
  void add(const Findings& other, const std::string& lead = "");
};

/// The verdict, reasons in the order of their weight: interrupted, then broken (void), limited
/// (generator-limited), odd (void), poor (fail); pass when there is nothing.
[[nodiscard]] Verdict verdict_of(const Findings& findings, bool interrupted = false);

/// Adds to `limited` when timers were late or a thread was busy beyond the limits.
void find_limits(const GeneratorFigures& generator, Findings& findings);

/// Adds to `poor` every requirement that the looked-up figures do not meet.
void find_unmet(const std::vector<Requirement>& requirements, const MetricLookup& lookup, Findings& findings);

/// What decides whether an iteration is the score.
struct Standing {
  double score = 0;
  double tie = 0;           ///< decides between equal scores
  bool partial = false;     ///< cut short
  bool has_window = false;  ///< a window opened, so that there are figures
};

/// The index of the median by score: of the complete iterations or, when there is none, of the partial ones
/// with a window; of an even number the lower one. Nothing when no window opened.
[[nodiscard]] std::optional<std::size_t> median_of(const std::vector<Standing>& iterations);

}  // namespace scalemark
