// Whose mailboxes a run uses.
//
// From a file or from a pattern; each simulated user has one account of its own, sends from it and to it and
// reads it, so no mailbox is ever in two sessions at once. Plain data; the functions are pure except for
// reading the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scalemark::mail {

struct Account {
  std::string address;  ///< "user0001@example.test"
  std::string login;    ///< name at SMTP and POP3; the address unless the file says otherwise
  std::string password;
  std::string node;  ///< host name of the node that holds its mailbox; "" unknown
  friend bool operator==(const Account&, const Account&) = default;
};

/// One account a line: address, password, then, if wanted, node and login, separated by blanks or tabs; "-"
/// for a node that is not known; '#' begins a comment. Throws UsageError with file and line: too few or too
/// many words, no '@', a character that must not stand in an address, an address twice, no account at all.
[[nodiscard]] std::vector<Account> read_accounts(const std::filesystem::path& file);

/// "user{0001..0096}@example.test" with the password pattern "secret{0001..0096}" or a plain one. Braces that
/// have the same range count together. Throws UsageError: no range, different ranges, more than 1,000,000.
[[nodiscard]] std::vector<Account> accounts_of_pattern(const std::string& address,
                                                       const std::string& password);

/// The accounts as a file that read_accounts() reads.
[[nodiscard]] std::string accounts_text(const std::vector<Account>& accounts);

/// Throws UsageError when the address cannot be put into MAIL FROM or RCPT TO: empty parts, blanks, control
/// characters, angle brackets, more than 254 bytes.
void check_address(const std::string& address);
/// Whether it holds bytes that need SMTPUTF8.
[[nodiscard]] bool needs_smtputf8(std::string_view address);

}  // namespace scalemark::mail
