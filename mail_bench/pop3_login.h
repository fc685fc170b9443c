// The logins of POP3 that take more than the two words themselves, as commands for the wire. Pure and
// thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "mail_bench/pop3_session.h"

namespace scalemark::mail {

/// "APOP name digest": MD5 over the greeting's time stamp and the password (RFC 1939, 7). False, with nothing
/// said, where OpenSSL has no MD5.
[[nodiscard]] bool append_apop(std::string& to, std::string_view time_stamp, const Pop3Session::Login& login);

/// "AUTH PLAIN" (RFC 5034) with name and password where they fit into a command. False when they do not and
/// are to be said when the server asks for them.
[[nodiscard]] bool append_auth_plain(std::string& to, const Pop3Session::Login& login);
/// Name and password for a server that asks for them.
void append_plain_response(std::string& to, const Pop3Session::Login& login);

}  // namespace scalemark::mail
