// The web file set: which files there are, how long they are, and what stands in them.
//
//   file_set/dirNNNNN/classC_F   C = 0..3, F = 0..8, size = floor(base_C * (F + 1) / 10)
//
// Every byte follows from the file's place and a seed, so that a client can prove that it got the right file,
// whole, without holding a copy. Pure and thread-safe.
//
// Contents: line 1 is the file's size, right-justified in 9 columns, a space, the file's path and LF; all of
// it counts towards the size, and a file shorter than that line holds its beginning. After line 1, offset i
// of the body is LF where i mod 64 = 63, a marker where i mod 4096 = 0 (the path's letters, one after the
// other, cyclically: letter (i / 4096 - 1) mod length), and printable ASCII from the seed elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scalemark::filesets {

inline constexpr std::uint32_t kClasses = 4;
inline constexpr std::uint32_t kFilesPerClass = 9;
inline constexpr std::uint32_t kFilesPerDirectory = kClasses * kFilesPerClass;

/// The bytes of one directory: 5,119,484.
[[nodiscard]] std::uint64_t bytes_per_directory();

/// One file's place in the set.
struct WebFile {
  std::uint32_t directory = 0;
  std::uint32_t cls = 0;   ///< 0..3
  std::uint32_t file = 0;  ///< 0..8

  friend bool operator==(const WebFile&, const WebFile&) = default;
};

/// A file's dense number: directory * 36 + class * 9 + file; and back.
[[nodiscard]] std::uint32_t number_of(const WebFile& file);
[[nodiscard]] WebFile file_of(std::uint32_t number);

/// Size in bytes, the first line included.
[[nodiscard]] std::uint64_t size_of(const WebFile& file);
/// "file_set/dir00012/class1_3"
[[nodiscard]] std::string path_of(const WebFile& file);
/// Appends path_of(file) without building a string in between.
void append_path(const WebFile& file, std::string& to);

/// Directories for a number of connections: floor(25 + (400,000 / 122,000) * connections / 5)
/// (SPECweb99's rule: 25 plus 0.66 per connection).
[[nodiscard]] std::uint32_t directories_for(std::uint32_t connections);

/// Writes the body's bytes from `offset` on into `out`, as many as fit `out` and the file.
/// Returns how many were written.
std::size_t fill(const WebFile& file, std::uint64_t seed, std::uint64_t offset, std::span<char> out);

/// Whether `bytes`, found at `offset` of a body, agree with the file's first line, line ends and markers.
/// Needs no seed and touches only those offsets. Bytes beyond the file's size never agree.
[[nodiscard]] bool agrees(const WebFile& file, std::uint64_t offset, std::span<const char> bytes);

}  // namespace scalemark::filesets
