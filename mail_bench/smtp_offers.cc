#include "mail_bench/smtp_offers.h"

#include <algorithm>

namespace scalemark::mail {
namespace {

char upper(char byte) {
  return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
}

/// Whether a word is `keyword`, which is in capitals, in any case.
bool is(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                    [](char byte, char capital) { return upper(byte) == capital; });
}

/// Takes the first word, up to one of `separators`, off the text.
std::string_view take_word(std::string_view& text, std::string_view separators) {
  const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
  const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

void take_offer(std::string_view line, SmtpOffers& offers) {
  // "AUTH=PLAIN", from before RFC 4954, is still about.
  const std::string_view keyword = take_word(line, " =");
  offers.starttls |= is(keyword, "STARTTLS");
  offers.pipelining |= is(keyword, "PIPELINING");
  offers.size |= is(keyword, "SIZE");
  offers.eight_bit_mime |= is(keyword, "8BITMIME");
  offers.smtputf8 |= is(keyword, "SMTPUTF8");
  if (is(keyword, "AUTH")) {
    while (!line.empty()) {
      const std::string_view mechanism = take_word(line, " =");
      offers.auth_plain |= is(mechanism, "PLAIN");
      offers.auth_login |= is(mechanism, "LOGIN");
    }
  }
}

}  // namespace

SmtpOffers offers_in(std::string_view reply_text) {
  SmtpOffers offers;
  take_word(reply_text, "\n");
  while (!reply_text.empty()) {
    take_offer(take_word(reply_text, "\n"), offers);
  }
  return offers;
}

}  // namespace scalemark::mail
