#include "testbed/mail_sink_accounts.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/error.h"
#include "testbed/mail_store.h"

namespace scalemark::testbed {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

MailAccounts::MailAccounts(const std::vector<MailSinkAccount>& accounts) {
  for (const MailSinkAccount& account : accounts) {
    std::string mailbox = mailbox_name(account.address);
    if (!mailboxes_.insert(mailbox).second) {
      throw UsageError(fmt::format(
          "the address '{}' stands in more than one account; upper and lower case are not told apart",
          account.address));
    }
    if (!by_login_.try_emplace(account.login, Entry{std::move(mailbox), account.password}).second) {
      throw UsageError(
          fmt::format("more than one account has the login '{}'; give each its own", account.login));
    }
  }
}

bool MailAccounts::has_mailbox(const std::string& mailbox) const {
  return mailboxes_.empty() || mailboxes_.contains(mailbox);
}

std::optional<std::string> MailAccounts::mailbox_of(const std::string& login,
                                                    std::string_view password) const {
  if (by_login_.empty()) {
    return mailbox_name(login);
  }
  const auto found = by_login_.find(login);
  if (found == by_login_.end() || found->second.password != password) {
    return std::nullopt;
  }
  return found->second.mailbox;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  for (int i = 0; i < 2 && text.ends_with('='); ++i) {
    text.remove_suffix(1);
  }
  std::string bytes;
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const auto value = kAlphabet.find(letter);
    if (value == std::string_view::npos) {
      return std::nullopt;
    }
    group = (group << 6) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>((group >> bits) & 0xff);
    }
  }
  return bytes;
}

std::optional<Credentials> from_auth_plain(std::string_view text) {
  const auto bytes = from_base64(text);
  const auto first = bytes ? bytes->find('\0') : std::string::npos;
  const auto second = first == std::string::npos ? first : bytes->find('\0', first + 1);
  if (second == std::string::npos || bytes->find('\0', second + 1) != std::string::npos) {
    return std::nullopt;
  }
  Credentials who{bytes->substr(first + 1, second - first - 1), bytes->substr(second + 1)};
  const std::string_view acting_for = std::string_view(*bytes).substr(0, first);
  if (who.login.empty() || (!acting_for.empty() && acting_for != who.login)) {
    return std::nullopt;
  }
  return who;
}

}  // namespace scalemark::testbed
