// A report as comma-separated values: the curve's table.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "analysis/csv_line.h"
#include "analysis/report_writers.h"
#include "core/run_record.h"

namespace scalemark::analysis {
namespace {

std::vector<std::string> curve_header() {
  return {"series",
          "nodes",
          "status",
          "iterations",
          "measured",
          "interval_low",
          "interval_high",
          "theory",
          "drop_percent",
          "efficiency",
          "speed_up",
          "super_linear",
          "printed_drop_percent",
          "load"};
}

std::string cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value).dump() : "";
}

std::vector<std::string> cells_of(const std::string& series, const CurveRow& row, const ScalingPoint& point) {
  const auto bound = [&row](double Interval::*side) {
    return row.interval ? cell((*row.interval).*side) : std::string();
  };
  return {series,
          std::to_string(row.nodes),
          name_of(row.status),
          std::to_string(row.iterations),
          cell(row.measured),
          bound(&Interval::low),
          bound(&Interval::high),
          cell(row.theory),
          cell(row.drop),
          cell(row.efficiency),
          cell(row.speed_up),
          row.super_linear ? "true" : "false",
          cell(row.printed_drop),
          cell(point.load)};
}

}  // namespace

std::string report_csv(const ScalingReport& report) {
  std::string text = csv_line(curve_header());
  for (const SeriesReport& series : report.series) {
    for (std::size_t i = 0; i < series.curve.rows.size(); ++i) {
      text += csv_line(cells_of(series.series.name, series.curve.rows[i], series.series.points[i]));
    }
  }
  return text;
}

}  // namespace scalemark::analysis
