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
  std::optional<PointSummary> base;     ///< of the direct node, unless it is a point or `same_base` is set
  std::string same_base;                ///< label of an earlier series that has the same direct node, or ""
  std::string sentence;                 ///< what it comes to
};

/// A point as a report lists it.
struct ListedPoint {
  const ScalingPoint& point;
  const PointSummary& summary;
  bool base = false;  ///< the direct node, beside the series' points

  [[nodiscard]] std::string name() const;       ///< "4 nodes", "1 node, direct"
  [[nodiscard]] std::string in_column() const;  ///< the same below "nodes": "4", "1, direct"
};
/// The direct node, when the series is the first to have it, and the points. Refers into `series`.
[[nodiscard]] std::vector<ListedPoint> listed_points(const SeriesReport& series);

struct ScalingReport {
  ScalingData data;  ///< its series stand in `series`
  std::vector<SeriesReport> series;
  std::string
      generator;  ///< whether the generator was ever the limit, a sentence; "" when nothing is known of it
};

[[nodiscard]] ScalingReport report_of(ScalingData data, const FitPlan& plan = {});

}  // namespace scalemark::analysis
