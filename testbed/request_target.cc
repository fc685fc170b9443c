#include "testbed/request_target.h"

#include <vector>

namespace scalemark::testbed {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') {
      return std::nullopt;
    }
    decoded += c;
  }
  return decoded;
}

// Origin form "/path", or absolute form "http://authority/path", which a proxy's client would send.
std::optional<std::string_view> path_part(std::string_view target) {
  static constexpr std::string_view kScheme = "http://";
  if (target.substr(0, kScheme.size()) == kScheme) {
    const std::size_t slash = target.find('/', kScheme.size());
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  if (target.empty() || target.front() != '/') {
    return std::nullopt;
  }
  return target.substr(0, target.find_first_of("?#"));
}

}  // namespace

std::optional<std::string> relative_path_of(std::string_view target) {
  const auto encoded = path_part(target);
  const auto path = encoded ? percent_decode(*encoded) : std::nullopt;
  if (!path) {
    return std::nullopt;
  }
  // Segments are judged after decoding, so that %2e%2e and %2f mean what the file system would make of them.
  std::vector<std::string_view> kept;
  std::string_view rest = *path;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const std::string_view segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(segment.size());
    if (segment == "..") {
      if (kept.empty()) {
        return std::nullopt;
      }
      kept.pop_back();
    } else if (!segment.empty() && segment != ".") {
      kept.push_back(segment);
    }
  }
  std::string relative;
  for (const std::string_view segment : kept) {
    relative.append(relative.empty() ? "" : "/").append(segment);
  }
  if (!relative.empty() && path->back() == '/') {
    relative += '/';
  }
  return relative;
}

}  // namespace scalemark::testbed
