// The digest is small and on the hot path: it is compiled in rather than called.
#define XXH_INLINE_ALL
#include "filesets/mail_message.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>

namespace scalemark::filesets {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kNote = "This message was made by scalemark, a benchmark, and may be deleted.\r\n";
// The marks, each with the end of the line before it, for a mark is one only at the beginning of a line.
constexpr std::string_view kNextBegin = "\r\n-- scalemark payload begins -";  // more dashes may follow
constexpr std::string_view kNextEnd = "\r\n-- scalemark payload ends --\r\n";
constexpr std::string_view kBegin = kNextBegin.substr(2);
constexpr std::string_view kEnd = kNextEnd.substr(2);
constexpr std::string_view kBlanks = " \t\r\n";

// ---- writing ----

/// "Mon, 01 Dec 2025 08:41:00 +0000": RFC 5322, in UTC.
void append_date(std::string& to, std::int64_t unix_ms) {
  static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(unix_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  fmt::format_to(std::back_inserter(to), "{}, {:02} {} {:04} {:02}:{:02}:{:02} +0000",
                 kDays.at(std::chrono::weekday(day).c_encoding()), static_cast<unsigned>(date.day()),
                 kMonths.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                 clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

/// What guards the words of our own head line: a changed number would stand for another message.
std::uint32_t check_of(std::string_view words) {
  return static_cast<std::uint32_t>(mail_digest(words));
}

/// The line that everything is read from again.
void append_identity(std::string& to, const MailFacts& facts, const MailPayload& payload) {
  to += "X-Scalemark: ";
  const std::size_t begin = to.size();
  fmt::format_to(std::back_inserter(to),
                 "run={:016x} number={} node={} to={} length={} digest={:016x} time={}", facts.identity.run,
                 facts.identity.number, facts.node.empty() ? "-" : facts.node, facts.recipient,
                 payload.text.size(), payload.digest, facts.sent_unix_ms);
  const std::uint32_t check = check_of(std::string_view(to).substr(begin));
  fmt::format_to(std::back_inserter(to), " check={:08x}\r\n", check);
}

// ---- reading ----

bool same_word(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&lower](char a, char b) { return lower(a) == lower(b); });
}

/// Takes a field off the head, with the lines that it is folded over.
std::string_view take_field(std::string_view& head) {
  std::size_t end = head.find(kLineEnd);
  while (end != std::string_view::npos && end + 2 < head.size() &&
         (head[end + 2] == ' ' || head[end + 2] == '\t')) {
    end = head.find(kLineEnd, end + 2);
  }
  const std::string_view field = head.substr(0, end);
  head.remove_prefix(end == std::string_view::npos ? head.size() : end + kLineEnd.size());
  return field;
}

/// The field's value when it has this name.
std::optional<std::string_view> value_of(std::string_view field, std::string_view name) {
  if (field.size() <= name.size() || field[name.size()] != ':' ||
      !same_word(field.substr(0, name.size()), name)) {
    return std::nullopt;
  }
  return field.substr(name.size() + 1);
}

/// Takes the next word off the text; "" at its end. Line ends within count as blanks: a server may have
/// folded the line anew.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

/// The host after "by" in the value of a Received line. What stands in brackets is comment.
std::string_view host_after_by(std::string_view value) {
  int depth = 0;
  bool by = false;
  for (std::size_t at = 0; at < value.size();) {
    const char letter = value[at];
    const bool escape = letter == '\\' && depth > 0;
    depth += letter == '(' ? 1 : letter == ')' && depth > 0 ? -1 : 0;
    if (depth > 0 || letter == ')' || letter == ';' || kBlanks.find(letter) != std::string_view::npos) {
      at += escape ? 2 : 1;
      continue;
    }
    const std::size_t end = std::min(value.find_first_of(" \t\r\n();", at), value.size());
    const std::string_view word = value.substr(at, end - at);
    if (by) {
      return word;
    }
    by = same_word(word, "by");
    at = end;
  }
  return {};
}

/// A number that fills the whole text.
std::optional<std::uint64_t> number_in(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const bool whole = fault == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

/// What our head line says.
struct Identity {
  MailIdentity who;
  std::string_view recipient;
  std::string_view node;
  std::uint64_t length = 0;
  std::uint64_t digest = 0;
};

/// Takes the next word, "name=value", off the line and adds it to `words`. "" when it has another name.
std::string_view take_value(std::string_view& line, std::string_view name, std::string& words) {
  const std::string_view word = take_word(line);
  if (word.size() <= name.size() || word[name.size()] != '=' || !word.starts_with(name)) {
    return {};
  }
  words.append(words.empty() ? "" : " ").append(word);
  return word.substr(name.size() + 1);
}

/// Reads the value of our head line; nothing when anything about it is not as it was written.
std::optional<Identity> read_identity(std::string_view line) {
  Identity identity;
  std::string words;
  const auto run = number_in(take_value(line, "run", words), 16);
  const auto number = number_in(take_value(line, "number", words), 10);
  identity.node = take_value(line, "node", words);
  identity.recipient = take_value(line, "to", words);
  const auto length = number_in(take_value(line, "length", words), 10);
  const auto digest = number_in(take_value(line, "digest", words), 16);
  take_value(line, "time", words);
  const std::uint32_t check = check_of(words);
  if (!run || !number || !length || !digest || number_in(take_value(line, "check", words), 16) != check) {
    return std::nullopt;
  }
  identity.who = {*run, *number};
  identity.node = identity.node == "-" ? std::string_view{} : identity.node;
  identity.length = *length;
  identity.digest = *digest;
  return identity;
}

/// Holds the body against what the head says of its payload.
MailCondition condition_of(std::string_view body, const Identity& identity) {
  std::size_t begin = body.find(kNextBegin);  // the note stands before it
  begin = begin == std::string_view::npos ? begin : body.find(kLineEnd, begin + kLineEnd.size());
  if (begin == std::string_view::npos) {
    return MailCondition::truncated;
  }
  const std::string_view rest = body.substr(begin + kLineEnd.size());
  // The stated length comes first: a payload may hold a line that looks like the mark.
  if (identity.length <= rest.size() && rest.substr(identity.length).starts_with(kEnd)) {
    return mail_digest(rest.substr(0, identity.length)) == identity.digest ? MailCondition::sound
                                                                           : MailCondition::corrupt;
  }
  const bool ended = rest.starts_with(kEnd) || rest.find(kNextEnd) != std::string_view::npos;
  return ended ? MailCondition::corrupt : MailCondition::truncated;
}

}  // namespace

std::uint64_t mail_digest(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

void append_message(std::string& to, const MailFacts& facts, const MailPayload& payload) {
  const std::size_t begin = to.size();
  to.reserve(begin + kMailOverhead + payload.text.size());
  fmt::format_to(std::back_inserter(to), "From: {}\r\nTo: {}\r\nDate: ", facts.sender, facts.recipient);
  append_date(to, facts.sent_unix_ms);
  fmt::format_to(std::back_inserter(to),
                 "\r\nMessage-ID: <{:016x}.{}@scalemark.test>\r\nSubject: scalemark {}\r\n",
                 facts.identity.run, facts.identity.number, facts.identity.number);
  append_identity(to, facts, payload);
  to.append(kLineEnd).append(kNote).append(kBegin);
  const std::size_t overhead = to.size() - begin + kLineEnd.size() + kEnd.size();
  to.append(overhead < kMailOverhead ? kMailOverhead - overhead : 0, '-');
  to.append(kLineEnd).append(payload.text).append(kEnd);
}

MailReading read_message(std::string_view text) {
  const std::size_t gap = text.find("\r\n\r\n");
  std::string_view head = text.substr(0, gap == std::string_view::npos ? gap : gap + kLineEnd.size());
  const std::string_view body = text.substr(std::min(head.size() + kLineEnd.size(), text.size()));
  MailReading reading;
  std::optional<Identity> identity;
  bool traced = false;
  while (!head.empty()) {
    const std::string_view field = take_field(head);
    if (const auto trace = value_of(field, "Received"); trace && !traced) {
      traced = true;
      reading.seen_node = host_after_by(*trace);
    } else if (const auto own = value_of(field, "X-Scalemark"); own && !identity) {
      identity = read_identity(*own);
    }
  }
  if (identity) {
    reading.condition = condition_of(body, *identity);
    reading.identity = identity->who;
    reading.recipient = identity->recipient;
    reading.node = identity->node;
  }
  return reading;
}

}  // namespace scalemark::filesets
