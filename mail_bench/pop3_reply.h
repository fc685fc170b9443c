// What the lines of a POP3 server say.
//
// Takes lines that are whole, without their CRLF; says nothing about when they may come. Pure and
// thread-safe. RFC 1939, and 2449 and 3206 for the codes in brackets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mail_bench/pop3_session.h"

namespace scalemark::mail {

enum class Pop3Status : std::uint8_t {
  ok,         ///< "+OK"
  error,      ///< "-ERR"
  go_on,      ///< "+", which AUTH alone knows
  malformed,  ///< anything else
};

struct Pop3Reply {
  Pop3Status status = Pop3Status::malformed;
  std::string_view text;  ///< after the status and the blank; the whole line when malformed
};

[[nodiscard]] Pop3Reply read_pop3_reply(std::string_view line);

/// Why the server said -ERR. A code in brackets decides; without one that is known its words do, where they
/// say that the mailbox is locked or that it is a matter of time; else it depends on what was asked for.
[[nodiscard]] Pop3Refusal refusal_of(std::string_view text, bool login);

/// The time stamp of a greeting, with its angle brackets (RFC 1939, 7); "" when it has none.
[[nodiscard]] std::string_view time_stamp_of(std::string_view greeting);

/// The first number of STAT's reply: how many messages there are.
[[nodiscard]] std::optional<std::uint32_t> read_message_count(std::string_view text);

/// One line of UIDL's list.
struct Pop3Uid {
  std::uint32_t number = 0;
  std::string_view uid;
};
[[nodiscard]] std::optional<Pop3Uid> read_uid(std::string_view line);

/// What of CAPA's list matters.
struct Pop3Offers {
  bool stls = false;
  bool sasl_plain = false;

  /// Takes one line of the list.
  void note(std::string_view line);
};

}  // namespace scalemark::mail
