#include "filesets/mail_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <numeric>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace scalemark::filesets {
namespace {

constexpr std::uint64_t kPayloadsPerSize = 8;
constexpr std::uint64_t kBytesPerSize = std::uint64_t{64} << 20U;  // large sizes have fewer payloads

constexpr std::size_t kLineEndBytes = 2;
constexpr std::size_t kShortestLine = 20;
constexpr std::size_t kLongestLine = 76;
// Lines that a protocol's end must not be mistaken for stand early, so that small payloads have them too.
constexpr std::size_t kDottedLine = 1;
constexpr std::size_t kEmptyLine = 2;
constexpr std::size_t kLoneDotLine = 4;
constexpr std::uint64_t kLinesPerDot = 12;

/// None is "From", which mailboxes of the mbox kind would quote at the beginning of a line.
constexpr std::array<std::string_view, 40> kWords = {
    "a",       "answer", "at",    "before", "bring", "by",      "carry", "clear",   "come",   "day",
    "evening", "few",    "first", "garden", "good",  "harbour", "house", "in",      "keep",   "letter",
    "light",   "long",   "many",  "meet",   "more",  "morning", "news",  "of",      "old",    "paper",
    "people",  "river",  "send",  "slowly", "some",  "station", "the",   "through", "window", "write"};

/// Words of exactly so many characters that do not end in a blank: servers may take such blanks away.
void append_words(std::string& to, std::size_t length, Random& random) {
  const std::size_t end = to.size() + length;
  while (to.size() < end) {
    to.append(kWords.at(random.below(kWords.size()))).append(" ");
  }
  to.resize(end);
  if (length > 0 && to.back() == ' ') {
    to.back() = ',';
  }
}

/// How long the line with this number is when `left` bytes of text are still to come.
std::size_t line_length(std::size_t line, std::size_t left, Random& random) {
  if (left <= kLongestLine + kLineEndBytes) {
    return left - kLineEndBytes;
  }
  if (line == kEmptyLine) {
    return 0;
  }
  if (line == kLoneDotLine) {
    return 1;
  }
  const std::size_t length = kShortestLine + random.below(kLongestLine - kShortestLine + 1);
  return left - length - kLineEndBytes == 1 ? length - 1 : length;  // a single byte could hold no line end
}

void append_line(std::string& to, std::size_t line, std::size_t length, Random& random) {
  const bool dotted = line == kDottedLine || line == kLoneDotLine || random.below(kLinesPerDot) == 0;
  const std::size_t dots = dotted ? std::min<std::size_t>(length, 1 + random.below(2)) : 0;
  to.append(dots, '.');
  append_words(to, length - dots, random);
  to += "\r\n";
}

/// Readable text of exactly so many bytes, at least 2.
std::string make_text(std::size_t bytes, Random random) {
  std::string text;
  text.reserve(bytes + kLongestLine);
  for (std::size_t line = 0; text.size() < bytes; ++line) {
    append_line(text, line, line_length(line, bytes - text.size(), random), random);
  }
  return text;
}

MailPayload payload_of(std::string text) {
  const std::uint64_t digest = mail_digest(text);
  return {std::move(text), digest};
}

/// The regular files of the folder, in the order of their names: a seed's draws are the same everywhere.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::error_code fault;
  std::vector<std::filesystem::path> files;
  std::filesystem::directory_iterator entry(folder, fault);
  for (; !fault && entry != std::filesystem::directory_iterator(); entry.increment(fault)) {
    std::error_code gone;
    if (entry->is_regular_file(gone)) {
      files.push_back(entry->path());
    }
  }
  if (fault) {
    throw UsageError(fmt::format("cannot read the folder of messages '{}': {}", folder.string(),
                                 std::generic_category().message(fault.value())));
  }
  if (files.empty()) {
    throw UsageError(fmt::format(
        "the folder of messages '{}' holds no file; put messages into it, one a file", folder.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_whole(const std::filesystem::path& file) {
  std::error_code fault;
  const std::uintmax_t size = std::filesystem::file_size(file, fault);
  if (!fault && size > kMostMailBytes) {
    throw UsageError(fmt::format("the message '{}' is larger than 1 GiB; leave it out", file.string()));
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text(fault ? 0 : static_cast<std::size_t>(size), '\0');
  if (fault || !in || !in.read(text.data(), static_cast<std::streamsize>(text.size()))) {
    const int reason = fault ? fault.value() : errno;
    throw UsageError(
        fmt::format("cannot read the message '{}': {}", file.string(),
                    reason == 0 ? "it changes while it is read" : std::generic_category().message(reason)));
  }
  if (text.find('\0') != std::string::npos) {
    throw UsageError(
        fmt::format("the message '{}' holds a NUL byte, which no message may; leave it out", file.string()));
  }
  return text;
}

/// The text with nothing but CRLF as line ends, the last line ended; adds those that it mends to `mended`.
std::string in_wire_form(const std::string& text, std::uint64_t& mended) {
  std::string wire;
  wire.reserve(text.size() + text.size() / 16 + kLineEndBytes);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const bool good = text.compare(end, kLineEndBytes, "\r\n") == 0;
    wire.append(text, begin, end - begin).append("\r\n");
    mended += good ? 0 : 1;
    begin = end + (good ? kLineEndBytes : 1);
  }
  return wire;
}

}  // namespace

MailCorpus::Parts MailCorpus::generated(const std::vector<SizeShare>& sizes, std::uint64_t seed) {
  if (sizes.empty()) {
    throw UsageError("no message size is given; write one as in 2K");
  }
  Parts parts;
  for (const SizeShare& share : sizes) {
    if (share.bytes < kLeastMailBytes || share.bytes > kMostMailBytes) {
      throw UsageError(fmt::format("a message cannot have {} bytes; sizes go from {} to {}", share.bytes,
                                   kLeastMailBytes, kMostMailBytes));
    }
    const std::uint64_t count = std::clamp(kBytesPerSize / share.bytes, std::uint64_t{1}, kPayloadsPerSize);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Random random(derive_seed(seed, {share.bytes, i}));
      parts.payloads.push_back(payload_of(make_text(share.bytes - kMailOverhead, random)));
      parts.weights.push_back(share.parts / static_cast<double>(count));
    }
  }
  return parts;
}

MailCorpus::Parts MailCorpus::loaded(const std::filesystem::path& folder) {
  Parts parts;
  for (const std::filesystem::path& file : files_of(folder)) {
    parts.payloads.push_back(payload_of(in_wire_form(read_whole(file), parts.mended)));
    parts.weights.push_back(1);
  }
  return parts;
}

MailCorpus::MailCorpus(Parts parts)
    : payloads_(std::move(parts.payloads)),
      weights_(std::move(parts.weights)),
      draw_(weights_),
      mended_(parts.mended) {}

MailCorpus::MailCorpus(const std::vector<SizeShare>& sizes, std::uint64_t seed)
    : MailCorpus(generated(sizes, seed)) {}

MailCorpus::MailCorpus(const std::filesystem::path& folder) : MailCorpus(loaded(folder)) {}

const MailPayload& MailCorpus::draw(Random& random) const {
  return payloads_[draw_.draw(random)];
}

double MailCorpus::mean_bytes() const {
  const double whole = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  double bytes = 0;
  for (std::size_t i = 0; i < payloads_.size(); ++i) {
    bytes += weights_[i] / whole * static_cast<double>(payloads_[i].text.size());
  }
  return bytes;
}

}  // namespace scalemark::filesets
