#include "testbed/mail_address.h"

#include <cstddef>

#include "testbed/mail_dialogue.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kLongestAddress = 254;

/// Where the bracket that closes the path stands: brackets and blanks within quotes are part of the address.
std::size_t closing_bracket(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == '>') {
      return i;
    } else if (!quoted && text[i] == ' ') {
      break;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<MailPath> mail_path(std::string_view text, std::string_view keyword) {
  if (!begins_with_word(text, keyword) || !text.substr(keyword.size()).starts_with('<')) {
    return std::nullopt;
  }
  text.remove_prefix(keyword.size() + 1);
  const std::size_t end = closing_bracket(text);
  if (end == std::string_view::npos || end > kLongestAddress) {
    return std::nullopt;
  }
  MailPath path;
  path.address = text.substr(0, end);
  for (const char letter : path.address) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < ' ' || byte == 0x7f) {
      return std::nullopt;
    }
    path.needs_utf8 = path.needs_utf8 || byte >= 0x80;
  }
  const std::string_view rest = text.substr(end + 1);
  if (!rest.empty() && !rest.starts_with(' ')) {
    return std::nullopt;
  }
  path.parameters = rest.substr(rest.empty() ? 0 : 1);
  return path;
}

}  // namespace scalemark::testbed
