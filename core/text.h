// Small helpers on text. Pure and thread-safe.
#pragma once

#include <cstdint>
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

/// The word for so many things: "node" for 1, else "nodes", or `words` where an "s" does not do.
[[nodiscard]] inline std::string word_for(std::uint64_t count, std::string_view word,
                                          std::string_view words = "") {
  return count == 1 ? std::string(word) : words.empty() ? std::string(word) + "s" : std::string(words);
}

/// "1 node", "8 nodes", "2 directories".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view word,
                                         std::string_view words = "") {
  return std::to_string(count) + " " + word_for(count, word, words);
}

}  // namespace scalemark
