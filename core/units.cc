#include "core/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/text.h"

namespace scalemark {
namespace {

constexpr long double kLargestDuration = 9.2e18L;  // nanoseconds in 63 bits: 291 years

/// A unit of time: times * 10^power nanoseconds.
struct Unit {
  std::string_view name;
  Duration length;
  int power;
  int times;
};
constexpr std::array<Unit, 6> kTimeUnits = {{{"h", std::chrono::hours(1), 9, 3600},
                                             {"m", std::chrono::minutes(1), 9, 60},
                                             {"s", std::chrono::seconds(1), 9, 1},
                                             {"ms", std::chrono::milliseconds(1), 6, 1},
                                             {"us", std::chrono::microseconds(1), 3, 1},
                                             {"ns", std::chrono::nanoseconds(1), 0, 1}}};

/// "1.5 ms" as "1.5" and "ms".
struct Quantity {
  std::string_view number;
  std::string_view unit;
};

/// Nothing when the text does not begin with a finite number without a sign.
std::optional<Quantity> split_quantity(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{}) {
    return std::nullopt;
  }
  const auto length = static_cast<std::size_t>(end - text.data());
  return Quantity{text.substr(0, length), trimmed(text.substr(length))};
}

/// number * 10^shift, rounded once, so that "0.7%" is the same double as 7.0 / 1000. Infinite when too large.
template <typename Real>
Real shifted(std::string_view number, int shift) {
  const auto mantissa_end = number.find_first_of("eE");
  int exponent = 0;
  if (mantissa_end != std::string_view::npos) {
    auto digits = number.substr(mantissa_end + 1);
    if (digits.starts_with('+')) {
      digits.remove_prefix(1);
    }
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  const auto text = fmt::format("{}e{}", number.substr(0, mantissa_end), exponent + shift);
  Real value = 0;
  const auto fault = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  return fault == std::errc{} ? value : std::numeric_limits<Real>::infinity();
}

[[noreturn]] void refuse_text(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("'{}' {}", text, why));
}

/// Power of ten of a rate's unit; nothing when it is no unit of bits.
std::optional<int> rate_power(std::string_view unit) {
  if (unit.empty()) {
    return 0;
  }
  static constexpr std::array<std::pair<char, int>, 6> kPrefixes = {
      {{'k', 3}, {'K', 3}, {'m', 6}, {'M', 6}, {'g', 9}, {'G', 9}}};
  int power = 0;
  for (const auto& [prefix, value] : kPrefixes) {
    if (unit[0] == prefix) {
      power = value;
      unit.remove_prefix(1);
      break;
    }
  }
  if (unit == "bit" || unit == "bit/s" || unit == "b/s") {
    return power;
  }
  return std::nullopt;
}

/// Three significant digits and the unit that keeps the number below 1000: "1.46 GB".
std::string three_digits(double value, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  int decimals = 0;
  if (value < 9.995) {
    decimals = 2;
  } else if (value < 99.95) {
    decimals = 1;
  }
  return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

}  // namespace

Duration time_on_line(std::uint64_t bytes, BitsPerSecond rate) {
  // Bits times 1e9 first: exact in a double for the sizes in question, so that only the division rounds.
  return Duration(std::llround(static_cast<double>(bytes) * 8e9 / rate.value));
}

Duration parse_duration(std::string_view text) {
  static constexpr std::string_view kForms = "is no time; write it with a unit, as in 5s, 250ms or 20m";
  const auto quantity = split_quantity(text);
  if (!quantity) {
    refuse_text(text, kForms);
  }
  if (quantity->unit.empty() && shifted<double>(quantity->number, 0) == 0) {
    return Duration::zero();
  }
  for (const Unit& unit : kTimeUnits) {
    if (quantity->unit == unit.name) {
      // Long double carries whole nanoseconds over the full range of a Duration.
      const auto nanoseconds =
          shifted<long double>(quantity->number, unit.power) * static_cast<long double>(unit.times);
      if (nanoseconds > kLargestDuration) {
        refuse_text(text, "is too long a time; write at most 2500000h");
      }
      return Duration(std::llround(nanoseconds));
    }
  }
  refuse_text(text, kForms);
}

std::string format_duration(Duration duration) {
  if (duration == Duration::zero()) {
    return "0s";
  }
  for (const Unit& unit : kTimeUnits) {
    const auto whole = duration / unit.length;
    const auto rest = (duration % unit.length).count();
    if (rest == 0) {
      return fmt::format("{}{}", whole, unit.name);
    }
    if (unit.times == 1 && whole > 0) {
      // From seconds down a fraction has few enough decimals to be written in full.
      const auto decimals = fmt::format("{:0{}}", rest, unit.power);
      return fmt::format("{}.{}{}", whole, decimals.substr(0, decimals.find_last_not_of('0') + 1), unit.name);
    }
  }
  return fmt::format("{}ns", duration.count());
}

BitsPerSecond parse_rate(std::string_view text) {
  const auto quantity = split_quantity(text);
  const auto power = quantity ? rate_power(quantity->unit) : std::nullopt;
  if (!power) {
    refuse_text(text, "is no rate; write bits per second, as in 400000, 400kbit, 100mbit or 1gbit");
  }
  const BitsPerSecond rate{shifted<double>(quantity->number, *power)};
  if (!(rate.value > 0) || !std::isfinite(rate.value)) {
    refuse_text(text, "is not a rate above 0; write bits per second, as in 400kbit or 100mbit");
  }
  return rate;
}

std::string format_rate(BitsPerSecond rate) {
  static constexpr std::array<std::pair<std::string_view, double>, 3> kUnits = {
      {{"gbit", 1e9}, {"mbit", 1e6}, {"kbit", 1e3}}};
  for (const auto& [name, size] : kUnits) {
    if (rate.value >= size) {
      auto text = fmt::format("{}{}", rate.value / size, name);
      if (parse_rate(text) == rate) {
        return text;
      }
    }
  }
  return fmt::format("{}", rate.value);
}

double parse_share(std::string_view text) {
  const auto quantity = split_quantity(text);
  const bool percent = quantity && quantity->unit == "%";
  if (!quantity || (!percent && !quantity->unit.empty())) {
    refuse_text(text, "is no share; write it in per cent or from 0 to 1, as in 95% or 0.95");
  }
  const double share = shifted<double>(quantity->number, percent ? -2 : 0);
  if (!(share >= 0 && share <= 1)) {
    refuse_text(text, "is no share from 0 to 1; write it as in 95% or 0.95");
  }
  return share;
}

std::string format_share(double share) {
  for (int decimals = 0; decimals <= std::numeric_limits<double>::digits10; ++decimals) {
    const auto number = fmt::format("{:.{}f}", share * 100, decimals);
    if (shifted<double>(number, -2) == share) {
      return number + "%";
    }
  }
  return fmt::format("{}", share);
}

std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t least,
                          std::uint64_t most) {
  const auto digits = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc{} || end != digits.data() + digits.size() || value < least || value > most) {
    throw UsageError(fmt::format("{}{}'{}' is no whole number from {} to {}", what, what.empty() ? "" : ": ",
                                 text, least, most));
  }
  return value;
}

std::string human_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 7> kUnits = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  return bytes < 1000 ? fmt::format("{} B", bytes) : three_digits(static_cast<double>(bytes), kUnits);
}

std::string human_rate(BitsPerSecond rate) {
  static constexpr std::array<std::string_view, 5> kUnits = {"b/s", "Kb/s", "Mb/s", "Gb/s", "Tb/s"};
  return rate.value == 0 ? "0 b/s" : three_digits(rate.value, kUnits);
}

std::string human_duration(Duration duration) {
  static constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
  if (duration < Duration::zero()) {
    return fmt::format("-{}", human_duration(-duration));
  }
  if (duration < std::chrono::microseconds(1)) {
    return duration == Duration::zero() ? "0 s" : fmt::format("{} ns", duration.count());
  }
  const auto seconds = std::chrono::round<std::chrono::seconds>(duration).count();
  if (seconds < 60) {
    return three_digits(static_cast<double>(duration.count()), kUnits);
  }
  const auto text = [](auto big, const char* big_unit, auto small, const char* small_unit) {
    return small == 0 ? fmt::format("{} {}", big, big_unit)
                      : fmt::format("{} {} {} {}", big, big_unit, small, small_unit);
  };
  if (seconds < 3600) {
    return text(seconds / 60, "min", seconds % 60, "s");
  }
  const auto minutes = (seconds + 30) / 60;
  return text(minutes / 60, "h", minutes % 60, "min");
}

}  // namespace scalemark
