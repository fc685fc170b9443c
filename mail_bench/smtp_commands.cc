#include "mail_bench/smtp_commands.h"

#include <openssl/evp.h>

#include "mail_bench/accounts.h"

namespace scalemark::mail {
namespace {

bool has_eight_bit(std::string_view text) {
  unsigned char seen = 0;  // looked at only in the end, so that many bytes are taken at once
  for (const char byte : text) {
    seen |= static_cast<unsigned char>(byte);
  }
  return (seen & 0x80U) != 0;
}

}  // namespace

void append_mail_from(std::string& to, const Envelope& envelope, const SmtpOffers& offers) {
  to += "MAIL FROM:<";
  to += envelope.sender;
  to += '>';
  if (offers.size) {
    to += " SIZE=";
    to += std::to_string(envelope.text.size());
  }
  if (offers.eight_bit_mime && has_eight_bit(envelope.text)) {
    to += " BODY=8BITMIME";
  }
  if (offers.smtputf8 && needs_smtputf8(envelope)) {
    to += " SMTPUTF8";
  }
  to += "\r\n";
}

void append_rcpt_to(std::string& to, const Envelope& envelope) {
  to += "RCPT TO:<";
  to += envelope.recipient;
  to += ">\r\n";
}

bool needs_smtputf8(const Envelope& envelope) {
  return needs_smtputf8(envelope.sender) || needs_smtputf8(envelope.recipient);
}

void append_base64(std::string& to, std::string_view bytes) {
  const std::size_t begin = to.size();
  const std::size_t length = (bytes.size() + 2) / 3 * 4;
  to.resize(begin + length + 1);  // OpenSSL adds a NUL
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(to.data() + begin),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  to.resize(begin + length);
}

void append_plain_login(std::string& to, const SmtpLogin& login) {
  std::string words(1, '\0');
  words += login.name;
  words += '\0';
  words += login.password;
  append_base64(to, words);
}

}  // namespace scalemark::mail
