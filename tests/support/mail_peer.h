// What an SMTP or a POP3 server does when all is well, in pieces that tests put together and vary.
//
// A piece that waits for one command and gets another answers with a refusal that names both, so that the
// test fails where the trouble is. Texts are in wire form. All functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scripted_peer.h"

namespace scalemark::test_support {

/// "250-first\r\n250-second\r\n250 last\r\n".
[[nodiscard]] std::string smtp_reply(int code, const std::vector<std::string>& lines);
/// Reads a line that begins with `command` and sends `reply`, whole lines.
[[nodiscard]] Script smtp_command(const std::string& command, const std::string& reply);

[[nodiscard]] Script smtp_greeting(const std::string& line = "220 mail.test ESMTP ready\r\n");
/// EHLO, answered by the server's name and its capabilities ("PIPELINING", "AUTH PLAIN LOGIN", ...).
[[nodiscard]] Script smtp_hello(const std::vector<std::string>& capabilities = {});
/// Greeting and EHLO.
[[nodiscard]] Script smtp_opening(const std::vector<std::string>& capabilities = {});
/// STARTTLS and the handshake; the EHLO after it is not part.
[[nodiscard]] Script smtp_starttls(Certificate certificate = Certificate::good);
/// MAIL and RCPT are accepted.
[[nodiscard]] Script smtp_envelope();
/// DATA, 354, and the text up to the final dot; what follows is the answer to the dot.
[[nodiscard]] Script smtp_text();
/// One message accepted, from MAIL to the dot's 250.
[[nodiscard]] Script smtp_message(const std::string& reply = "250 2.0.0 queued\r\n");
/// QUIT, 221, and the end of the connection.
[[nodiscard]] Script smtp_quit();
/// One connection that accepts `messages` messages and then a QUIT.
[[nodiscard]] Script smtp_server(const std::vector<std::string>& capabilities = {}, std::size_t messages = 1);

/// A message in a mailbox.
struct PeerMail {
  std::string uid;
  std::string text;  ///< not stuffed; the last line is ended
};

/// "+OK\r\n", the stuffed text, ".\r\n": the reply to RETR.
[[nodiscard]] std::string pop3_text(std::string_view text);
/// "+OK\r\n", a line for each, ".\r\n": the reply to UIDL.
[[nodiscard]] std::string pop3_uids(const std::vector<PeerMail>& mails);
/// Reads a line that begins with `command` and sends `reply`, whole lines.
[[nodiscard]] Script pop3_command(const std::string& command, const std::string& reply = "+OK\r\n");

inline constexpr const char* kPop3TimeStamp = "<1896.697170952@mail.test>";

/// With a time stamp, as APOP needs it.
[[nodiscard]] Script pop3_greeting(const std::string& line = "+OK ready <1896.697170952@mail.test>\r\n");
/// CAPA, answered by these.
[[nodiscard]] Script pop3_capabilities(const std::vector<std::string>& capabilities);
/// STLS and the handshake, without the CAPA before and after it.
[[nodiscard]] Script pop3_stls(Certificate certificate = Certificate::good);
/// USER and PASS are accepted.
[[nodiscard]] Script pop3_login();
/// Greeting and login.
[[nodiscard]] Script pop3_opening();
/// RETR and DELE of message `number`.
[[nodiscard]] Script pop3_fetch(std::size_t number, std::string_view text);
/// QUIT, +OK, and the end of the connection.
[[nodiscard]] Script pop3_quit();
/// After the login: UIDL, RETR and DELE of each, QUIT.
[[nodiscard]] Script pop3_collection(const std::vector<PeerMail>& mails);
/// One whole session.
[[nodiscard]] Script pop3_server(const std::vector<PeerMail>& mails = {});

}  // namespace scalemark::test_support
