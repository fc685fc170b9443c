#include "core/metric_figures.h"

namespace scalemark {

std::vector<std::string> time_figures() {
  std::vector<std::string> names = {"mean"};
  for (const NamedQuantile& quantile : kQuantiles) {
    names.emplace_back(quantile.name);
  }
  names.emplace_back("max");
  return names;
}

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
  for (const NamedQuantile& quantile : kQuantiles) {
    if (figure == quantile.name) {
      return seconds(histogram.quantile(quantile.share));
    }
  }
  return std::nullopt;
}

std::optional<Metric> count_or_share(double count, double whole, ValueKind wanted) {
  if (wanted == ValueKind::number) {
    return Metric{count, ValueKind::number};
  }
  return whole > 0 ? std::optional(Metric{count / whole, ValueKind::share}) : std::nullopt;
}

}  // namespace scalemark
