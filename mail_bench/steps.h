// The steps of a mail operation whose times are kept. Names and order are those of records and reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/clock.h"

namespace scalemark::mail {

enum class Step : std::uint8_t {
  smtp_connect,   ///< TCP
  smtp_tls,       ///< handshake, STARTTLS's own reply not included
  smtp_greeting,  ///< from the connection to the end of 220
  smtp_hello,     ///< EHLO to its reply
  smtp_auth,      ///< AUTH to its last reply
  smtp_mail,      ///< MAIL FROM to its reply
  smtp_rcpt,      ///< first RCPT TO to its reply: a proxy looks the user up here
  smtp_data,      ///< DATA to 354
  smtp_dot,       ///< final dot to 250
  smtp_total,     ///< from the beginning of the attempt (the connection, if it is a new one) to 250
  visible,        ///< 250 to the first sight of the message by POP3
  pop3_connect,
  pop3_tls,
  pop3_greeting,
  pop3_auth,        ///< login commands to the last +OK; locks the mailbox
  pop3_list,        ///< STAT and UIDL
  pop3_first_byte,  ///< RETR to the first byte of its reply
  pop3_last_byte,   ///< RETR to the final dot
  pop3_delete,      ///< DELE to +OK
  pop3_quit,        ///< QUIT to +OK: deletions are committed
  pop3_total,       ///< from the beginning of the session to QUIT's +OK
  operation,        ///< from the beginning of sending (open arrivals: from the planned start) to QUIT's +OK
};
inline constexpr std::size_t kSteps = 22;

/// "smtp_connect", "visible", "operation", ...
[[nodiscard]] std::string_view name_of(Step step);

/// Where sessions report how long a step took, when it ended well.
class StepTimes {
 public:
  virtual ~StepTimes() = default;
  virtual void on_step(Step step, Duration took) = 0;
};

}  // namespace scalemark::mail
