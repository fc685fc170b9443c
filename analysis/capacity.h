// What a rate means for a day: estimates that people plan with.
//
//   web   hits a day  = 24 * 60 * (conforming rate / 100 Kb/s) * connections: users on 100 Kb/s lines who
//   stay a
//                       minute each
//   mail  users a day = 24 * operations an hour: users who send one mail and fetch one
//
// Both are said for the measured and for the theoretical rate, by name: they differ by what is lost. Pure.
#pragma once

#include <string>
#include <vector>

#include "analysis/curve.h"

namespace scalemark::analysis {

struct CapacityEstimate {
  unsigned nodes = 0;
  std::string what;     ///< "hits a day"
  std::string assumed;  ///< the sentence that the figure rests on
  double measured = 0;
  double theoretical = 0;
};

/// One per row that has both figures. Empty for a unit that has no such estimate.
[[nodiscard]] std::vector<CapacityEstimate> capacity_of(const Curve& curve, const std::string& unit);

}  // namespace scalemark::analysis
