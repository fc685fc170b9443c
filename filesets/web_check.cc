#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "filesets/set_crew.h"
#include "filesets/set_folder.h"
#include "filesets/web_files.h"
#include "filesets/web_generator.h"

namespace scalemark::filesets {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kExamples = 20;
constexpr std::size_t kReadPiece = std::size_t{256} * 1024;

/// Faults found by all threads; the examples are those of the lowest directories, whichever thread is first.
class Faults {
 public:
  void add(std::uint32_t directory, std::string sentence, std::uint64_t count = 1) {
    const std::lock_guard lock(mutex_);
    count_ += count;
    examples_.emplace(directory, std::move(sentence));
    if (examples_.size() > kExamples) {
      examples_.erase(std::prev(examples_.end()));
    }
  }
  void move_to(WebFilesCheck& check) {
    check.faults = count_;
    for (auto& [directory, sentence] : examples_) {
      check.examples.push_back(std::move(sentence));
    }
  }

 private:
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::multimap<std::uint32_t, std::string> examples_;
};

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// The names in a folder, sorted. Throws RunError when it cannot be read.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  while (!error && at != fs::directory_iterator()) {
    names.insert(at->path().filename().string());
    at.increment(error);
  }
  if (error) {
    throw RunError(
        fmt::format("cannot read {}: {}; mend that and check again", folder.string(), error.message()));
  }
  return names;
}

/// Reads up to buffer's size; fewer bytes only at the end of the file, nullopt on an error.
std::optional<std::size_t> read_piece(int fd, std::span<char> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = ::read(fd, buffer.data() + done, buffer.size() - done);
    if (count < 0 && errno != EINTR) {
      return std::nullopt;
    }
    if (count == 0) {
      break;
    }
    done += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  return done;
}

/// Memory of one worker for comparing.
struct Buffers {
  std::vector<char> found = std::vector<char>(kReadPiece);
  std::vector<char> wanted = std::vector<char>(kReadPiece);
};

/// What is wrong with a file's bytes; empty when nothing is, or when a stop was wanted.
std::string content_fault(const fs::path& path, const WebFile& file, std::uint64_t seed, Buffers& buffers,
                          const Stop& stop) {
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!opened.valid()) {
    return fmt::format("cannot be read: {}", reason_of(errno));
  }
  for (std::uint64_t offset = 0; offset < size_of(file) && !stop.wanted();) {
    const std::size_t count = fill(file, seed, offset, buffers.wanted);
    const std::span<char> found(buffers.found.data(), count);
    const std::optional<std::size_t> read = read_piece(opened.get(), found);
    if (!read) {
      return fmt::format("cannot be read: {}", reason_of(errno));
    }
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(*read);
    const auto differs = std::mismatch(found.begin(), end, buffers.wanted.begin()).first;
    if (differs != end) {
      return fmt::format("has wrong content from byte {} on",
                         offset + static_cast<std::uint64_t>(differs - found.begin()));
    }
    if (*read < count) {
      return "became shorter while it was read";
    }
    offset += count;
  }
  return {};
}

/// What is wrong with a file; empty when nothing is.
std::string file_fault(const fs::path& path, const WebFile& file, std::uint64_t seed, Buffers& buffers,
                       const Stop& stop) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    return errno == ENOENT ? "is missing" : fmt::format("cannot be read: {}", reason_of(errno));
  }
  if (!S_ISREG(found.st_mode)) {
    return "is not a regular file";
  }
  if (static_cast<std::uint64_t>(found.st_size) != size_of(file)) {
    return fmt::format("has {} bytes instead of {}", found.st_size, size_of(file));
  }
  return content_fault(path, file, seed, buffers, stop);
}

class Checker {
 public:
  Checker(fs::path dir, std::uint64_t seed, std::uint32_t directories)
      : dir_(std::move(dir)), seed_(seed), directories_(directories) {}

  /// Whatever stands beside the set's directories.
  void check_top() {
    std::set<std::string> names = names_in(set_path(dir_));
    names.erase("seed");
    names.erase("directories");
    for (std::uint32_t directory = 0; directory < directories_ && !names.empty(); ++directory) {
      names.erase(folder_of(directory).filename().string());
    }
    for (const std::string& name : names) {
      faults_.add(0, fmt::format("file_set/{} does not belong to the set", name));
    }
  }

  void check_directory(std::uint32_t directory, const Stop& stop, ProgressMeter& meter) {
    const fs::path folder = folder_of(directory);
    std::error_code ignored;
    if (!fs::is_directory(dir_ / folder, ignored)) {
      faults_.add(directory,
                  fmt::format("{} is missing, with its {} files", folder.string(), kFilesPerDirectory),
                  kFilesPerDirectory);
      meter.add(kFilesPerDirectory, bytes_per_directory());
      return;
    }
    std::set<std::string> strangers = names_in(dir_ / folder);
    Buffers buffers;
    const std::uint32_t first = number_of({.directory = directory});
    for (std::uint32_t number = first; number < first + kFilesPerDirectory; ++number) {
      const WebFile file = file_of(number);
      const std::string path = path_of(file);
      const std::string fault = file_fault(dir_ / path, file, seed_, buffers, stop);
      if (stop.wanted()) {
        return;
      }
      if (!fault.empty()) {
        faults_.add(directory, fmt::format("{} {}", path, fault));
      }
      if (strangers.erase(fs::path(path).filename().string()) != 0) {
        ++files_;
        bytes_ += size_of(file);
      }
    }
    for (const std::string& name : strangers) {
      faults_.add(directory, fmt::format("{}/{} does not belong to the set", folder.string(), name));
    }
    meter.add(kFilesPerDirectory, bytes_per_directory());
  }

  [[nodiscard]] WebFilesCheck result(bool cancelled) {
    WebFilesCheck check;
    check.files = files_;
    check.bytes = bytes_;
    check.directories = directories_;
    check.seed = seed_;
    check.cancelled = cancelled;
    faults_.move_to(check);
    return check;
  }

 private:
  /// Relative to the set's parent: "file_set/dir00003".
  static fs::path folder_of(std::uint32_t directory) {
    return fs::path(path_of({.directory = directory})).parent_path();
  }

  const fs::path dir_;
  const std::uint64_t seed_;
  const std::uint32_t directories_;
  std::atomic<std::uint64_t> files_{0};
  std::atomic<std::uint64_t> bytes_{0};
  Faults faults_;
};

}  // namespace

WebFilesCheck check_web_files(const fs::path& dir, std::uint32_t threads, const ProgressCall& progress,
                              const std::atomic<bool>& cancel) {
  const std::optional<std::uint64_t> seed = read_number(seed_path(dir));
  const std::optional<std::uint64_t> directories = read_number(directories_path(dir));
  if (!seed || !directories || *directories > kMostDirectories) {
    throw RunError(
        fmt::format("there is no file set in {}: {} is missing or holds no number; name the folder that "
                    "holds file_set/, or make a set there first",
                    dir.string(), (seed ? directories_path(dir) : seed_path(dir)).string()));
  }
  Checker checker(dir, *seed, static_cast<std::uint32_t>(*directories));
  checker.check_top();
  ProgressMeter meter(progress, static_cast<std::uint32_t>(*directories));
  for_each_directory(
      static_cast<std::uint32_t>(*directories), threads, cancel,
      [&](std::uint32_t directory, const Stop& stop) { checker.check_directory(directory, stop, meter); });
  return checker.result(!meter.complete());
}

}  // namespace scalemark::filesets
