#include "app/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "analysis/text.h"

namespace scalemark::app {

int terminal_width() {
  winsize size{};
  for (const int descriptor : {STDERR_FILENO, STDOUT_FILENO}) {
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return size.ws_col;
    }
  }
  return 80;
}

LiveLine::LiveLine(Console& console, const Clock& clock)
    : console_(console),
      clock_(clock),
      next_(console.err_is_terminal ? clock.now() : clock.now() + kPlainEvery) {}

LiveLine::~LiveLine() {
  clear();
}

void LiveLine::show(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const TimePoint now = clock_.now();
  if (now < next_) {
    return;
  }
  if (console_.err_is_terminal) {
    next_ = now + kLiveEvery;
    // A full last column would wrap on some terminals, and the next \r would miss the line's beginning.
    const auto room = static_cast<std::size_t>(std::max(console_.width - 1, 20));
    console_.err << "\r" << analysis::printable(text, room) << "\x1b[K" << std::flush;
    shown_ = true;
  } else {
    next_ = now + kPlainEvery;
    console_.err << analysis::printable(text) << "\n" << std::flush;
  }
}

void LiveLine::notice(const std::string& text) {
  const std::lock_guard lock(mutex_);
  erase();
  console_.err << analysis::printable(text) << "\n" << std::flush;
}

void LiveLine::clear() {
  const std::lock_guard lock(mutex_);
  erase();
}

void LiveLine::erase() {
  if (shown_) {
    console_.err << "\r\x1b[K" << std::flush;
    shown_ = false;
  }
}

}  // namespace scalemark::app
