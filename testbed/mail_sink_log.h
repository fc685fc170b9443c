// The built-in mail sink's own account of what became of every message.
//
// One line per event, blanks between the fields:
//   time_us event mailbox uid octets
// time_us is the monotonic clock in microseconds, uid what UIDL says of the message ("-" with --discard), and
// octets its size as LIST says it. Events: `delivered` once for each mailbox when a message's 250 is said,
// `discarded` the same where nothing is kept, `retrieved` when RETR sends it, `deleted` when QUIT has taken
// it out of its mailbox. Blanks, control bytes and '%' within a mailbox are escaped ("%20"). Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace scalemark::testbed {

struct MailEvent {
  TimePoint time;
  std::string_view event;
  std::string_view mailbox;
  std::string_view uid;
  std::uint64_t octets = 0;
};

class MailSinkLog {
 public:
  /// Appends to the file at `path`; "" keeps no log. Throws UsageError when the file cannot be opened.
  explicit MailSinkLog(const std::string& path);

  [[nodiscard]] bool kept() const { return file_ != nullptr; }
  /// Lines are buffered.
  void write(const MailEvent& event);
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
