// Who may use the built-in mail sink, and the messages in which a client says who it is.
//
// Without accounts everybody has a mailbox and any password is right. Immutable once made; the functions are
// pure. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace scalemark::testbed {

/// A mailbox and how to get into it.
struct MailSinkAccount {
  std::string address;
  std::string login;
  std::string password;
};

class MailAccounts {
 public:
  /// None: everybody. Throws UsageError when two accounts have the same address or login.
  explicit MailAccounts(const std::vector<MailSinkAccount>& accounts);

  /// Whether there is a mailbox of that name (mailbox_name() of an address).
  [[nodiscard]] bool has_mailbox(const std::string& mailbox) const;
  /// The mailbox of whoever knows the password; none when the two do not belong together.
  [[nodiscard]] std::optional<std::string> mailbox_of(const std::string& login,
                                                      std::string_view password) const;

 private:
  struct Entry {
    std::string mailbox;
    std::string password;
  };
  std::unordered_map<std::string, Entry> by_login_;
  std::unordered_set<std::string> mailboxes_;
};

struct Credentials {
  std::string login;
  std::string password;
};

/// What a text in Base64 stands for (RFC 4648 4, with its padding); none when it is no such text.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);
/// The message of AUTH PLAIN (RFC 4616) in Base64: [authorisation] NUL login NUL password. None when it is
/// none, or when it asks to act for somebody else.
[[nodiscard]] std::optional<Credentials> from_auth_plain(std::string_view text);

}  // namespace scalemark::testbed
