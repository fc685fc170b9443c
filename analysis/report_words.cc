#include "analysis/report_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/scaling_data.h"
#include "analysis/text.h"
#include "core/text.h"

namespace scalemark::analysis {

std::string name_of(PointStatus status) {
  switch (status) {
    case PointStatus::confirmed:
      return "confirmed";
    case PointStatus::not_confirmed:
      return "not_confirmed";
    case PointStatus::generator_limited:
      return "generator_limited";
    case PointStatus::failed:
      return "failed";
    case PointStatus::interrupted:
      return "interrupted";
    case PointStatus::given:
      return "given";
  }
  return "?";
}

std::string words_of(PointStatus status) {
  if (status == PointStatus::generator_limited) {
    return "generator-limited";
  }
  std::string words = name_of(status);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string words_of(Status status) {
  std::string words(scalemark::name_of(status));
  std::replace(words.begin(), words.end(), '_', '-');
  return words;
}

std::string figure_text(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) {
    return value ? "unbounded" : "-";
  }
  const double size = std::abs(*value);
  if (size >= 1e15) {
    return fmt::format("{:.4g}", *value);
  }
  // A rounded zero keeps no sign.
  const auto shown = [](double figure, int decimals) {
    const std::string text = real_text(figure, decimals);
    return text.find_first_of("123456789") == std::string::npos && text.starts_with('-') ? text.substr(1)
                                                                                         : text;
  };
  const bool whole = std::abs(*value - std::round(*value)) < 1e-6 * (1 + size * 1e-3);
  return shown(*value, whole || size >= 9999.5 ? 0 : size >= 99.95 ? 1 : 2);
}

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{} - {}", figure_text(interval->low), figure_text(interval->high)) : "-";
}

std::string nodes_text(unsigned nodes) {
  return counted(nodes, "node");
}

std::string parameter_text(double value) {
  if (value == 0) {
    return "0";
  }
  return std::abs(value) < 1e-4 ? fmt::format("{:.2g}", value) : fmt::format("{:.5f}", value);
}

}  // namespace scalemark::analysis
