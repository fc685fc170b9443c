#include "filesets/set_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace scalemark::filesets {

namespace {

std::filesystem::path part_path(const std::filesystem::path& name) {
  return name.parent_path() / fmt::format(".{}.part", name.filename().string());
}

}  // namespace

Descriptor::~Descriptor() {
  if (valid()) {
    ::close(fd_);
  }
}

int Descriptor::close() {
  return ::close(std::exchange(fd_, -1));
}

PartFile::PartFile(std::filesystem::path name)
    : name_(std::move(name)),
      part_(part_path(name_)),
      file_(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (!file_.valid()) {
    throw_write_error(name_, errno);
  }
}

PartFile::~PartFile() {
  if (!committed_) {
    ::unlink(part_.c_str());
  }
}

void PartFile::write(std::span<const char> bytes) {
  write_all(file_.get(), bytes, name_);
}

void PartFile::commit() {
  // No fsync: it would cost more than the writing. A machine that loses power may leave files of the right
  // length and the wrong bytes; the check finds those.
  if (file_.close() != 0 || ::rename(part_.c_str(), name_.c_str()) != 0) {
    throw_write_error(name_, errno);
  }
  committed_ = true;
}

void throw_write_error(const std::filesystem::path& path, int error) {
  const std::string reason = std::generic_category().message(error);
  if (error == ENOSPC || error == EDQUOT) {
    throw RunError(
        fmt::format("cannot write {}: {}; make room and run this again: what is there already is kept and "
                    "the rest is added",
                    path.string(), reason));
  }
  throw RunError(fmt::format("cannot write {}: {}; mend that or choose another folder, then run this again",
                             path.string(), reason));
}

void write_all(int fd, std::span<const char> bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      throw_write_error(path, errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

std::optional<std::uint64_t> read_number(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 32> text{};  // 2^64 has 20 digits: whatever fills this is no number
  const ssize_t length = file.valid() ? ::read(file.get(), text.data(), text.size()) : 0;
  if (length < 2) {
    return std::nullopt;
  }
  const char* const end = text.data() + length - 1;
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || *end != '\n') {
    return std::nullopt;
  }
  return value;
}

std::filesystem::path set_path(const std::filesystem::path& out) {
  return out / "file_set";
}
std::filesystem::path seed_path(const std::filesystem::path& out) {
  return set_path(out) / "seed";
}
std::filesystem::path directories_path(const std::filesystem::path& out) {
  return set_path(out) / "directories";
}

}  // namespace scalemark::filesets
