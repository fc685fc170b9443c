#include "testbed/mail_sink_pop3.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/text.h"

namespace scalemark::testbed {

Pop3Dialogue::Pop3Dialogue(MailOffice& office, MailOutput& output) : MailDialogue(output), office_(office) {}

void Pop3Dialogue::greet() {
  say(fmt::format("+OK {} scalemark sink", office_.plan.name));
}

void Pop3Dialogue::on_bad_line(std::string_view why) {
  say(fmt::format("-ERR {}", why));
}

const Pop3Dialogue::Verb* Pop3Dialogue::find_verb(std::string_view name) {
  static constexpr std::array<Verb, 13> kVerbs = {{{"USER", When::before_login, &Pop3Dialogue::on_user},
                                                   {"PASS", When::before_login, &Pop3Dialogue::on_pass},
                                                   {"STAT", When::logged_in, &Pop3Dialogue::on_stat},
                                                   {"UIDL", When::logged_in, &Pop3Dialogue::on_uidl},
                                                   {"RETR", When::logged_in, &Pop3Dialogue::on_retr},
                                                   {"DELE", When::logged_in, &Pop3Dialogue::on_dele},
                                                   {"QUIT", When::ever, &Pop3Dialogue::on_quit},
                                                   {"LIST", When::logged_in, &Pop3Dialogue::on_list},
                                                   {"AUTH", When::before_login, &Pop3Dialogue::on_auth},
                                                   {"CAPA", When::ever, &Pop3Dialogue::on_capa},
                                                   {"TOP", When::logged_in, &Pop3Dialogue::on_top},
                                                   {"RSET", When::logged_in, &Pop3Dialogue::on_rset},
                                                   {"NOOP", When::logged_in, &Pop3Dialogue::on_noop}}};
  const auto* const verb = std::find_if(kVerbs.begin(), kVerbs.end(),
                                        [name](const Verb& known) { return same_word(name, known.name); });
  return verb == kVerbs.end() ? nullptr : verb;
}

void Pop3Dialogue::on_line(std::string_view line) {
  if (asked_) {
    take_plain(line);
    return;
  }
  const MailCommand command = split_command(line);
  const Verb* verb = find_verb(command.verb);
  if (verb == nullptr) {
    say("-ERR there is no such command here");
  } else if (verb->when == When::before_login && session_ != nullptr) {
    say("-ERR somebody is logged in");
  } else if (verb->when == When::logged_in && session_ == nullptr) {
    say("-ERR log in first");
  } else {
    (this->*verb->handler)(command.argument);
  }
}

void Pop3Dialogue::on_user(std::string_view argument) {
  if (argument.empty()) {
    say("-ERR USER needs a name");
    return;
  }
  user_ = argument;
  say("+OK now the password");
}

void Pop3Dialogue::on_pass(std::string_view argument) {
  if (user_.empty()) {
    say("-ERR USER comes first");
    return;
  }
  log_in(std::exchange(user_, {}), argument);
}

void Pop3Dialogue::on_auth(std::string_view argument) {
  const MailCommand mechanism = split_command(argument);
  if (!same_word(mechanism.verb, "PLAIN")) {
    say("-ERR the mechanism is PLAIN");
  } else if (mechanism.argument.empty()) {
    asked_ = true;
    say("+ ");
  } else {
    take_plain(mechanism.argument);
  }
}

void Pop3Dialogue::take_plain(std::string_view message) {
  asked_ = false;
  const auto who = from_auth_plain(message);
  if (!who) {
    say(message == "*" ? "-ERR cancelled" : "-ERR that is no message of AUTH PLAIN");
    return;
  }
  log_in(who->login, who->password);
}

void Pop3Dialogue::log_in(const std::string& login, std::string_view password) {
  auto mailbox = office_.accounts.mailbox_of(login, password);
  if (!mailbox) {
    say("-ERR [AUTH] wrong name or password");
    return;
  }
  session_ = office_.store.open(*mailbox, office_.clock.now());
  if (session_ == nullptr) {
    ++office_.counters.locked;
    say("-ERR [IN-USE] another session has the mailbox open");
    return;
  }
  ++office_.counters.sessions;
  mailbox_ = std::move(*mailbox);
  say(fmt::format("+OK {}", counted(session_->size(), "message")));
}

void Pop3Dialogue::on_capa(std::string_view /*argument*/) {
  output().add(
      "+OK\r\nUSER\r\nSASL PLAIN\r\nTOP\r\nUIDL\r\nPIPELINING\r\nRESP-CODES\r\nAUTH-RESP-CODE\r\n"
      "IMPLEMENTATION scalemark-sink\r\n.\r\n");
}

void Pop3Dialogue::on_stat(std::string_view /*argument*/) {
  const auto [count, octets] = session_->unmarked();
  say(fmt::format("+OK {} {}", count, octets));
}

std::optional<std::size_t> Pop3Dialogue::place_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size() || number == 0 || number > session_->size() ||
      session_->marked(number - 1)) {
    say("-ERR there is no such message");
    return std::nullopt;
  }
  return number - 1;
}

template <typename Fact>
void Pop3Dialogue::list(std::string_view argument, Fact fact) {
  if (!argument.empty()) {
    if (const auto place = place_of(argument)) {
      say(fmt::format("+OK {} {}", *place + 1, fact(session_->mail(*place))));
    }
    return;
  }
  fmt::memory_buffer lines;
  fmt::format_to(std::back_inserter(lines), "+OK\r\n");
  for (std::size_t place = 0; place < session_->size(); ++place) {
    if (!session_->marked(place)) {
      fmt::format_to(std::back_inserter(lines), "{} {}\r\n", place + 1, fact(session_->mail(place)));
    }
  }
  fmt::format_to(std::back_inserter(lines), ".\r\n");
  output().add({lines.data(), lines.size()});
}

void Pop3Dialogue::on_list(std::string_view argument) {
  list(argument, [](const KeptMail& mail) { return mail.text->octets(); });
}

void Pop3Dialogue::on_uidl(std::string_view argument) {
  list(argument, [this](const KeptMail& mail) { return office_.uid(mail.number); });
}

void Pop3Dialogue::on_retr(std::string_view argument) {
  const auto place = place_of(argument);
  if (!place) {
    return;
  }
  const KeptMail& mail = session_->mail(*place);
  say(fmt::format("+OK {} octets", mail.text->octets()));
  output().add(mail.text, mail.text->wire().size());
  ++office_.counters.retrieved;
  office_.note("retrieved", mailbox_, mail.number, mail.text->octets());
}

void Pop3Dialogue::on_top(std::string_view argument) {
  const MailCommand which = split_command(argument);
  std::uint64_t lines = 0;
  const std::string_view count = which.argument;
  const auto [end, fault] = std::from_chars(count.data(), count.data() + count.size(), lines);
  if (fault != std::errc{} || end != count.data() + count.size()) {
    say("-ERR write TOP message lines");
    return;
  }
  const auto place = place_of(which.verb);
  if (!place) {
    return;
  }
  const auto& text = session_->mail(*place).text;
  const std::size_t bytes = text->top(lines);
  say("+OK");
  output().add(text, bytes);
  if (bytes < text->wire().size()) {
    output().add(kFinalDot);
  }
}

void Pop3Dialogue::on_dele(std::string_view argument) {
  if (const auto place = place_of(argument)) {
    session_->mark(*place);
    say("+OK marked");
  }
}

void Pop3Dialogue::on_rset(std::string_view /*argument*/) {
  session_->unmark_all();
  say(fmt::format("+OK {}", counted(session_->size(), "message")));
}

void Pop3Dialogue::on_noop(std::string_view /*argument*/) {
  say("+OK");
}

void Pop3Dialogue::on_quit(std::string_view /*argument*/) {
  if (session_ != nullptr) {
    commit();
  }
  say("+OK good bye");
  end();
}

void Pop3Dialogue::commit() {
  for (const KeptMail& mail : session_->commit()) {
    ++office_.counters.deleted;
    office_.note("deleted", mailbox_, mail.number, mail.text->octets());
  }
  session_.reset();  // before the client is told, so that its next login finds the mailbox free
}

}  // namespace scalemark::testbed
