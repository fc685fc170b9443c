#include "analysis/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scalemark::analysis {
namespace {

constexpr const char* kNone = "-";

/// Puts a comma between thousands; `digits` may have a sign and decimals.
std::string grouped(const std::string& digits) {
  const std::size_t first = digits.find_first_of("0123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && i < point && (point - i) % 3 == 0) {
      text += ',';
    }
    text += digits[i];
  }
  return text;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// How many bytes of `text` make up its first `characters` characters.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  while (at < text.size() && characters > 0) {
    ++at;
    while (at < text.size() && continues_character(text[at])) {
      ++at;
    }
    --characters;
  }
  return at;
}

}  // namespace

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string count_text(std::optional<std::uint64_t> count) {
  return count ? grouped(fmt::format("{}", *count)) : kNone;
}

std::string real_text(std::optional<double> value, int decimals) {
  return value ? grouped(fmt::format("{:.{}f}", *value, decimals)) : kNone;
}

std::string ms_text(std::optional<double> ms) {
  if (!ms) {
    return kNone;
  }
  return real_text(ms, *ms < 9.995 ? 2 : *ms < 99.95 ? 1 : 0);
}

std::string percent_text(std::optional<double> share, int decimals) {
  return share ? real_text(*share * 100, decimals) + "%" : kNone;
}

std::string kbps_text(std::optional<double> bits_per_second) {
  if (!bits_per_second) {
    return kNone;
  }
  return real_text(std::floor(*bits_per_second / 100 + 1e-9) / 10, 1);
}

std::string bytes_text(std::optional<std::uint64_t> bytes) {
  if (!bytes) {
    return kNone;
  }
  static constexpr std::array<const char*, 6> kUnits = {"B", "KB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(*bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits.at(unit));
}

std::string seconds_text(std::optional<double> seconds) {
  if (!seconds) {
    return kNone;
  }
  const bool whole = std::abs(*seconds - std::round(*seconds)) < 0.005;
  return real_text(seconds, whole ? 0 : *seconds < 9.995 ? 2 : 1) + " s";
}

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

std::string printable(std::string_view text, std::size_t most) {
  static constexpr std::string_view kCut = "...";
  std::string clean(text);
  std::replace_if(
      clean.begin(), clean.end(),
      [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }, '?');
  if (width_of(clean) <= most) {
    return clean;
  }
  clean.resize(bytes_of(clean, most - std::min(most, kCut.size())));
  return clean.append(kCut);
}

std::string wrapped(std::string_view lead, std::string_view text, int width) {
  const std::string clean = printable(text);
  const std::size_t indent = width_of(lead);
  const std::size_t room =
      std::max<std::size_t>(static_cast<std::size_t>(std::max(width, 0)), indent + 8) - indent;
  std::string out(lead);
  std::size_t used = 0;
  for (std::size_t at = clean.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = std::min(clean.find(' ', at), clean.size());
    std::string_view word = std::string_view(clean).substr(at, end - at);
    while (!word.empty()) {
      const std::size_t space = used > 0 ? 1 : 0;
      if (used > 0 && used + space + width_of(word) > room) {
        end_line(out);
        out.append(indent, ' ');
        used = 0;
        continue;
      }
      const std::string_view piece = word.substr(0, bytes_of(word, room));
      out.append(space, ' ').append(piece);
      used += space + width_of(piece);
      word.remove_prefix(piece.size());
    }
    at = clean.find_first_not_of(' ', end);
  }
  end_line(out);
  return out;
}

}  // namespace scalemark::analysis
