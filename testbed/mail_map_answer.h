// What a mail proxy asks the mail map, and what it is told.
//
// nginx's mail proxy asks by HTTP headers which server a client's session is to be passed on to (its
// auth_http protocol: http://nginx.org/en/docs/mail/ngx_mail_auth_http_module.html), and takes the answer
// from headers, too. For SMTP without a login it asks at the first RCPT, whose mailbox's node then gets the
// whole session; for POP3, and for SMTP with a login, at the password.
//
// A mailbox's name is compared in lower case as a whole, local part included: standards leave the case of the
// local part to the receiving host, and mail servers overlook it. So the names in the database must be lower
// case (ASCII letters; others are left as they are). Passwords are compared as they are.
//
// Everything here is pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scalemark::testbed {

/// The headers of a question, as they came; "" what was not there.
struct MailMapHeaders {
  std::string protocol;   ///< Auth-Protocol: "smtp", "pop3"
  std::string method;     ///< Auth-Method: "none", "plain"
  std::string user;       ///< Auth-User, URL-encoded
  std::string password;   ///< Auth-Pass, URL-encoded
  std::string recipient;  ///< Auth-SMTP-To: the client's command, "RCPT TO:<a@b.test> SIZE=5"
};

enum class MailMapProtocol : std::uint8_t { smtp, pop3 };

/// A question that the database can answer.
struct MailMapQuestion {
  MailMapProtocol protocol = MailMapProtocol::smtp;
  std::string name;                     ///< of the mailbox, in lower case
  std::optional<std::string> password;  ///< what the client says it is; none: nobody logs in
};

/// What becomes of a question. Those from `timed_out` on are temporary failures.
enum class MailMapOutcome : std::uint8_t {
  found,
  unknown,         ///< there is no such mailbox
  wrong_password,  ///< there is, and its password is another
  refused,         ///< not a question that this map answers
  timed_out,       ///< the database was there and not quick enough
  line_full,       ///< too many look-ups waited already
  away,            ///< no connection to the database in time
  failed,          ///< the database answered with an error
  no_node,         ///< the mailbox has no node, or none that is an address
  stopping,        ///< the service ended
};
inline constexpr std::size_t kMailMapOutcomes = 10;

/// For people: "found", "too many waiting".
[[nodiscard]] const char* words_of(MailMapOutcome outcome);
[[nodiscard]] constexpr bool is_temporary(MailMapOutcome outcome) {
  return outcome >= MailMapOutcome::timed_out;
}

/// What the database said of a mailbox.
struct MailMapRow {
  MailMapOutcome end = MailMapOutcome::away;  ///< `found`: there is a row; all others: there is none
  std::string node;                           ///< an address; "" when the row has none
  std::optional<std::string> password;
};

/// The ports of the nodes' servers.
struct MailMapPorts {
  std::uint32_t smtp = 25;
  std::uint32_t pop3 = 110;
};

struct MailMapAnswer {
  MailMapOutcome outcome = MailMapOutcome::refused;
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// What is to be looked up, or the answer to what makes no sense to look up.
[[nodiscard]] std::variant<MailMapQuestion, MailMapAnswer> understand(const MailMapHeaders& headers);

/// The answer to a question, from what the look-up came to.
[[nodiscard]] MailMapAnswer answer_to(const MailMapQuestion& question, const MailMapRow& row,
                                      const MailMapPorts& ports);

}  // namespace scalemark::testbed
