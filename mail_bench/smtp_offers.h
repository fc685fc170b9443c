// What a server offers in its reply to EHLO (RFC 5321, 4.1.1.1). Pure and thread-safe.
#pragma once

#include <string_view>

namespace scalemark::mail {

struct SmtpOffers {
  bool starttls = false;
  bool pipelining = false;
  bool size = false;
  bool eight_bit_mime = false;
  bool smtputf8 = false;
  bool auth_plain = false;
  bool auth_login = false;
};

/// Reads the text of a reply to EHLO: the first line is the server's name, each further one an offer. Those
/// that are not known do not matter.
[[nodiscard]] SmtpOffers offers_in(std::string_view reply_text);

}  // namespace scalemark::mail
