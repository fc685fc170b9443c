#include "mail_bench/pop3_reply.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace scalemark::mail {
namespace {

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

/// Takes a word off the front of a text, and the blanks after it.
std::string_view take_first_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.find_first_not_of(' ', word.size()), text.size()));
  return word;
}

std::optional<std::uint32_t> number_in(std::string_view word) {
  std::uint32_t number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = fault == std::errc{} && end == word.data() + word.size();
  return whole ? std::optional(number) : std::nullopt;
}

template <std::size_t Count>
bool has_any(std::string_view text, const std::array<std::string_view, Count>& phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return text.find(phrase) != std::string_view::npos; });
}

/// Whether a word of the text begins with "lock": neither "unlocked" nor "blocked".
bool speaks_of_a_lock(std::string_view text) {
  for (std::size_t at = text.find("lock"); at != std::string_view::npos; at = text.find("lock", at + 1)) {
    if (at == 0 || text[at - 1] < 'a' || text[at - 1] > 'z') {
      return true;
    }
  }
  return false;
}

/// An account that is locked is no mailbox that is locked.
bool says_locked(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kMailbox = {"mailbox",   "mail box", "maildrop",
                                                               "mail drop", "inbox",    "spool"};
  static constexpr std::array<std::string_view, 2> kBusy = {"busy", "already open"};
  static constexpr std::array<std::string_view, 4> kByItself = {"in use", "lock busy", "another session",
                                                                "another pop"};
  return has_any(text, kByItself) ||
         (has_any(text, kMailbox) && (speaks_of_a_lock(text) || has_any(text, kBusy)));
}

/// What proxies and overloaded servers say, most of them without a code.
bool says_temporary(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kPhrases = {
      "temporar",    "try again",      "try later", "internal server error", "internal error",
      "unavailable", "too many conne", "timed out", "maximum number of"};
  return has_any(text, kPhrases);
}

Pop3Refusal refusal_of_code(std::string_view code) {
  struct Meaning {
    std::string_view code;
    Pop3Refusal refusal;
  };
  static constexpr std::array<Meaning, 5> kMeanings = {{{"IN-USE", Pop3Refusal::locked},
                                                        {"SYS/TEMP", Pop3Refusal::temporary},
                                                        {"LOGIN-DELAY", Pop3Refusal::temporary},
                                                        {"SYS/PERM", Pop3Refusal::login},
                                                        {"AUTH", Pop3Refusal::login}}};
  const auto* found = std::find_if(kMeanings.begin(), kMeanings.end(),
                                   [&](const Meaning& meaning) { return same(meaning.code, code); });
  return found == kMeanings.end() ? Pop3Refusal::none : found->refusal;
}

}  // namespace

Pop3Reply read_pop3_reply(std::string_view line) {
  std::string_view text = line;
  const std::string_view word = take_first_word(text);
  if (word == "+OK") {
    return {Pop3Status::ok, text};
  }
  if (word == "-ERR") {
    return {Pop3Status::error, text};
  }
  return word == "+" ? Pop3Reply{Pop3Status::go_on, text} : Pop3Reply{Pop3Status::malformed, line};
}

Pop3Refusal refusal_of(std::string_view text, bool login) {
  if (text.starts_with('[')) {
    const std::string_view inside = text.substr(1, text.find(']') - 1);
    const Pop3Refusal refusal = refusal_of_code(inside.substr(0, inside.find(' ')));
    if (refusal != Pop3Refusal::none) {
      return refusal;
    }
  }
  std::string words(text);
  std::transform(words.begin(), words.end(), words.begin(), lower);
  if (says_locked(words)) {
    return Pop3Refusal::locked;
  }
  return login && !says_temporary(words) ? Pop3Refusal::login : Pop3Refusal::temporary;
}

std::string_view time_stamp_of(std::string_view greeting) {
  const std::size_t begin = greeting.find('<');
  const std::size_t end = greeting.find('>', std::min(begin, greeting.size()));
  if (end == std::string_view::npos) {
    return {};
  }
  const std::string_view stamp = greeting.substr(begin, end + 1 - begin);
  return stamp.find('@') == std::string_view::npos ? std::string_view{} : stamp;
}

std::optional<std::uint32_t> read_message_count(std::string_view text) {
  return number_in(take_first_word(text));
}

std::optional<Pop3Uid> read_uid(std::string_view line) {
  const std::optional<std::uint32_t> number = number_in(take_first_word(line));
  const std::string_view uid = take_first_word(line);
  if (!number || *number == 0 || uid.empty()) {
    return std::nullopt;
  }
  return Pop3Uid{*number, uid};
}

void Pop3Offers::note(std::string_view line) {
  const std::string_view keyword = take_first_word(line);
  if (same(keyword, "STLS")) {
    stls = true;
  } else if (same(keyword, "SASL")) {
    while (!line.empty()) {
      sasl_plain = same(take_first_word(line), "PLAIN") || sasl_plain;
    }
  }
}

}  // namespace scalemark::mail
