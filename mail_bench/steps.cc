#include "mail_bench/steps.h"

namespace scalemark::mail {

std::string_view name_of(Step step) {
  static constexpr std::array<std::string_view, kSteps> kNames = {
      "smtp_connect", "smtp_tls",      "smtp_greeting", "smtp_hello", "smtp_auth",       "smtp_mail",
      "smtp_rcpt",    "smtp_data",     "smtp_dot",      "smtp_total", "visible",         "pop3_connect",
      "pop3_tls",     "pop3_greeting", "pop3_auth",     "pop3_list",  "pop3_first_byte", "pop3_last_byte",
      "pop3_delete",  "pop3_quit",     "pop3_total",    "operation",
  };
  return kNames.at(static_cast<std::size_t>(step));
}

}  // namespace scalemark::mail
