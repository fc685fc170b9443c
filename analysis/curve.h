// The table of a scaling curve: measured against n times one node.
//
//   theory(n)  = n * X(base) / nodes(base)     drop(n)     = (1 - X(n) / theory(n)) * 100 %
//   efficiency = X(n) / theory(n)              speed-up(n) = X(n) / X(1)
//
// X(n) is the mean over all iterations of the point, with Student's interval. The base is one node without a
// router when that was measured, else the smallest number of nodes, and the table says which. A point above
// its theory is flagged and never clipped. Pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/scaling_data.h"
#include "analysis/statistics.h"

namespace scalemark::analysis {

enum class BaseKind : std::uint8_t {
  direct,    ///< one node, nothing in between
  smallest,  ///< the smallest number of nodes that was measured, divided by it
  none,      ///< nothing was measured
};

struct CurveBase {
  BaseKind kind = BaseKind::none;
  unsigned nodes = 0;
  double rate = 0;  ///< X of the base, of all its nodes together
  /// "one node, direct: 29,091": which base it is, for people; "" when there is none.
  [[nodiscard]] std::string words() const;
};

struct CurveRow {
  unsigned nodes = 0;
  PointStatus status = PointStatus::given;
  std::size_t iterations = 0;
  std::optional<double> measured;
  std::optional<Interval> interval;
  std::optional<double> theory;
  std::optional<double> drop;  ///< per cent of the theory
  std::optional<double> efficiency;
  std::optional<Interval> efficiency_interval;  ///< of X(n) alone: the base is taken as exact
  std::optional<double> speed_up;               ///< nothing without X(1)
  std::optional<double> printed_drop;
  bool super_linear = false;  ///< above its theory
};

struct Curve {
  CurveBase base;
  std::vector<CurveRow> rows;  ///< one per point of the series, in its order

  /// The row of the largest number of nodes that has a figure; null when there is none.
  [[nodiscard]] const CurveRow* last() const;
};

[[nodiscard]] Curve curve_of(const ScalingSeries& series);

}  // namespace scalemark::analysis
