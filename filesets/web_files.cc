#include "filesets/web_files.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <boost/endian/conversion.hpp>

#include "core/random.h"

namespace scalemark::filesets {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::uint64_t kMarkerStep = 4096;
constexpr std::array<std::uint64_t, kClasses> kBase = {1'024, 10'240, 102'400, 1'024'000};
// Line 1 ends before the first line end: with a ten-digit directory it has 42 bytes.
constexpr std::size_t kSizeColumns = 9;

/// Line 1, which also holds the path; on the stack, because a load generator makes one per piece it checks.
struct Head {
  std::array<char, kLine> text;
  std::size_t length;

  [[nodiscard]] std::string_view path() const {
    return {text.data() + kSizeColumns + 1, length - kSizeColumns - 2};
  }
};

char* put_text(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

/// Puts a number right-justified into at least `columns` (at most 10), padded on the left.
char* put_number(char* to, std::uint64_t value, std::ptrdiff_t columns, char pad) {
  std::array<char, 20> digits;
  char* const end = digits.data() + digits.size();
  char* begin = end;
  do {
    *--begin = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (end - begin < columns) {
    *--begin = pad;
  }
  return put_text(to, {begin, static_cast<std::size_t>(end - begin)});
}

/// By hand: a load generator does it for every request and every piece of an answer, where a formatting
/// library takes several times as long.
Head head_of(const WebFile& file) {
  Head head;
  char* to = put_number(head.text.data(), size_of(file), kSizeColumns, ' ');
  to = put_text(to, " file_set/dir");
  to = put_number(to, file.directory, 5, '0');
  to = put_text(to, "/class");
  to = put_number(to, file.cls, 1, '0');
  to = put_text(to, "_");
  to = put_number(to, file.file, 1, '0');
  to = put_text(to, "\n");
  head.length = static_cast<std::size_t>(to - head.text.data());
  return head;
}

/// The marker at `offset`, a positive multiple of kMarkerStep.
char marker_at(std::string_view path, std::uint64_t offset) {
  return path[(offset / kMarkerStep - 1) % path.size()];
}

/// Turns eight random bytes into eight characters of 0x20..0x7e: each byte b becomes 0x20 + b * 95 / 256. The
/// even and the odd bytes take turns in lanes of 16 bits, which the product (at most 24,225) does not leave.
std::uint64_t printable(std::uint64_t random) {
  constexpr std::uint64_t kEven = 0x00FF00FF00FF00FFU;
  const std::uint64_t even = (((random & kEven) * 95U) >> 8U) & kEven;
  const std::uint64_t odd = (((random >> 8U) & kEven) * 95U) & ~kEven;
  return 0x2020202020202020U + (even | odd);
}

/// Writes the 64 bytes of a line. Each has a random stream of its own, so a piece from the middle of a file
/// costs no more than its own length.
void make_line(const Head& head, std::uint64_t key, std::uint64_t line, char* to) {
  Random random(key + line);
  for (std::size_t at = 0; at < kLine; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = boost::endian::native_to_little(printable(random()));
    std::memcpy(to + at, &word, sizeof word);
  }
  to[kLine - 1] = '\n';
  if (line == 0) {
    std::memcpy(to, head.text.data(), head.length);
  } else if (line * kLine % kMarkerStep == 0) {
    *to = marker_at(head.path(), line * kLine);
  }
}

}  // namespace

std::uint64_t bytes_per_directory() {
  std::uint64_t sum = 0;
  for (std::uint32_t number = 0; number < kFilesPerDirectory; ++number) {
    sum += size_of(file_of(number));
  }
  return sum;
}

std::uint32_t number_of(const WebFile& file) {
  return file.directory * kFilesPerDirectory + file.cls * kFilesPerClass + file.file;
}

WebFile file_of(std::uint32_t number) {
  return {.directory = number / kFilesPerDirectory,
          .cls = number / kFilesPerClass % kClasses,
          .file = number % kFilesPerClass};
}

std::uint64_t size_of(const WebFile& file) {
  return kBase[file.cls] * (file.file + 1) / 10;
}

std::string path_of(const WebFile& file) {
  std::string path;
  append_path(file, path);
  return path;
}

void append_path(const WebFile& file, std::string& to) {
  to.append(head_of(file).path());
}

std::uint32_t directories_for(std::uint32_t connections) {
  // 400,000 / 122,000 / 5 = 40 / 61; in whole numbers, because a rounded quotient would fall one short at
  // multiples of 61.
  return static_cast<std::uint32_t>(25 + std::uint64_t{connections} * 40 / 61);
}

std::size_t fill(const WebFile& file, std::uint64_t seed, std::uint64_t offset, std::span<char> out) {
  const std::uint64_t size = size_of(file);
  if (offset >= size) {
    return 0;
  }
  const std::size_t count = std::min<std::uint64_t>(out.size(), size - offset);
  const Head head = head_of(file);
  const std::uint64_t key = derive_seed(seed, {number_of(file)});
  std::array<char, kLine> scratch;
  for (std::size_t done = 0; done < count;) {
    const std::uint64_t line = (offset + done) / kLine;
    const std::size_t skip = (offset + done) % kLine;
    const std::size_t part = std::min(kLine - skip, count - done);
    if (part == kLine) {
      make_line(head, key, line, out.data() + done);
    } else {
      make_line(head, key, line, scratch.data());
      std::memcpy(out.data() + done, scratch.data() + skip, part);
    }
    done += part;
  }
  return count;
}

bool agrees(const WebFile& file, std::uint64_t offset, std::span<const char> bytes) {
  const std::uint64_t size = size_of(file);
  if (offset > size || bytes.size() > size - offset) {
    return false;
  }
  const std::uint64_t end = offset + bytes.size();
  const Head head = head_of(file);
  if (offset < head.length) {
    const std::size_t part = std::min<std::uint64_t>(bytes.size(), head.length - offset);
    if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part),
                    head.text.begin() + static_cast<std::ptrdiff_t>(offset))) {
      return false;
    }
  }
  for (std::uint64_t at = offset | (kLine - 1); at < end; at += kLine) {
    if (bytes[at - offset] != '\n') {
      return false;
    }
  }
  const std::uint64_t first = std::max<std::uint64_t>(1, (offset + kMarkerStep - 1) / kMarkerStep);
  for (std::uint64_t at = first * kMarkerStep; at < end; at += kMarkerStep) {
    if (bytes[at - offset] != marker_at(head.path(), at)) {
      return false;
    }
  }
  return true;
}

}  // namespace scalemark::filesets
