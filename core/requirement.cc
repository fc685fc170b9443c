#include "core/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/setting.h"
#include "core/text.h"
#include "core/units.h"

namespace scalemark {
namespace {

constexpr std::string_view kForm =
    "write METRIC OP VALUE with one of < <= > >= ==, as in conforming>=95% or ttfb_p99<50ms";

// The two-letter signs stand first: they begin with the one-letter ones.
constexpr std::array<std::pair<std::string_view, Comparison>, 5> kSigns = {{{"<=", Comparison::at_most},
                                                                            {">=", Comparison::at_least},
                                                                            {"==", Comparison::equal},
                                                                            {"<", Comparison::less},
                                                                            {">", Comparison::greater}}};

std::string_view sign_of(Comparison comparison) {
  return std::find_if(kSigns.begin(), kSigns.end(),
                      [&](const auto& sign) { return sign.second == comparison; })
      ->first;
}

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

/// What `read` makes of the text; nothing when it refuses.
template <typename Read>
auto attempt(Read read, std::string_view text) -> std::optional<decltype(read(text))> {
  try {
    return read(text);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::optional<Metric> parse_value(std::string_view text) {
  if (const auto number = plain_number(text)) {
    return Metric{*number, ValueKind::number};
  }
  if (const auto share = attempt(parse_share, text)) {
    return Metric{*share, ValueKind::share};
  }
  if (const auto duration = attempt(parse_duration, text)) {
    return Metric{to_seconds(*duration), ValueKind::duration};
  }
  if (const auto rate = attempt(parse_rate, text)) {
    return Metric{rate->value, ValueKind::rate};
  }
  return std::nullopt;
}

bool holds(double value, Comparison comparison, double required) {
  switch (comparison) {
    case Comparison::less:
      return value < required;
    case Comparison::at_most:
      return value <= required;
    case Comparison::greater:
      return value > required;
    case Comparison::at_least:
      return value >= required;
    case Comparison::equal:
      return value == required;
  }
  return false;
}

std::string_view kind_word(ValueKind kind) {
  switch (kind) {
    case ValueKind::number:
      return "a plain number (as in 100)";
    case ValueKind::share:
      return "a share (as in 95%)";
    case ValueKind::duration:
      return "a time (as in 50ms)";
    case ValueKind::rate:
      return "a rate (as in 320kbit)";
  }
  return "unknown";
}

/// In the form that people read, with few digits.
std::string short_text(const Metric& metric) {
  switch (metric.kind) {
    case ValueKind::number:
      return fmt::format("{:.6g}", metric.value);
    case ValueKind::share:
      return fmt::format("{:.1f} %", metric.value * 100);
    case ValueKind::duration:
      return human_duration(from_seconds(metric.value));
    case ValueKind::rate:
      return human_rate({metric.value});
  }
  return {};
}

std::string full_text(const Metric& metric) {
  switch (metric.kind) {
    case ValueKind::number:
      return fmt::format("{}", metric.value);
    case ValueKind::share:
      return fmt::format("{} %", metric.value * 100);
    case ValueKind::duration:
      return fmt::format("{} s", metric.value);
    case ValueKind::rate:
      return fmt::format("{} b/s", metric.value);
  }
  return {};
}

}  // namespace

Requirement parse_requirement(std::string_view text) {
  const auto place = text.find_first_of("<>=");
  const auto refuse = [&](std::string_view why) {
    throw UsageError(fmt::format("requirement '{}' {}; {}", text, why, kForm));
  };
  Requirement requirement;
  requirement.metric = trimmed(text.substr(0, place));
  if (place == std::string_view::npos) {
    refuse("holds no comparison");
  }
  if (requirement.metric.empty()) {
    refuse("names no metric");
  }
  const auto rest = text.substr(place);
  const auto* const sign = std::find_if(kSigns.begin(), kSigns.end(),
                                        [&](const auto& known) { return rest.starts_with(known.first); });
  if (sign == kSigns.end()) {
    refuse("compares with '='");
  }
  requirement.comparison = sign->second;
  requirement.value_text = trimmed(rest.substr(sign->first.size()));
  const auto value = parse_value(requirement.value_text);
  if (!value) {
    refuse(
        fmt::format("compares with '{}', which is no number, share, time or rate", requirement.value_text));
  }
  requirement.required = *value;
  return requirement;
}

void check_requirement(const Requirement& requirement, const std::vector<MetricInfo>& known) {
  std::vector<std::string> names;
  for (const MetricInfo& metric : known) {
    names.push_back(metric.name);
    if (metric.name != requirement.metric) {
      continue;
    }
    const auto has = [&](ValueKind kind) {
      return std::find(metric.kinds.begin(), metric.kinds.end(), kind) != metric.kinds.end();
    };
    const double value = requirement.required.value;
    // Who writes conforming>=0.95 means the share; as a number, a single one would do.
    const bool meant_share =
        requirement.required.kind == ValueKind::number && has(ValueKind::share) && value > 0 && value < 1;
    if (has(requirement.required.kind) && !meant_share) {
      return;
    }
    std::vector<std::string_view> kinds;
    std::transform(metric.kinds.begin(), metric.kinds.end(), std::back_inserter(kinds), kind_word);
    throw UsageError(fmt::format("requirement on '{}': '{}' is not what it is measured in; write {}",
                                 metric.name, requirement.value_text, fmt::join(kinds, " or ")));
  }
  const std::string nearest = nearest_word(requirement.metric, names);
  throw UsageError(fmt::format("there is no metric '{}' to require{}; known are {}", requirement.metric,
                               nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                               fmt::join(names, ", ")));
}

std::optional<std::string> unmet(const Requirement& requirement, const MetricLookup& lookup) {
  const Metric& required = requirement.required;
  const auto metric = lookup(requirement.metric, required.kind);
  const auto sentence = [&](std::string_view is) {
    return fmt::format("{} {}, required {} {}", requirement.metric, is, sign_of(requirement.comparison),
                       requirement.value_text);
  };
  if (!metric || metric->kind != required.kind || !std::isfinite(metric->value)) {
    return sentence("has no value");
  }
  if (holds(metric->value, requirement.comparison, required.value)) {
    return std::nullopt;
  }
  // "95.0 %, required >= 95 %" would puzzle: where few digits hide the difference, show them all.
  const bool alike = metric->value != required.value && short_text(*metric) == short_text(required);
  return sentence(fmt::format("is {}", alike ? full_text(*metric) : short_text(*metric)));
}

}  // namespace scalemark
