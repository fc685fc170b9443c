#include "testbed/access_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <iterator>
#include <system_error>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

// A client chooses the path; it must not be able to forge fields or lines.
void append_escaped(fmt::memory_buffer& out, std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c == '\x7f') {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

AccessLog::AccessLog(const std::string& path) : path_(path) {
  if (path.empty()) {
    return;
  }
  file_.reset(std::fopen(path.c_str(), "ae"));
  if (!file_) {
    throw UsageError(fmt::format("the access log '{}' cannot be written ({}); name another file", path,
                                 std::generic_category().message(errno)));
  }
}

void AccessLog::write(const AccessLine& line) {
  if (!kept()) {
    return;
  }
  const auto micros = std::chrono::floor<std::chrono::microseconds>(line.time.time_since_epoch()).count();
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "{} {} {} ", micros, line.client, line.method);
  append_escaped(out, line.path);
  fmt::format_to(std::back_inserter(out), " {} {} {} {}\n", line.status, line.body_bytes, line.wire_bytes,
                 line.connection_requests);
  std::fwrite(out.data(), 1, out.size(), file_.get());
}

void AccessLog::flush() {
  if (kept()) {
    std::fflush(file_.get());
  }
}

void AccessLog::finish() {
  flush();
  if (kept() && std::ferror(file_.get()) != 0) {
    throw RunError(fmt::format("the access log '{}' is not whole: a write failed; is the disk full?", path_));
  }
}

}  // namespace scalemark::testbed
