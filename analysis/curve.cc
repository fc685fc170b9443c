#include "analysis/curve.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report_words.h"

namespace scalemark::analysis {
namespace {

CurveBase base_of(const ScalingSeries& series) {
  if (series.direct && series.direct->counts()) {
    return {BaseKind::direct, 1, moments_of(series.direct->measured).mean};
  }
  const auto smallest = std::find_if(series.points.begin(), series.points.end(),
                                     [](const ScalingPoint& point) { return point.counts(); });
  if (smallest == series.points.end()) {
    return {};
  }
  return {BaseKind::smallest, smallest->nodes, moments_of(smallest->measured).mean};
}

/// X(1) of the series itself; where it was not measured the speed-up is left out.
std::optional<double> one_node(const ScalingSeries& series) {
  for (const ScalingPoint& point : series.points) {
    if (point.nodes == 1 && point.counts()) {
      return moments_of(point.measured).mean;
    }
  }
  return std::nullopt;
}

CurveRow row_of(const ScalingPoint& point, const CurveBase& base, std::optional<double> single) {
  CurveRow row;
  row.nodes = point.nodes;
  row.status = point.status;
  row.printed_drop = point.printed_drop;
  if (base.kind != BaseKind::none && base.rate > 0) {
    row.theory = base.rate * point.nodes / base.nodes;
  }
  if (!point.counts()) {
    return row;
  }
  const Moments moments = moments_of(point.measured);
  row.iterations = moments.count;
  row.measured = moments.mean;
  row.interval = mean_interval(point.measured);
  if (row.theory) {
    const double theory = *row.theory;
    row.efficiency = moments.mean / theory;
    row.drop = (1 - *row.efficiency) * 100;
    row.super_linear = *row.efficiency > 1 + 1e-9;
    if (row.interval) {
      row.efficiency_interval = Interval{row.interval->low / theory, row.interval->high / theory};
    }
  }
  if (single && *single > 0) {
    row.speed_up = moments.mean / *single;
  }
  return row;
}

}  // namespace

std::string CurveBase::words() const {
  switch (kind) {
    case BaseKind::direct:
      return fmt::format("one node, direct: {}", figure_text(rate));
    case BaseKind::smallest:
      return nodes == 1 ? fmt::format("one node of the same series: {} (no direct single-node figure)",
                                      figure_text(rate))
                        : fmt::format(
                              "{} nodes of the same series: {} / {} = {} a node (no direct "
                              "single-node figure)",
                              nodes, figure_text(rate), nodes, figure_text(rate / nodes));
    case BaseKind::none:
      break;
  }
  return "";
}

const CurveRow* Curve::last() const {
  const auto found =
      std::find_if(rows.rbegin(), rows.rend(), [](const CurveRow& row) { return row.measured.has_value(); });
  return found == rows.rend() ? nullptr : &*found;
}

Curve curve_of(const ScalingSeries& series) {
  Curve curve;
  curve.base = base_of(series);
  const auto single = one_node(series);
  for (const ScalingPoint& point : series.points) {
    curve.rows.push_back(row_of(point, curve.base, single));
  }
  return curve;
}

}  // namespace scalemark::analysis
