// Requests and bytes from a server's access log, read bit by bit while the server writes it.
//
// Belongs to one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "testbed/counters.h"
#include "testbed/server.h"

namespace scalemark::testbed {

/// Adds lines up that come in pieces of any size. Pure.
class LogTally {
 public:
  explicit LogTally(LogFormat format) : format_(format) {}

  void feed(std::string_view piece);
  /// Of the whole lines so far; what is no line of the format is passed over.
  [[nodiscard]] const RequestCount& count() const { return count_; }

 private:
  void add_line(std::string_view line);

  LogFormat format_;
  RequestCount count_;
  std::string rest_;  // the line that has no end yet
};

class RequestLog {
 public:
  /// `whole`: counts from the first line; else from where the log ends now. The file may come later.
  RequestLog(std::filesystem::path path, LogFormat format, bool whole);
  ~RequestLog();
  RequestLog(RequestLog&& other) noexcept;
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;
  RequestLog& operator=(RequestLog&&) = delete;

  /// Reads on to the log's present end. Nothing while there is no such file, and from the moment that it was
  /// cut off or cannot be read.
  [[nodiscard]] std::optional<RequestCount> read();

 private:
  bool open();

  std::filesystem::path path_;
  LogTally tally_;
  int file_ = -1;
  std::uint64_t next_ = 0;  // where to read on
  bool broken_ = false;
};

}  // namespace scalemark::testbed
