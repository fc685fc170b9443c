// The served files, mapped and ready to be sent.
//
// A file is opened once, checked to be a regular file that really lies below the served folder (symbolic
// links included), and mapped; later requests find the mapping. At most `capacity` files stay mapped, the
// ones used longest ago go first; one that is being sent lives on until it is sent. A file that has changed
// on disk is noticed within a second. No descriptor is held. Belongs to one thread.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/clock.h"

struct evbuffer_file_segment;

namespace scalemark::testbed {

/// One file's bytes. A `segment` is null when the file is empty.
class ServedFile {
 public:
  /// Takes over the segment.
  ServedFile(evbuffer_file_segment* segment, std::uint64_t size) : segment_(segment), size_(size) {}
  ~ServedFile();
  ServedFile(const ServedFile&) = delete;
  ServedFile& operator=(const ServedFile&) = delete;

  [[nodiscard]] evbuffer_file_segment* segment() const { return segment_; }
  /// Bytes.
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  evbuffer_file_segment* segment_;
  std::uint64_t size_;
};

class FileCache {
 public:
  /// What a look-up found: the file, or the HTTP status that says why not (403, 404, 503).
  struct Found {
    std::shared_ptr<const ServedFile> file;
    int status = 200;
  };

  /// Throws UsageError when `root` is not a folder that can be read.
  FileCache(const std::filesystem::path& root, std::size_t capacity);

  /// The file at `relative`, a path as relative_path_of() gives it.
  [[nodiscard]] Found find(const std::string& relative, TimePoint now);

 private:
  struct Entry {
    std::string relative;
    std::shared_ptr<const ServedFile> file;
    struct stat state;
    TimePoint checked;
  };

  [[nodiscard]] bool still_true(Entry& entry, TimePoint now) const;
  [[nodiscard]] Found open_file(const std::string& relative, struct stat& state) const;
  [[nodiscard]] bool lies_below_root(int descriptor) const;

  std::string root_;  // resolved, with a slash at its end
  std::size_t capacity_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_path_;
};

}  // namespace scalemark::testbed
