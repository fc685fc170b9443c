// Addresses as SMTP's MAIL and RCPT carry them. Pure and thread-safe.
#pragma once

#include <optional>
#include <string_view>

namespace scalemark::testbed {

/// "FROM:<a@b.test> SIZE=5", read. Views point into the text that was read.
struct MailPath {
  std::string_view address;     ///< without the brackets; "" for <>
  std::string_view parameters;  ///< what follows the blank after it
  bool needs_utf8 = false;      ///< it holds bytes beyond ASCII
};

/// None when the text is not `keyword` ("FROM:", "TO:") with an address in angle brackets right behind it: a
/// blank before or in it, control bytes, an address of more than 254 bytes.
[[nodiscard]] std::optional<MailPath> mail_path(std::string_view text, std::string_view keyword);

}  // namespace scalemark::testbed
