#include "mail_bench/accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace scalemark::mail {
namespace {

constexpr std::size_t kMostAddressBytes = 254;
constexpr std::uint64_t kMostAccounts = 1'000'000;
constexpr const char* kLineForm =
    "a line holds address, password, node and login; the last two may be left out";
constexpr const char* kRangeForm = "write it with a range, as in user{0001..0096}@example.test";

bool is_control(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x20 || byte == 0x7f;
}

// ---- files ----

/// The words of a line up to a comment, which begins at a word's beginning: passwords may hold a '#'.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; text >> word && word.front() != '#';) {
    words.push_back(word);
  }
  return words;
}

Account account_of(const std::vector<std::string>& words) {
  constexpr std::size_t kMostWords = 4;
  if (words.size() < 2) {
    throw UsageError(fmt::format("'{}' has no password; {}", words[0], kLineForm));
  }
  if (words.size() > kMostWords) {
    throw UsageError(fmt::format("'{}' is too much; {}", words[kMostWords], kLineForm));
  }
  check_address(words[0]);
  for (const std::string& word : words) {
    if (std::any_of(word.begin(), word.end(), is_control)) {
      throw UsageError("it holds a control character; take it out");
    }
  }
  Account account{words[0], words[0], words[1], {}};
  if (words.size() > 2 && words[2] != "-") {
    account.node = words[2];
  }
  if (words.size() > 3) {
    account.login = words[3];
  }
  return account;
}

/// What two spellings of one mailbox have in common.
std::string mailbox_of(std::string address) {
  std::transform(address.begin(), address.end(), address.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return address;
}

// ---- patterns ----

/// "{0001..0096}" in a pattern.
struct Range {
  std::size_t begin = 0;  // of its text in the pattern
  std::size_t end = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::size_t width = 0;  // digits that numbers are filled up to with zeros
};

[[noreturn]] void refuse_range(const std::string& pattern, const std::string& why) {
  throw UsageError(fmt::format("the pattern '{}' {}", pattern, why));
}

/// A number of digits only; nothing when it is something else or has more than 9 digits.
std::optional<std::uint64_t> digits_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = fault == std::errc{} && end == text.data() + text.size() && text.size() <= 9;
  return whole ? std::optional(value) : std::nullopt;
}

Range range_at(const std::string& pattern, std::size_t begin) {
  const std::size_t close = pattern.find('}', begin);
  const std::string_view inside =
      close == std::string::npos ? "" : std::string_view(pattern).substr(begin + 1, close - begin - 1);
  const std::size_t dots = std::min(inside.find(".."), inside.size());
  const std::string_view low = inside.substr(0, dots);
  const std::string_view high = inside.substr(std::min(dots + 2, inside.size()));
  const auto first = digits_of(low);
  const auto last = digits_of(high);
  if (!first || !last) {
    refuse_range(pattern, fmt::format("has a brace that begins no range; {}, or put what holds braces of its "
                                      "own into an accounts file",
                                      kRangeForm));
  }
  if (*first > *last) {
    refuse_range(pattern, fmt::format("has a range that goes down, from {} to {}; turn it round", low, high));
  }
  const bool filled = (low.size() > 1 && low.front() == '0') || (high.size() > 1 && high.front() == '0');
  return {begin, close + 1, *first, *last, filled ? std::max(low.size(), high.size()) : 1};
}

/// All ranges of a pattern; they must agree with each other.
std::vector<Range> ranges_of(const std::string& pattern) {
  std::vector<Range> ranges;
  for (std::size_t at = pattern.find('{'); at != std::string::npos;
       at = pattern.find('{', ranges.back().end)) {
    ranges.push_back(range_at(pattern, at));
  }
  return ranges;
}

std::string filled_in(const std::string& pattern, const std::vector<Range>& ranges, std::uint64_t number) {
  std::string text;
  std::size_t done = 0;
  for (const Range& range : ranges) {
    text.append(pattern, done, range.begin - done);
    text += fmt::format("{:0{}}", number, range.width);
    done = range.end;
  }
  return text.append(pattern, done);
}

void check_password(const std::string& password) {
  const bool split =
      password.find(' ') != std::string::npos || std::any_of(password.begin(), password.end(), is_control);
  if (password.empty() || split || password.front() == '#') {
    throw UsageError("the passwords must not be empty, hold blanks or control characters, or begin with '#'");
  }
}

}  // namespace

std::vector<Account> read_accounts(const std::filesystem::path& file) {
  std::error_code ignored;
  errno = 0;
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file, ignored)) {
    throw UsageError(fmt::format("cannot read the accounts file '{}': {}", file.string(),
                                 in ? "it is a folder" : std::generic_category().message(errno)));
  }
  std::vector<Account> accounts;
  std::map<std::string, std::size_t> lines;  // mailbox -> where it stands
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string at = fmt::format("{}:{}", file.string(), number);
    const std::string text = line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;  // byte order mark
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) {
      continue;
    }
    try {
      accounts.push_back(account_of(words));
    } catch (const UsageError& fault) {
      throw UsageError(fmt::format("{}: {}", at, fault.what()));
    }
    const auto [first, fresh] = lines.emplace(mailbox_of(words[0]), number);
    if (!fresh) {
      throw UsageError(
          fmt::format("{}: the address {} stands in line {} already; every user needs a mailbox "
                      "of its own",
                      at, words[0], first->second));
    }
  }
  if (accounts.empty()) {
    throw UsageError(fmt::format("the accounts file '{}' holds no account; {}", file.string(), kLineForm));
  }
  return accounts;
}

std::vector<Account> accounts_of_pattern(const std::string& address, const std::string& password) {
  const std::vector<Range> ranges = ranges_of(address);
  const std::vector<Range> password_ranges = ranges_of(password);
  if (ranges.empty()) {
    refuse_range(address, fmt::format("has no range; {}", kRangeForm));
  }
  const auto [low, high] = std::pair(ranges.front().low, ranges.front().high);
  std::vector<Range> all = ranges;
  all.insert(all.end(), password_ranges.begin(), password_ranges.end());
  for (const Range& range : all) {
    if (range.low != low || range.high != high) {
      refuse_range(address, fmt::format("and its passwords have different ranges, {} to {} and {} to {}; all "
                                        "count together, so give them the same",
                                        low, high, range.low, range.high));
    }
  }
  if (high - low >= kMostAccounts) {
    refuse_range(address, fmt::format("stands for {} accounts; at most {} are possible", high - low + 1,
                                      kMostAccounts));
  }
  std::vector<Account> accounts;
  accounts.reserve(high - low + 1);
  for (std::uint64_t number = low; number <= high; ++number) {
    const std::string name = filled_in(address, ranges, number);
    check_address(name);
    accounts.push_back({name, name, filled_in(password, password_ranges, number), {}});
    check_password(accounts.back().password);
  }
  return accounts;
}

std::string accounts_text(const std::vector<Account>& accounts) {
  std::string text = "# address password node login\n";
  for (const Account& account : accounts) {
    text += fmt::format("{} {}", account.address, account.password);
    const bool own_login = account.login != account.address;
    if (own_login || !account.node.empty()) {
      text += fmt::format(" {}", account.node.empty() ? "-" : account.node);
    }
    text += own_login ? fmt::format(" {}\n", account.login) : "\n";
  }
  return text;
}

void check_address(const std::string& address) {
  const auto refuse = [&address](const char* why) {
    throw UsageError(fmt::format("'{}' is no address: {}", address, why));
  };
  const std::size_t at = address.rfind('@');
  if (at == std::string::npos) {
    refuse("it has no '@'; write it like user1@example.test");
  }
  if (at == 0 || at + 1 == address.size()) {
    refuse("nothing stands before or after its '@'; write it like user1@example.test");
  }
  if (address.find('@') != at && address.front() != '"') {
    refuse("it has more than one '@'");
  }
  if (address.find_first_of(" <>") != std::string::npos ||
      std::any_of(address.begin(), address.end(), is_control)) {
    refuse("it must not hold blanks, control characters or angle brackets");
  }
  if (address.size() > kMostAddressBytes) {
    refuse("it has more than 254 bytes");
  }
}

bool needs_smtputf8(std::string_view address) {
  return std::any_of(address.begin(), address.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) >= 0x80; });
}

}  // namespace scalemark::mail
