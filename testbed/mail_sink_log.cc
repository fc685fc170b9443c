#include "testbed/mail_sink_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <iterator>
#include <system_error>

#include "core/error.h"

namespace scalemark::testbed {

MailSinkLog::MailSinkLog(const std::string& path) : path_(path) {
  if (path.empty()) {
    return;
  }
  file_.reset(std::fopen(path.c_str(), "ae"));
  if (!file_) {
    throw UsageError(fmt::format("the log '{}' cannot be written ({}); name another file", path,
                                 std::generic_category().message(errno)));
  }
}

void MailSinkLog::write(const MailEvent& event) {
  if (!kept()) {
    return;
  }
  const auto micros = std::chrono::floor<std::chrono::microseconds>(event.time.time_since_epoch()).count();
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "{} {} ", micros, event.event);
  for (const char c : event.mailbox) {  // a client chooses it; it must not be able to forge fields or lines
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f || c == '%') {
      fmt::format_to(std::back_inserter(out), "%{:02X}", byte);
    } else {
      out.push_back(c);
    }
  }
  fmt::format_to(std::back_inserter(out), " {} {}\n", event.uid, event.octets);
  std::fwrite(out.data(), 1, out.size(), file_.get());
}

void MailSinkLog::flush() {
  if (kept()) {
    std::fflush(file_.get());
  }
}

void MailSinkLog::finish() {
  flush();
  if (kept() && std::ferror(file_.get()) != 0) {
    throw RunError(fmt::format("the log '{}' is not whole: a write failed; is the disk full?", path_));
  }
}

}  // namespace scalemark::testbed
