#include "testbed/mail_health.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <optional>
#include <thread>

#include "core/error.h"
#include "core/units.h"
#include "testbed/netns.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(20);
constexpr std::string_view kReceived = "received:";

/// A word that no other message has, of this process or of others on this machine.
std::string fresh_mark() {
  static std::atomic<unsigned> number{0};
  return fmt::format("{}-{}-{}", ::getpid(), SteadyClock().now().time_since_epoch().count(), ++number);
}

std::string message_text(const MailAccount& mailbox, const std::string& mark) {
  return fmt::format(
      "From: <{0}>\r\nTo: <{0}>\r\nSubject: check of an emulated cluster\r\nX-Scalemark-Check: {1}\r\n\r\n"
      "This message shows that mail flows. It is removed at once.\r\n",
      mailbox.address, mark);
}

bool begins_with(std::string_view text, std::string_view small_letters) {
  if (text.size() < small_letters.size()) {
    return false;
  }
  for (std::size_t i = 0; i < small_letters.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != small_letters[i]) {
      return false;
    }
  }
  return true;
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n' || letter == ';';
}

/// The value of the topmost Received field, its further lines included.
std::string_view topmost_received(std::string_view message) {
  while (!message.empty()) {
    std::size_t end = message.find('\n');
    while (end != std::string_view::npos && end + 1 < message.size() &&
           (message[end + 1] == ' ' || message[end + 1] == '\t')) {
      end = message.find('\n', end + 1);
    }
    const std::string_view field = message.substr(0, end);
    if (field.empty() || field == "\r") {
      return {};  // the end of the head
    }
    if (begins_with(field, kReceived)) {
      return field.substr(kReceived.size());
    }
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  return {};
}

/// What one look into the mailbox found: the message that has the mark, taken out.
std::optional<std::string> take_out(const MailCheck& check, const std::string& mark, TimePoint deadline) {
  Pop3Client session(check.door, check.mailbox.address, check.mailbox.password, deadline);
  // From the newest on: what an earlier check may have left is not fetched again and again.
  for (unsigned number = session.count(); number > 0; --number) {
    std::string message = session.fetch(number);
    if (message.find(mark) != std::string::npos) {
      session.remove(number);
      session.quit();
      return message;
    }
  }
  session.quit();
  return std::nullopt;
}

std::string await_message(const MailCheck& check, const std::string& mark, TimePoint deadline,
                          Duration timeout) {
  std::string trouble;
  while (SteadyClock().now() < deadline) {
    try {
      if (const auto message = take_out(check, mark, deadline)) {
        return *message;
      }
      trouble.clear();
    } catch (const MailTrouble& error) {  // somebody else's session, perhaps
      trouble = error.what();
    }
    std::this_thread::sleep_for(kLookAgain);
  }
  throw MailTrouble(fmt::format("a message to {} was taken in, but is not in its mailbox after {}{}{}",
                                check.mailbox.address, format_duration(timeout), trouble.empty() ? "" : ": ",
                                trouble));
}

}  // namespace

std::string received_by(std::string_view message) {
  std::string_view value = topmost_received(message);
  unsigned depth = 0;  // of brackets, which hold comments
  bool next_is_host = false;
  while (!value.empty()) {
    if (is_blank(value.front())) {
      value.remove_prefix(1);
      continue;
    }
    if (value.front() == '(' || value.front() == ')') {
      depth = value.front() == '(' ? depth + 1 : depth - (depth > 0 ? 1 : 0);
      value.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(value.find_first_of(" \t\r\n();"), value.size());
    const std::string_view word = value.substr(0, end);
    value.remove_prefix(end);
    if (depth == 0 && next_is_host) {
      return std::string(word);
    }
    next_is_host = depth == 0 && word == "by";
  }
  return {};
}

std::string check_mailbox(const MailCheck& check, Duration timeout) {
  if (!check.door.netns.empty() && !netns_exists(check.door.netns)) {
    throw RunError(fmt::format("there is no network namespace '{}'", check.door.netns));
  }
  const TimePoint deadline = SteadyClock().now() + timeout;
  const std::string mark = fresh_mark();
  try {
    // First of all, so that nothing is sent to where nobody can take it out.
    Pop3Client(check.door, check.mailbox.address, check.mailbox.password, deadline).quit();
    deliver(check.door, check.mailbox.address, check.mailbox.address, message_text(check.mailbox, mark),
            deadline);
    const std::string host = received_by(await_message(check, mark, deadline, timeout));
    return host == check.host ? ""
                              : fmt::format("the map names {} for {}, but {} has its mail", check.host,
                                            check.mailbox.address, host.empty() ? "an unknown host" : host);
  } catch (const MailTrouble& trouble) {
    return trouble.what();
  }
}

}  // namespace scalemark::testbed
