#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "app/run_command.h"
#include "app/terminal.h"

int main(int argc, char** argv) {
  scalemark::app::Console console{.out = std::cout,
                                  .err = std::cerr,
                                  .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                  .err_is_terminal = isatty(STDERR_FILENO) == 1,
                                  .colour = std::getenv("NO_COLOR") == nullptr,
                                  .width = scalemark::app::terminal_width()};
  return scalemark::app::run_command({argv + (argc > 0 ? 1 : 0), argv + argc}, console);
}
