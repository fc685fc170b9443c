#include "testbed/file_cache.h"

#include <event2/buffer.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <climits>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kTrusted = std::chrono::seconds(1);

/// Closes on leaving the scope.
struct Descriptor {
  explicit Descriptor(int number) : value(number) {}
  ~Descriptor() {
    if (value >= 0) {
      ::close(value);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value;
};

int status_of_error(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return 403;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return 503;
    default:
      return 404;
  }
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

ServedFile::~ServedFile() {
  if (segment_ != nullptr) {
    evbuffer_file_segment_free(segment_);
  }
}

FileCache::FileCache(const std::filesystem::path& root, std::size_t capacity) : capacity_(capacity) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(root, error);
  if (error || !std::filesystem::is_directory(resolved, error)) {
    throw UsageError(
        fmt::format("there is no folder '{}' to serve files from{}; make one with "
                    "'scalemark files web --out {}'",
                    root.string(), error ? " (" + error.message() + ")" : "", root.string()));
  }
  if (::access(resolved.c_str(), R_OK | X_OK) != 0) {
    throw UsageError(fmt::format("the folder '{}' cannot be read ({}); change its permissions", root.string(),
                                 std::generic_category().message(errno)));
  }
  root_ = resolved.string();
  if (root_.back() != '/') {
    root_ += '/';
  }
}

FileCache::Found FileCache::find(const std::string& relative, TimePoint now) {
  if (const auto known = by_path_.find(relative); known != by_path_.end()) {
    const auto entry = known->second;
    if (still_true(*entry, now)) {
      entries_.splice(entries_.begin(), entries_, entry);
      return {entry->file, 200};
    }
    by_path_.erase(known);
    entries_.erase(entry);
  }
  struct stat state {};
  Found found = open_file(relative, state);
  if (found.file != nullptr) {
    entries_.push_front({relative, found.file, state, now});
    by_path_[relative] = entries_.begin();
    if (entries_.size() > capacity_) {
      by_path_.erase(entries_.back().relative);
      entries_.pop_back();
    }
  }
  return found;
}

bool FileCache::still_true(Entry& entry, TimePoint now) const {
  if (now - entry.checked < kTrusted) {
    return true;
  }
  struct stat state {};
  if (::stat((root_ + entry.relative).c_str(), &state) != 0 || !same_file(state, entry.state)) {
    return false;
  }
  entry.checked = now;
  return true;
}

FileCache::Found FileCache::open_file(const std::string& relative, struct stat& state) const {
  // Non-blocking, so that a pipe in the tree cannot hold up the node.
  const Descriptor opened(::open((root_ + relative).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (opened.value < 0) {
    return {nullptr, status_of_error(errno)};
  }
  if (::fstat(opened.value, &state) != 0 || !S_ISREG(state.st_mode) || !lies_below_root(opened.value)) {
    return {nullptr, 404};
  }
  const auto size = static_cast<std::uint64_t>(state.st_size);
  if (size == 0) {
    return {std::make_shared<const ServedFile>(nullptr, 0), 200};
  }
  // Mapped rather than sent with sendfile(2): head and body then leave in one system call and one segment,
  // and the mapping outlives the descriptor.
  evbuffer_file_segment* segment = evbuffer_file_segment_new(
      opened.value, 0, state.st_size, EVBUF_FS_DISABLE_SENDFILE | EVBUF_FS_DISABLE_LOCKING);
  if (segment == nullptr) {
    return {nullptr, 503};
  }
  return {std::make_shared<const ServedFile>(segment, size), 200};
}

// Asks the kernel where the opened file really is. Unlike a check of the name before it is opened, this
// cannot be fooled by a link that changes in between.
bool FileCache::lies_below_root(int descriptor) const {
  std::array<char, PATH_MAX> real{};
  const ssize_t length =
      ::readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), real.data(), real.size());
  if (length <= 0) {
    return false;
  }
  const std::string_view path(real.data(), static_cast<std::size_t>(length));
  return path.substr(0, root_.size()) == root_;
}

}  // namespace scalemark::testbed
