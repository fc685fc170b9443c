#include "web_bench/metrics.h"

#include <array>
#include <string>
#include <utility>

namespace scalemark::web {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 4> kQuantiles = {
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}};

/// A count, or its share of `whole`.
std::optional<Metric> count_or_share(double count, double whole, ValueKind wanted) {
  if (wanted == ValueKind::number) {
    return Metric{count, ValueKind::number};
  }
  return whole > 0 ? std::optional(Metric{count / whole, ValueKind::share}) : std::nullopt;
}

/// "mean", "max" or a quantile of a histogram of microseconds.
std::optional<Metric> time_of(const Histogram& histogram, std::string_view figure) {
  if (histogram.count() == 0) {
    return std::nullopt;
  }
  const auto seconds = [](double micros) { return Metric{micros / 1e6, ValueKind::duration}; };
  if (figure == "mean") {
    return seconds(histogram.mean());
  }
  if (figure == "max") {
    return seconds(static_cast<double>(histogram.max()));
  }
  for (const auto& [name, share] : kQuantiles) {
    if (figure == name) {
      return seconds(histogram.quantile(share));
    }
  }
  return std::nullopt;
}

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
  static const std::vector<MetricInfo> kMetrics = [] {
    const std::vector<ValueKind> counted = {ValueKind::number, ValueKind::share};
    std::vector<MetricInfo> metrics = {{"conforming", counted},
                                       {"valid", counted},
                                       {"errors", counted},
                                       {"operations_per_second", {ValueKind::number}}};
    for (const std::string figure : {"min", "mean", "max"}) {
      metrics.push_back({"bits_per_second_" + figure, {ValueKind::rate}});
    }
    for (const std::string time : {"ttfb_", "ttlb_", "connect_"}) {
      for (const std::string figure : {"mean", "p50", "p90", "p99", "p999", "max"}) {
        metrics.push_back({time + figure, {ValueKind::duration}});
      }
    }
    return metrics;
  }();
  return kMetrics;
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
