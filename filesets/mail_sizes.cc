// Sizes of messages as people write them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "filesets/mail_corpus.h"

namespace scalemark::filesets {
namespace {

constexpr std::uint64_t kKilo = 1024;
constexpr const char* kForm = "write one as in 2K or 2048, several with their parts as in \"1K:10 2K:30\"";

std::uint64_t unit_of(std::string_view unit) {
  return unit.empty()                 ? 1
         : unit == "K" || unit == "k" ? kKilo
         : unit == "M" || unit == "m" ? kKilo * kKilo
                                      : 0;
}

std::uint64_t parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::uint64_t unit = unit_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (fault == std::errc::invalid_argument || unit == 0) {
    throw UsageError(fmt::format("'{}' is no message size; {}", text, kForm));
  }
  const bool large = fault == std::errc::result_out_of_range || number > kMostMailBytes / unit;
  if (large || number * unit < kLeastMailBytes) {
    throw UsageError(
        fmt::format("no message can have a size of '{}': its head and marks take {} bytes, so sizes go from "
                    "{} bytes to {}M",
                    text, kMailOverhead, kLeastMailBytes, kMostMailBytes / kKilo / kKilo));
  }
  return number * unit;
}

double parse_parts(std::string_view text, const std::string& share) {
  double parts = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), parts);
  const bool whole = fault == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(parts) || !(parts > 0)) {
    throw UsageError(
        fmt::format("'{}': '{}' is no part; it is a number above 0, as in 1K:10.2", share, text));
  }
  return parts;
}

SizeShare parse_share_of_size(const std::string& text, bool alone) {
  const std::size_t mark = text.find(':');
  const std::uint64_t bytes = parse_size(std::string_view(text).substr(0, mark));
  if (mark == std::string::npos && !alone) {
    throw UsageError(fmt::format(
        "the size '{}' has no part; where there are several, each has one, as in \"1K:10 2K:30\"", text));
  }
  return {bytes, mark == std::string::npos ? 1 : parse_parts(std::string_view(text).substr(mark + 1), text)};
}

std::string format_size(std::uint64_t bytes) {
  return bytes % kKilo == 0 ? fmt::format("{}K", bytes / kKilo) : fmt::format("{}", bytes);
}

}  // namespace

std::vector<SizeShare> parse_mail_sizes(const std::string& text) {
  std::istringstream in(text == "table" ? std::string(kMailSizeTable) : text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  if (words.empty()) {
    throw UsageError(fmt::format("no message size is given; {}", kForm));
  }
  std::vector<SizeShare> sizes;
  for (const std::string& word : words) {
    const SizeShare share = parse_share_of_size(word, words.size() == 1);
    const auto same = [&share](const SizeShare& other) { return other.bytes == share.bytes; };
    if (std::any_of(sizes.begin(), sizes.end(), same)) {
      throw UsageError(
          fmt::format("the message size {} stands there twice; add up its parts", format_size(share.bytes)));
    }
    sizes.push_back(share);
  }
  return sizes;
}

std::string format_mail_sizes(const std::vector<SizeShare>& sizes) {
  if (sizes.size() == 1 && sizes[0].parts == 1) {
    return format_size(sizes[0].bytes);
  }
  std::string text;
  for (const SizeShare& share : sizes) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", format_size(share.bytes), share.parts);
  }
  return text;
}

}  // namespace scalemark::filesets
