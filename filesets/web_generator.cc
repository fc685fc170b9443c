#include "filesets/web_generator.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>

#include "core/error.h"
#include "core/units.h"
#include "filesets/set_crew.h"
#include "filesets/set_folder.h"
#include "filesets/web_files.h"

namespace scalemark::filesets {

namespace {

namespace fs = std::filesystem;

/// Bytes written between two looks at the cancel flag.
constexpr std::size_t kWritePiece = std::size_t{256} * 1024;

void check_plan(const WebFilesPlan& plan) {
  if (plan.directories == 0 || plan.directories > kMostDirectories) {
    throw UsageError(
        fmt::format("a file set has 1 to {} directories, not {}", kMostDirectories, plan.directories));
  }
}

/// Whether the file set's folder already holds a folder. Without a seed nobody can tell what is in it.
bool holds_folders(const fs::path& set) {
  std::error_code error;
  for (fs::directory_iterator at(set, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error)) {
      return true;
    }
  }
  return false;
}

/// Throws when the files that are there may not be of this seed.
void refuse_other_seed(const WebFilesPlan& plan) {
  // In this order, because the seed is written before any folder: another generator may just be starting.
  if (!holds_folders(set_path(plan.out))) {
    return;
  }
  const std::optional<std::uint64_t> found = read_number(seed_path(plan.out));
  if (found == plan.seed) {
    return;
  }
  if (found) {
    throw UsageError(fmt::format(
        "{} holds a file set of seed {}, not {}; choose that seed or another folder, or remove the set",
        plan.out.string(), *found, plan.seed));
  }
  throw UsageError(
      fmt::format("{} holds files but {} does not say their seed; choose another folder or remove them",
                  set_path(plan.out).string(), seed_path(plan.out).string()));
}

bool is_whole(const fs::path& path, std::uint64_t size) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         static_cast<std::uint64_t>(found.st_size) == size;
}

/// What a file system can still take.
struct Room {
  fs::path where;           ///< a folder on it that exists
  std::uint64_t block = 1;  ///< bytes; every file takes whole blocks
  std::uint64_t bytes = 0;
  std::uint64_t inodes = 0;
};

Room room_for(const fs::path& out) {
  Room room;
  std::error_code ignored;
  room.where = fs::absolute(out);
  while (!fs::exists(room.where, ignored) && room.where.has_relative_path()) {
    room.where = room.where.parent_path();
  }
  struct statvfs found {};
  if (::statvfs(room.where.c_str(), &found) != 0) {
    throw RunError(fmt::format("cannot tell how much room {} has: {}; choose another folder",
                               room.where.string(), std::generic_category().message(errno)));
  }
  room.block = found.f_frsize == 0 ? 1 : found.f_frsize;
  room.bytes = std::uint64_t{found.f_bavail} * room.block;
  // Some file systems make inodes as needed and state none.
  room.inodes = found.f_files == 0 ? std::numeric_limits<std::uint64_t>::max() : found.f_favail;
  return room;
}

/// What is still to be written, as a file system counts it.
struct Missing {
  std::uint64_t bytes = 0;
  std::uint64_t inodes = 0;
};

Missing survey(const WebFilesPlan& plan, std::uint64_t block, const std::atomic<bool>& cancel) {
  Missing missing;
  for (std::uint32_t directory = 0; directory < plan.directories && !cancel; ++directory) {
    const std::uint32_t first = number_of({.directory = directory});
    std::error_code ignored;
    const bool there = fs::exists((plan.out / path_of(file_of(first))).parent_path(), ignored);
    if (!there) {
      missing.bytes += block;
      ++missing.inodes;
    }
    for (std::uint32_t number = first; number < first + kFilesPerDirectory; ++number) {
      const WebFile file = file_of(number);
      const std::uint64_t size = size_of(file);
      if (!there || !is_whole(plan.out / path_of(file), size)) {
        missing.bytes += (size + block - 1) / block * block;
        ++missing.inodes;
      }
    }
  }
  return missing;
}

/// Throws when the disk cannot take what is missing.
void refuse_full_disk(const WebFilesPlan& plan, const Room& room, const Missing& missing) {
  if (missing.bytes > room.bytes) {
    throw RunError(fmt::format(
        "the file set needs {} ({} bytes) more in {}, but only {} ({} bytes) are free there; "
        "make room, choose another folder or ask for fewer directories",
        human_bytes(missing.bytes), missing.bytes, plan.out.string(), human_bytes(room.bytes), room.bytes));
  }
  if (missing.inodes > room.inodes) {
    throw RunError(
        fmt::format("the file set needs {} more files in {}, but its file system has room for {} "
                    "(inodes); choose another folder or ask for fewer directories",
                    missing.inodes, plan.out.string(), room.inodes));
  }
}

void write_line(PartFile&& file, std::uint64_t number) {
  const std::string line = fmt::format("{}\n", number);
  file.write(line);
  file.commit();
}

/// The right to write into the set's folder, while it lives: a second generator would be refused. Makes the
/// folder and writes the seed when they are not there.
class Claim {
 public:
  explicit Claim(const WebFilesPlan& plan) : seed_(open_seed(plan)) {
    // File systems without locks are used unlocked: every generator of one seed writes the same bytes.
    if (::flock(seed_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw RunError(fmt::format("another process is writing the file set in {}; wait until it has ended",
                                 plan.out.string()));
    }
    refuse_other_seed(plan);  // again, now that nobody else can write one
    if (read_number(seed_path(plan.out)) != plan.seed) {
      // In place, because the lock is on this very file.
      const std::string line = fmt::format("{}\n", plan.seed);
      if (::ftruncate(seed_.get(), 0) != 0) {
        throw_write_error(seed_path(plan.out), errno);
      }
      write_all(seed_.get(), line, seed_path(plan.out));
    }
    // A smaller set than the one that is there is a part of it.
    if (read_number(directories_path(plan.out)).value_or(0) < plan.directories) {
      write_line(PartFile(directories_path(plan.out)), plan.directories);
    }
  }

 private:
  static int open_seed(const WebFilesPlan& plan) {
    std::error_code error;
    fs::create_directories(set_path(plan.out), error);
    if (error) {
      throw_write_error(set_path(plan.out), error.value());
    }
    const fs::path path = seed_path(plan.out);
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
      throw_write_error(path, errno);
    }
    return fd;
  }

  Descriptor seed_;
};

/// Writes one file; false when a stop was wanted before it was whole.
bool write_web_file(const fs::path& path, const WebFile& file, std::uint64_t seed, std::span<char> buffer,
                    const Stop& stop) {
  PartFile part(path);
  const std::uint64_t size = size_of(file);
  for (std::uint64_t offset = 0; offset < size;) {
    if (stop.wanted()) {
      return false;
    }
    const std::size_t count = fill(file, seed, offset, buffer);
    part.write(buffer.first(count));
    offset += count;
  }
  part.commit();
  return true;
}

struct Counts {
  std::atomic<std::uint64_t> written{0};
  std::atomic<std::uint64_t> kept{0};
};

void write_directory(const WebFilesPlan& plan, std::uint32_t directory, const Stop& stop, Counts& counts,
                     ProgressMeter& meter) {
  const std::uint32_t first = number_of({.directory = directory});
  const fs::path folder = (plan.out / path_of(file_of(first))).parent_path();
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) {
    throw_write_error(folder, error.value());
  }
  std::vector<char> buffer(kWritePiece);
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  for (std::uint32_t number = first; number < first + kFilesPerDirectory && !stop.wanted(); ++number) {
    const WebFile file = file_of(number);
    const fs::path path = plan.out / path_of(file);
    if (is_whole(path, size_of(file))) {
      ++counts.kept;
    } else if (write_web_file(path, file, plan.seed, buffer, stop)) {
      ++counts.written;
    } else {
      break;
    }
    ++files;
    bytes += size_of(file);
  }
  meter.add(files, bytes);
}

}  // namespace

WebFilesResult generate_web_files(const WebFilesPlan& plan, const ProgressCall& progress,
                                  const std::atomic<bool>& cancel) {
  check_plan(plan);
  refuse_other_seed(plan);
  WebFilesResult result;
  result.bytes = plan.directories * bytes_per_directory();
  const Room room = room_for(plan.out);
  const Missing missing = survey(plan, room.block, cancel);
  if (cancel) {
    result.cancelled = true;
    return result;
  }
  refuse_full_disk(plan, room, missing);
  const Claim claim(plan);
  ProgressMeter meter(progress, plan.directories);
  Counts counts;
  for_each_directory(plan.directories, plan.threads, cancel, [&](std::uint32_t directory, const Stop& stop) {
    write_directory(plan, directory, stop, counts, meter);
  });
  result.written = counts.written;
  result.kept = counts.kept;
  result.cancelled = !meter.complete();
  return result;
}

}  // namespace scalemark::filesets
