// A console whose output a test can read.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/run_command.h"

namespace scalemark::app {

class ConsoleCapture {
 public:
  [[nodiscard]] Console& console() { return console_; }
  [[nodiscard]] std::string out() const { return out_.str(); }
  [[nodiscard]] std::string err() const { return err_.str(); }

  /// Runs a command line in this process; output is added to what was there.
  int run(const std::vector<std::string>& words) { return run_command(words, console_); }

 private:
  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{.out = out_, .err = err_};
};

}  // namespace scalemark::app
