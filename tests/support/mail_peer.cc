#include "tests/support/mail_peer.h"

#include <fmt/format.h>

namespace scalemark::test_support {
namespace {

constexpr const char* kLineEnd = "\r\n";

/// Reads a line that begins with `command` and sends `reply`; any other one is told off.
Script command_step(const std::string& command, const std::string& reply, const std::string& refusal) {
  return Script().answer(kLineEnd, [=](std::string_view line) {
    if (line.starts_with(command)) {
      return reply;
    }
    return fmt::format("{} the script waits for {} and got {}", refusal, command, line);
  });
}

/// A dot before each one that begins a line.
std::string stuffed(std::string_view text) {
  std::string wire;
  bool line_begins = true;
  for (const char byte : text) {
    if (line_begins && byte == '.') {
      wire += '.';
    }
    wire += byte;
    line_begins = wire.ends_with(kLineEnd);
  }
  return wire;
}

}  // namespace

std::string smtp_reply(int code, const std::vector<std::string>& lines) {
  std::string reply;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    reply += fmt::format("{}{}{}\r\n", code, i + 1 < lines.size() ? '-' : ' ', lines[i]);
  }
  return reply;
}

Script smtp_command(const std::string& command, const std::string& reply) {
  return command_step(command, reply, "500");
}

Script smtp_greeting(const std::string& line) {
  return Script().send(line);
}

Script smtp_hello(const std::vector<std::string>& capabilities) {
  std::vector<std::string> lines{"mail.test"};
  lines.insert(lines.end(), capabilities.begin(), capabilities.end());
  return smtp_command("EHLO ", smtp_reply(250, lines));
}

Script smtp_opening(const std::vector<std::string>& capabilities) {
  return smtp_greeting().add(smtp_hello(capabilities));
}

Script smtp_starttls(Certificate certificate) {
  return smtp_command("STARTTLS\r\n", "220 go ahead\r\n").start_tls(certificate);
}

Script smtp_envelope() {
  return smtp_command("MAIL FROM:<", "250 2.1.0 ok\r\n").add(smtp_command("RCPT TO:<", "250 2.1.5 ok\r\n"));
}

Script smtp_text() {
  return smtp_command("DATA\r\n", "354 go ahead\r\n").expect("\r\n.\r\n");
}

Script smtp_message(const std::string& reply) {
  return smtp_envelope().add(smtp_text()).send(reply);
}

Script smtp_quit() {
  return smtp_command("QUIT\r\n", "221 bye\r\n").close();
}

Script smtp_server(const std::vector<std::string>& capabilities, std::size_t messages) {
  return smtp_opening(capabilities).repeat(messages, smtp_message()).add(smtp_quit());
}

std::string pop3_text(std::string_view text) {
  return "+OK\r\n" + stuffed(text) + ".\r\n";
}

std::string pop3_uids(const std::vector<PeerMail>& mails) {
  std::string reply = "+OK\r\n";
  for (std::size_t i = 0; i < mails.size(); ++i) {
    reply += fmt::format("{} {}\r\n", i + 1, mails[i].uid);
  }
  return reply + ".\r\n";
}

Script pop3_command(const std::string& command, const std::string& reply) {
  return command_step(command, reply, "-ERR");
}

Script pop3_greeting(const std::string& line) {
  return Script().send(line);
}

Script pop3_capabilities(const std::vector<std::string>& capabilities) {
  std::string reply = "+OK\r\n";
  for (const std::string& capability : capabilities) {
    reply += capability + kLineEnd;
  }
  return pop3_command("CAPA\r\n", reply + ".\r\n");
}

Script pop3_stls(Certificate certificate) {
  return pop3_command("STLS\r\n").start_tls(certificate);
}

Script pop3_login() {
  return pop3_command("USER ").add(pop3_command("PASS "));
}

Script pop3_opening() {
  return pop3_greeting().add(pop3_login());
}

Script pop3_fetch(std::size_t number, std::string_view text) {
  return pop3_command(fmt::format("RETR {}\r\n", number), pop3_text(text))
      .add(pop3_command(fmt::format("DELE {}\r\n", number)));
}

Script pop3_quit() {
  return pop3_command("QUIT\r\n").close();
}

Script pop3_collection(const std::vector<PeerMail>& mails) {
  Script script = pop3_command("UIDL\r\n", pop3_uids(mails));
  for (std::size_t i = 0; i < mails.size(); ++i) {
    script.add(pop3_fetch(i + 1, mails[i].text));
  }
  return script.add(pop3_quit());
}

Script pop3_server(const std::vector<PeerMail>& mails) {
  return pop3_opening().add(pop3_collection(mails));
}

}  // namespace scalemark::test_support
