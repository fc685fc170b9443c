#include "mail_bench/words.h"

#include <algorithm>

#include "core/text.h"

namespace scalemark::mail {

std::string words_of(std::string_view text) {
  std::string words(trimmed(text.substr(0, kMostWords)));
  std::transform(words.begin(), words.end(), words.begin(), [](char byte) {
    const bool printable = byte >= ' ' && byte <= '~';
    return printable ? byte : byte == '\n' || byte == '\r' || byte == '\t' ? ' ' : '?';
  });
  return words;
}

}  // namespace scalemark::mail
