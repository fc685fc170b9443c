// Small helpers on text. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace scalemark {

/// Without the blanks and tabs at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The last line of a text that may end with line feeds.
[[nodiscard]] inline std::string last_line(std::string_view text) {
  const auto last = text.find_last_not_of('\n');
  if (last == std::string_view::npos) {
    return "";
  }
  text = text.substr(0, last + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace scalemark
