#include "testbed/mail_sink_smtp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "testbed/mail_address.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kMostRecipients = 1000;
constexpr std::size_t kLongestHello = 255;  // of a client's own name

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte > ' ' && byte != 0x7f;
  });
}

/// The number that the whole text is.
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

SmtpDialogue::SmtpDialogue(MailOffice& office, MailOutput& output, std::string client)
    : MailDialogue(output), office_(office), client_(std::move(client)) {}

void SmtpDialogue::greet() {
  say(fmt::format("220 {} ESMTP scalemark sink", office_.plan.name));
}

std::size_t SmtpDialogue::take(std::string_view bytes) {
  return receiving_ ? take_message(bytes) : take_line(bytes);
}

void SmtpDialogue::on_bad_line(std::string_view why) {
  say(fmt::format("500 5.5.2 {}", why));
}

const SmtpDialogue::Verb* SmtpDialogue::find_verb(std::string_view name) {
  static constexpr std::array<Verb, 11> kVerbs = {{{"MAIL", &SmtpDialogue::on_mail},
                                                   {"RCPT", &SmtpDialogue::on_rcpt},
                                                   {"DATA", &SmtpDialogue::on_data},
                                                   {"QUIT", &SmtpDialogue::on_quit},
                                                   {"EHLO", &SmtpDialogue::on_ehlo},
                                                   {"HELO", &SmtpDialogue::on_helo},
                                                   {"AUTH", &SmtpDialogue::on_auth},
                                                   {"RSET", &SmtpDialogue::on_rset},
                                                   {"NOOP", &SmtpDialogue::on_noop},
                                                   {"VRFY", &SmtpDialogue::on_vrfy},
                                                   {"BDAT", &SmtpDialogue::on_bdat}}};
  const auto* const verb = std::find_if(kVerbs.begin(), kVerbs.end(),
                                        [name](const Verb& known) { return same_word(name, known.name); });
  return verb == kVerbs.end() ? nullptr : verb;
}

void SmtpDialogue::on_line(std::string_view line) {
  if (asked_ != Asked::nothing) {
    take_answer(line);
    return;
  }
  const MailCommand command = split_command(line);
  const Verb* verb = find_verb(command.verb);
  if (verb == nullptr) {
    say("500 5.5.2 there is no such command here");
  } else {
    (this->*verb->handler)(command.argument);
  }
}

bool SmtpDialogue::take_hello(std::string_view argument) {
  if (argument.empty() || argument.size() > kLongestHello || !is_printable(argument)) {
    say("501 5.5.4 say your name, as in EHLO client.test");
    return false;
  }
  reset();
  hello_ = argument;
  return true;
}

void SmtpDialogue::on_ehlo(std::string_view argument) {
  if (!take_hello(argument)) {
    return;
  }
  extended_ = true;
  output().add(fmt::format(
      "250-{}\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n"
      "250-ENHANCEDSTATUSCODES\r\n{}250 SIZE {}\r\n",
      office_.plan.name, office_.plan.auth ? "250-AUTH PLAIN LOGIN\r\n" : "", office_.memory.most()));
}

void SmtpDialogue::on_helo(std::string_view argument) {
  if (take_hello(argument)) {
    extended_ = false;
    say(fmt::format("250 {}", office_.plan.name));
  }
}

void SmtpDialogue::on_auth(std::string_view argument) {
  const MailCommand mechanism = split_command(argument);
  if (!office_.plan.auth || !extended_) {
    say("503 5.5.1 AUTH is not offered");
  } else if (known_ || has_sender_) {
    say("503 5.5.1 AUTH comes once, before MAIL");
  } else if (same_word(mechanism.verb, "PLAIN")) {
    ask(Asked::plain, "334 ", mechanism.argument);
  } else if (same_word(mechanism.verb, "LOGIN")) {
    ask(Asked::login_name, "334 VXNlcm5hbWU6", mechanism.argument);
  } else {
    say("504 5.5.4 the mechanisms are PLAIN and LOGIN");
  }
}

void SmtpDialogue::ask(Asked what, std::string_view prompt, std::string_view initial) {
  asked_ = what;
  if (initial.empty()) {
    say(prompt);
  } else {
    take_answer(initial == "=" ? "" : initial);
  }
}

void SmtpDialogue::take_answer(std::string_view line) {
  const Asked asked = std::exchange(asked_, Asked::nothing);
  if (line == "*") {
    say("501 5.7.0 cancelled");
    return;
  }
  if (asked == Asked::plain) {
    check_login(from_auth_plain(line));
    return;
  }
  auto text = from_base64(line);
  if (!text) {
    say("501 5.5.2 that is no Base64");
  } else if (asked == Asked::login_name) {
    login_ = std::move(*text);
    asked_ = Asked::login_password;
    say("334 UGFzc3dvcmQ6");
  } else {
    check_login(Credentials{login_, std::move(*text)});
  }
}

void SmtpDialogue::check_login(const std::optional<Credentials>& who) {
  if (!who) {
    say("501 5.5.2 that is no message of AUTH PLAIN");
    return;
  }
  known_ = office_.accounts.mailbox_of(who->login, who->password).has_value();
  say(known_ ? "235 2.7.0 welcome" : "535 5.7.8 wrong name or password");
}

void SmtpDialogue::on_mail(std::string_view argument) {
  if (hello_.empty()) {
    say("503 5.5.1 say EHLO or HELO first");
    return;
  }
  if (office_.plan.auth && !known_) {
    say("530 5.7.0 say who you are first");
    return;
  }
  if (has_sender_) {
    say("503 5.5.1 there is a sender already");
    return;
  }
  const auto path = mail_path(argument, "FROM:");
  if (!path) {
    say("501 5.5.4 write MAIL FROM:<address>");
    return;
  }
  if (refuse_parameters(path->parameters)) {
    return;
  }
  if (path->needs_utf8 && !utf8_) {
    say("553 5.6.7 this address needs SMTPUTF8");
    return;
  }
  has_sender_ = true;
  say("250 2.1.0 sender ok");
}

bool SmtpDialogue::refuse_parameters(std::string_view parameters) {
  utf8_ = false;
  if (!office_.plan.discard && office_.memory.left() == 0) {
    say("452 4.3.1 no memory left for messages");
    return true;
  }
  while (!parameters.empty()) {
    const MailCommand next = split_command(parameters);
    parameters = next.argument;
    const std::string_view word = next.verb;
    if (same_word(word, "SMTPUTF8")) {
      utf8_ = true;
    } else if (begins_with_word(word, "SIZE=")) {
      const auto size = number_in(word.substr(5));
      if (!size) {
        say("501 5.5.4 SIZE is a number of bytes");
        return true;
      }
      if (!office_.plan.discard && *size > office_.memory.left()) {
        refuse_message(*size);
        return true;
      }
    } else if (!same_word(word, "BODY=8BITMIME") && !same_word(word, "BODY=7BIT") &&
               !begins_with_word(word, "AUTH=")) {
      say("555 5.5.4 there is no such parameter here");
      return true;
    }
  }
  return false;
}

void SmtpDialogue::on_rcpt(std::string_view argument) {
  if (!has_sender_) {
    say("503 5.5.1 MAIL comes first");
    return;
  }
  const auto path = mail_path(argument, "TO:");
  if (!path || path->address.empty()) {
    say("501 5.5.4 write RCPT TO:<address>");
    return;
  }
  if (!path->parameters.empty()) {
    say("555 5.5.4 there is no such parameter here");
    return;
  }
  if (path->needs_utf8 && !utf8_) {
    say("553 5.6.7 this address needs SMTPUTF8");
    return;
  }
  std::string mailbox = mailbox_name(path->address);
  if (!office_.accounts.has_mailbox(mailbox)) {
    say("550 5.1.1 there is no such mailbox here");
    return;
  }
  if (std::find(recipients_.begin(), recipients_.end(), mailbox) == recipients_.end()) {
    if (recipients_.size() == kMostRecipients) {
      say("452 4.5.3 too many recipients");
      return;
    }
    recipients_.push_back(std::move(mailbox));
  }
  say("250 2.1.5 recipient ok");
}

void SmtpDialogue::on_data(std::string_view argument) {
  if (!argument.empty()) {
    say("501 5.5.4 DATA has no argument");
    return;
  }
  if (!has_sender_) {
    say("503 5.5.1 MAIL comes first");
    return;
  }
  if (recipients_.empty()) {
    say("554 5.5.1 there is no recipient");
    return;
  }
  receiving_ = true;
  received_ = 0;
  scanner_ = DotScanner();
  if (!office_.plan.discard) {
    text_ = std::make_unique<MailText>(office_.memory);
    if (!text_->append(received_line())) {
      text_.reset();
    }
  }
  say("354 end with a dot on a line of its own");
}

std::string SmtpDialogue::received_line() {
  const bool v6 = client_.find(':') != std::string::npos;
  return fmt::format("Received: from {} ([{}{}]) by {} (scalemark sink) with {}; {}\r\n", hello_,
                     v6 ? "IPv6:" : "", client_, office_.plan.name,
                     known_      ? "ESMTPA"
                     : extended_ ? "ESMTP"
                                 : "SMTP",
                     office_.date());
}

std::size_t SmtpDialogue::take_message(std::string_view bytes) {
  const std::size_t used = scanner_.scan(bytes);
  received_ += used;
  if (text_ != nullptr && !text_->append(bytes.substr(0, used))) {
    text_.reset();  // at once, so that others have the room
  }
  if (scanner_.ended()) {
    end_message();
  }
  return used;
}

void SmtpDialogue::end_message() {
  const std::uint64_t octets = received_ - kFinalDot.size() - scanner_.stuffed();
  if (office_.plan.discard) {
    for (const std::string& mailbox : recipients_) {
      office_.note_discarded(mailbox, octets);
    }
    say("250 2.0.0 thrown away");
  } else if (text_ == nullptr) {
    ++office_.counters.refused_messages;
    refuse_message(received_);
    reset();
    return;
  } else {
    text_->finish(scanner_.stuffed());
    const std::shared_ptr<const MailText> text = std::move(text_);
    std::uint64_t number = 0;
    for (const std::string& mailbox : recipients_) {
      number = office_.deliver(mailbox, text);
    }
    say(fmt::format("250 2.0.0 kept as {}", office_.uid(number)));
  }
  ++office_.counters.messages;
  office_.counters.message_octets += octets;
  reset();
}

void SmtpDialogue::refuse_message(std::uint64_t octets) {
  say(octets > office_.memory.most() ? "552 5.3.4 the message is larger than what may be kept"
                                     : "452 4.3.1 no memory left for messages");
}

void SmtpDialogue::on_rset(std::string_view /*argument*/) {
  reset();
  say("250 2.0.0 ok");
}

void SmtpDialogue::on_noop(std::string_view /*argument*/) {
  say("250 2.0.0 ok");
}

void SmtpDialogue::on_vrfy(std::string_view /*argument*/) {
  say("252 2.1.5 try to send it");
}

void SmtpDialogue::on_bdat(std::string_view /*argument*/) {
  // Its bytes would be taken for commands.
  say("502 5.5.1 CHUNKING is not offered");
  end();
}

void SmtpDialogue::on_quit(std::string_view /*argument*/) {
  say("221 2.0.0 good bye");
  end();
}

void SmtpDialogue::reset() {
  has_sender_ = false;
  utf8_ = false;
  recipients_.clear();
  receiving_ = false;
  text_.reset();
}

}  // namespace scalemark::testbed
