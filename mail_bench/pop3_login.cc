#include "mail_bench/pop3_login.h"

#include <openssl/evp.h>

#include <array>

#include "mail_bench/smtp_commands.h"

namespace scalemark::mail {
namespace {

constexpr std::size_t kMostCommand = 255;  // bytes with CRLF (RFC 2449, 4)

}  // namespace

bool append_apop(std::string& to, std::string_view time_stamp, const Pop3Session::Login& login) {
  std::string secret(time_stamp);
  secret += login.password;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(secret.data(), secret.size(), digest.data(), &size, EVP_md5(), nullptr) != 1) {
    return false;
  }
  to += "APOP ";
  to += login.name;
  to += ' ';
  for (unsigned i = 0; i < size; ++i) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    to += kDigits[digest[i] >> 4U];
    to += kDigits[digest[i] & 0xFU];
  }
  to += "\r\n";
  return true;
}

bool append_auth_plain(std::string& to, const Pop3Session::Login& login) {
  const std::size_t begin = to.size();
  to += "AUTH PLAIN ";
  append_plain_response(to, login);
  if (to.size() - begin <= kMostCommand) {
    return true;
  }
  to.resize(begin);
  to += "AUTH PLAIN\r\n";
  return false;
}

void append_plain_response(std::string& to, const Pop3Session::Login& login) {
  append_plain_login(to, {login.name, login.password});
  to += "\r\n";
}

}  // namespace scalemark::mail
