// check_writable() and write_file(), declared in core/run_record.h.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/run_record.h"

namespace scalemark {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// An open file of this process; closed when it goes out of scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  /// 0, or the errno of what went wrong; likewise below.
  [[nodiscard]] int write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        return errno;
      }
    }
    return 0;
  }

  /// A file system may accept a write and find only now that it lacks the room.
  [[nodiscard]] int sync() const { return ::fsync(descriptor_) == 0 ? 0 : errno; }

  int close() { return is_open() && ::close(std::exchange(descriptor_, -1)) != 0 ? errno : 0; }

 private:
  int descriptor_;
};

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

/// A path that names a descriptor of this process. Even when that is a regular file, it is one that somebody
/// else holds open and goes on to read or write: it must not be replaced.
bool names_descriptor(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  return text == "/dev/stdout" || text == "/dev/stderr" || text.starts_with("/dev/fd/") ||
         text.starts_with("/proc/");
}

/// Where the file will stand, and whether it is written to as it stands rather than replaced.
struct Place {
  fs::path path;
  bool as_it_stands = false;
};

Place place_of(const fs::path& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  if (fs::exists(status) && (!fs::is_regular_file(status) || names_descriptor(path))) {
    return {path, true};
  }
  if (fs::is_symlink(fs::symlink_status(path, ignored))) {
    const auto target = fs::read_symlink(path, ignored);
    return {fs::exists(status) ? fs::canonical(path, ignored) : folder_of(path) / target, false};
  }
  return {path, false};
}

/// Creates a file of a new name in `folder`, with the permissions that the user's umask leaves.
/// On failure the descriptor is -1 and errno says why.
std::pair<fs::path, int> create_beside(const fs::path& folder) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path path = folder / fmt::format(".scalemark-{:08x}.tmp", random());
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) {
      return {path, descriptor};
    }
  }
  return {folder, -1};
}

[[noreturn]] void fail(const fs::path& path, int error) {
  const char* advice = error == ENOSPC || error == EDQUOT ? "; free some room or choose another place" : "";
  throw RunError(fmt::format("cannot write '{}': {}{}", path.string(), reason(error), advice));
}

void write_as_it_stands(const fs::path& path, const std::string& text) {
  File file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file.is_open()) {
    fail(path, errno);
  }
  if (const int error = file.write(text); error != 0) {
    fail(path, error);
  }
  if (const int error = file.close(); error != 0) {
    fail(path, error);
  }
}

[[noreturn]] void refuse_path(const fs::path& path, std::string_view why) {
  throw UsageError(fmt::format("cannot write to '{}': {}", path.string(), why));
}

void check_folder(const fs::path& path) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (!fs::exists(status)) {
    refuse_path(path,
                fmt::format("the folder '{}' {}", folder.string(),
                            error && error.value() != ENOENT ? "cannot be looked into: " + error.message()
                                                             : "does not exist; create it first"));
  }
  if (!fs::is_directory(status)) {
    refuse_path(path, fmt::format("'{}' is no folder", folder.string()));
  }
  // Only the attempt knows quotas, read-only mounts and what a remote file system allows.
  const auto [probe, descriptor] = create_beside(folder);
  if (descriptor < 0) {
    refuse_path(path, fmt::format("no file can be created in '{}': {}; choose another place", folder.string(),
                                  reason(errno)));
  }
  File(descriptor).close();
  ::unlink(probe.c_str());
}

}  // namespace

void check_writable(const fs::path& path) {
  if (path.empty()) {
    throw UsageError("the path of a file to write is empty");
  }
  std::error_code ignored;
  if (!path.has_filename() || fs::is_directory(path, ignored)) {
    refuse_path(path, "that is a folder; name a file in it");
  }
  const Place place = place_of(path);
  if (fs::exists(place.path, ignored) && ::faccessat(AT_FDCWD, place.path.c_str(), W_OK, AT_EACCESS) != 0) {
    refuse_path(path, fmt::format("{}; choose another place or change its permissions", reason(errno)));
  }
  if (!place.as_it_stands) {
    check_folder(place.path);
  }
}

void write_file(const fs::path& path, const std::string& text) {
  const Place place = place_of(path);
  if (place.as_it_stands) {
    write_as_it_stands(path, text);
    return;
  }
  const auto [beside, descriptor] = create_beside(folder_of(place.path));
  File file(descriptor);
  if (!file.is_open()) {
    fail(path, errno);
  }
  int error = file.write(text);
  if (error == 0) {
    error = file.sync();
  }
  if (const int closing = file.close(); error == 0) {
    error = closing;
  }
  if (error == 0 && ::rename(beside.c_str(), place.path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(beside.c_str());
    fail(path, error);
  }
}

}  // namespace scalemark
