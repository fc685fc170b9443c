// Everything that a report says, worked out once; its writers only put it into words and files.
//
// Pure and thread-safe.
#pragma once

#include <string>
#include <vector>

#include "analysis/attribution.h"
#include "analysis/capacity.h"
#include "analysis/curve.h"
#include "analysis/evidence.h"
#include "analysis/models.h"
#include "analysis/scaling_data.h"

namespace scalemark::analysis {

struct SeriesReport {
  ScalingSeries series;
  std::string label;  ///< the series' name for people; never empty
  std::string slug;   ///< the same for files: letters, digits, '-'; unique in the report
  Curve curve;
  Fits fits;
  std::vector<CapacityEstimate> capacity;
  std::vector<Attribution> attribution;
  std::vector<PointSummary> summaries;  ///< one per point of the series
  std::string sentence;                 ///< what it comes to
};

struct ScalingReport {
  ScalingData data;  ///< its series stand in `series`
  std::vector<SeriesReport> series;
  std::string
      generator;  ///< whether the generator was ever the limit, a sentence; "" when nothing is known of it
};

[[nodiscard]] ScalingReport report_of(ScalingData data, const FitPlan& plan = {});

}  // namespace scalemark::analysis
