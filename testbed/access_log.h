// The built-in node's own account of what it answered.
//
// One line per response, blanks between the fields:
//   time_us client:port method path status body_bytes wire_bytes connection_requests
// time_us is the monotonic clock in microseconds when the last byte went to the kernel (or the connection
// broke), path the request's target as it came (blanks and control bytes escaped), body_bytes and wire_bytes
// what was really sent without and with the head, connection_requests the number of requests on this
// connection so far. A request that could not be parsed has "-" for method and path. A response that broke
// off before its first byte has no line. Belongs to one thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace scalemark::testbed {

struct AccessLine {
  TimePoint time;
  std::string_view client;  ///< "127.0.0.1:40000", "[::1]:40000"
  std::string_view method;
  std::string_view path;
  int status = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t wire_bytes = 0;
  std::uint32_t connection_requests = 0;
};

class AccessLog {
 public:
  /// Appends to the file at `path`; "" keeps no log. Throws UsageError when the file cannot be opened.
  explicit AccessLog(const std::string& path);

  [[nodiscard]] bool kept() const { return file_ != nullptr; }
  /// Lines are buffered.
  void write(const AccessLine& line);
  /// Hands the buffered lines to the system.
  void flush();
  /// Flushes; throws RunError when a line, now or earlier, could not be written.
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace scalemark::testbed
