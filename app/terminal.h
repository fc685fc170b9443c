// The live line: what happens now, on a terminal or in a log.
//
// On a terminal one line is rewritten in place and gone when the work is done; elsewhere a plain line appears
// every ten seconds, so that logs stay short. Lines and notices may come from several threads.
#pragma once

#include <mutex>
#include <string>

#include "app/command.h"
#include "core/clock.h"

namespace scalemark::app {

/// Columns of the terminal; 80 when there is none.
[[nodiscard]] int terminal_width();

class LiveLine {
 public:
  static constexpr Duration kPlainEvery = std::chrono::seconds(10);
  static constexpr Duration kLiveEvery = std::chrono::milliseconds(100);

  /// Refers to both, which must outlive it. Writes to `console.err` only.
  LiveLine(Console& console, const Clock& clock);
  /// Clears the line.
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Shows `text` as what happens now; left out when the last one is too recent.
  void show(const std::string& text);
  /// A line that stays.
  void notice(const std::string& text);
  /// Takes the line away; a later show() brings it back.
  void clear();

 private:
  void erase();

  Console& console_;
  const Clock& clock_;
  std::mutex mutex_;
  bool shown_ = false;  // a line stands on the terminal
  TimePoint next_;      // when the next text may be shown
};

}  // namespace scalemark::app
