#include "testbed/mail_map_answer.h"

#include <arpa/inet.h>
#include <event2/http.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/text.h"
#include "testbed/mail_address.h"
#include "testbed/mail_dialogue.h"

namespace scalemark::testbed {
namespace {

using Outcome = MailMapOutcome;

constexpr std::array<const char*, kMailMapOutcomes> kWords = {
    "found",          "unknown",          "wrong password",
    "not understood", "database slow",    "too many waiting",
    "database away",  "database's error", "mailbox without node",
    "service ending"};

std::string url_decoded(const std::string& text) {
  std::size_t size = 0;
  const std::unique_ptr<char, void (*)(void*)> decoded(evhttp_uridecode(text.c_str(), 0, &size), std::free);
  return decoded == nullptr ? std::string() : std::string(decoded.get(), size);
}

std::string lower_case(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return text;
}

/// The address in "RCPT TO:<a@b.test> SIZE=5"; a blank before it is overlooked, as most servers do. None when
/// there is none.
std::optional<std::string> address_in(std::string_view command) {
  constexpr std::string_view kCommand = "RCPT";
  constexpr std::string_view kKeyword = "TO:";
  if (!begins_with_word(command, kCommand)) {
    return std::nullopt;
  }
  command = trimmed(command.substr(kCommand.size()));
  if (!begins_with_word(command, kKeyword)) {
    return std::nullopt;
  }
  const std::string path = std::string(kKeyword) + std::string(trimmed(command.substr(kKeyword.size())));
  const auto read = mail_path(path, kKeyword);
  if (!read || read->address.empty()) {
    return std::nullopt;
  }
  return std::string(read->address);
}

/// Whether nginx can connect to it; it looks no names up.
bool is_address(const std::string& text) {
  in6_addr ignored{};
  return ::inet_pton(AF_INET, text.c_str(), &ignored) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

/// An answer that is no address. `code` is for SMTP and left out for POP3, which has none.
MailMapAnswer refusal(Outcome outcome, bool smtp, const std::string& status, const std::string& code) {
  MailMapAnswer answer{outcome, {{"Auth-Status", status}}};
  if (smtp) {
    answer.headers.emplace_back("Auth-Error-Code", code);
  }
  return answer;
}

/// The proxy holds it back for a second, so that clients who try again at once are slowed down.
MailMapAnswer temporary_failure(Outcome outcome, bool smtp) {
  // The words in brackets are POP3's code for it (RFC 3206).
  MailMapAnswer answer =
      refusal(outcome, smtp, smtp ? "temporary failure" : "[SYS/TEMP] temporary failure", "451 4.3.0");
  answer.headers.emplace_back("Auth-Wait", "1");
  return answer;
}

MailMapAnswer wrong_login(Outcome outcome, bool smtp) {
  return refusal(outcome, smtp, "Invalid login or password", "535 5.7.8");
}

}  // namespace

const char* words_of(MailMapOutcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome));
}

std::variant<MailMapQuestion, MailMapAnswer> understand(const MailMapHeaders& headers) {
  const bool smtp = headers.protocol == "smtp";
  if (!smtp && headers.protocol != "pop3") {
    return refusal(Outcome::refused, false, "this mail map knows smtp and pop3 alone", "");
  }
  MailMapQuestion question{smtp ? MailMapProtocol::smtp : MailMapProtocol::pop3, "", std::nullopt};
  if (smtp && headers.method == "none") {
    const auto address = address_in(headers.recipient);
    if (!address) {
      return refusal(Outcome::refused, smtp, "bad recipient address", "501 5.1.3");
    }
    question.name = lower_case(*address);
    return question;
  }
  if (headers.method != "plain") {
    return refusal(Outcome::refused, smtp, "this way to log in is not supported", "504 5.5.4");
  }
  question.name = lower_case(url_decoded(headers.user));
  question.password = url_decoded(headers.password);
  // The database would take a name to end at the zero byte, and find another's mailbox.
  if (question.name.empty() || question.name.find('\0') != std::string::npos) {
    return wrong_login(Outcome::refused, smtp);
  }
  return question;
}

MailMapAnswer answer_to(const MailMapQuestion& question, const MailMapRow& row, const MailMapPorts& ports) {
  const bool smtp = question.protocol == MailMapProtocol::smtp;
  if (row.end == Outcome::unknown) {
    return question.password ? wrong_login(Outcome::unknown, smtp)
                             : refusal(Outcome::unknown, smtp, "no such mailbox", "550 5.1.1");
  }
  if (row.end != Outcome::found) {
    return temporary_failure(row.end, smtp);
  }
  if (question.password && question.password != row.password) {
    return wrong_login(Outcome::wrong_password, smtp);
  }
  if (!is_address(row.node)) {
    return temporary_failure(Outcome::no_node, smtp);
  }
  return {Outcome::found,
          {{"Auth-Status", "OK"},
           {"Auth-Server", row.node},
           {"Auth-Port", std::to_string(smtp ? ports.smtp : ports.pop3)}}};
}

}  // namespace scalemark::testbed
