// The commands of an SMTP client that carry something, as bytes for the wire. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "mail_bench/smtp_offers.h"
#include "mail_bench/smtp_session.h"

namespace scalemark::mail {

/// "MAIL FROM:<sender>" with the parameters that the server offers and the message needs: SIZE always,
/// BODY=8BITMIME for a text of more than ASCII, SMTPUTF8 for such addresses.
void append_mail_from(std::string& to, const Envelope& envelope, const SmtpOffers& offers);
/// "RCPT TO:<recipient>".
void append_rcpt_to(std::string& to, const Envelope& envelope);
/// Whether an address of the envelope can only be said under SMTPUTF8 (RFC 6531).
[[nodiscard]] bool needs_smtputf8(const Envelope& envelope);

/// RFC 4648, without line ends.
void append_base64(std::string& to, std::string_view bytes);
/// What AUTH PLAIN says (RFC 4616), in Base64.
void append_plain_login(std::string& to, const SmtpLogin& login);

}  // namespace scalemark::mail
