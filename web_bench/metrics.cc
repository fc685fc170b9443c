#include "web_bench/metrics.h"

#include <string>

#include "core/metric_figures.h"

namespace scalemark::web {
namespace {

template <typename Member>
Histogram all_classes(const IterationFigures& figures, Member member) {
  Histogram sum;
  for (const ClassFigures& cls : figures.classes) {
    sum.merge(cls.*member);
  }
  return sum;
}

std::optional<Metric> rate_of(const IterationFigures& figures, std::string_view figure) {
  const double value = figure == "min"    ? figures.rate_min
                       : figure == "mean" ? figures.rate_mean
                                          : figures.rate_max;
  return Metric{value, ValueKind::rate};
}

}  // namespace

const std::vector<MetricInfo>& web_metrics() {
  static const std::vector<MetricInfo> metrics = [] {
    const std::vector<ValueKind> counted = {ValueKind::number, ValueKind::share};
    std::vector<MetricInfo> list = {{"conforming", counted},
                                    {"valid", counted},
                                    {"errors", counted},
                                    {"operations_per_second", {ValueKind::number}}};
    for (const std::string figure : {"min", "mean", "max"}) {
      list.push_back({"bits_per_second_" + figure, {ValueKind::rate}});
    }
    for (const std::string time : {"ttfb_", "ttlb_", "connect_"}) {
      for (const std::string& figure : time_figures()) {
        list.push_back({time + figure, {ValueKind::duration}});
      }
    }
    return list;
  }();
  return metrics;
}

std::optional<Metric> metric_of(const IterationFigures& figures, std::string_view name, ValueKind wanted) {
  if (figures.window_seconds <= 0) {
    return std::nullopt;
  }
  if (name == "conforming") {
    return count_or_share(figures.conforming, figures.requested, wanted);
  }
  if (name == "valid") {
    return count_or_share(figures.valid, figures.requested, wanted);
  }
  if (name == "errors") {
    const Accounting total = figures.window_total();
    return count_or_share(static_cast<double>(total.failed()),
                          static_cast<double>(total.good() + total.failed()), wanted);
  }
  if (name == "operations_per_second") {
    return Metric{figures.operations_per_second, ValueKind::number};
  }
  const std::size_t cut = name.rfind('_');
  const std::string_view stem = name.substr(0, cut);
  const std::string_view figure = cut == std::string_view::npos ? "" : name.substr(cut + 1);
  if (stem == "bits_per_second") {
    return rate_of(figures, figure);
  }
  if (stem == "ttfb") {
    return time_of(all_classes(figures, &ClassFigures::first_byte), figure);
  }
  if (stem == "ttlb") {
    return time_of(all_classes(figures, &ClassFigures::last_byte), figure);
  }
  return stem == "connect" ? time_of(figures.connect, figure) : std::nullopt;
}

}  // namespace scalemark::web
