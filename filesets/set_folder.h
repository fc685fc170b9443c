// Where a file set keeps what on a disk; shared by its generator and its checker, not used outside this room.
//
//   OUT/file_set/seed         the seed, a line; locked (flock) while a generator is at work
//   OUT/file_set/directories  how many directories belong to the set, a line
//   OUT/file_set/dirNNNNN/    the files
//
// A file is written beside its name (".NAME.part") and renamed when it is whole, so a process that is killed
// leaves no half file under a name of the set. Objects belong to one thread; free functions are thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "filesets/web_files.h"

namespace scalemark::filesets {

/// As many as have dense file numbers.
inline constexpr std::uint32_t kMostDirectories = ~std::uint32_t{0} / kFilesPerDirectory;

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  /// Closes it now; what close(2) returns, because some file systems tell of a full disk only then.
  [[nodiscard]] int close();

 private:
  int fd_;
};

/// A file that comes to be under its name only when it is whole. Every failure is a RunError with the path;
/// a destructor without commit() leaves nothing behind.
class PartFile {
 public:
  explicit PartFile(std::filesystem::path name);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void write(std::span<const char> bytes);
  void commit();

 private:
  std::filesystem::path name_;
  std::filesystem::path part_;
  Descriptor file_;
  bool committed_ = false;
};

/// Throws the RunError for a failed write of `path`; a full disk gets a sentence of its own.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error);

/// Writes all of `bytes` to an open file. Throws as above, with `path`.
void write_all(int fd, std::span<const char> bytes, const std::filesystem::path& path);

/// The number in a file that holds nothing but that and a line end; nullopt when the file is missing, cannot
/// be read or holds anything else.
[[nodiscard]] std::optional<std::uint64_t> read_number(const std::filesystem::path& path);

[[nodiscard]] std::filesystem::path set_path(const std::filesystem::path& out);
[[nodiscard]] std::filesystem::path seed_path(const std::filesystem::path& out);
[[nodiscard]] std::filesystem::path directories_path(const std::filesystem::path& out);

}  // namespace scalemark::filesets
