// The load generator of a trial as a process of its own: `scalemark web` (or mail) in the client's network.
//
// A process for each trial keeps what one leaves behind (sockets, memory) out of the next, can run in another
// network namespace, and is what a user would have run by hand. It ends with us. Used from one thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.h"

namespace scalemark::study {

class GeneratorProcess {
 public:
  /// Starts this program with `arguments` in the network namespace `netns` ("": ours). What it says on
  /// standard error goes to the file `log`; what it prints on standard output is kept in memory, which a full
  /// disk cannot take away. Throws RunError.
  GeneratorProcess(const std::vector<std::string>& arguments, const std::string& netns,
                   const std::filesystem::path& log);
  /// Kills what still runs.
  ~GeneratorProcess();
  GeneratorProcess(const GeneratorProcess&) = delete;
  GeneratorProcess& operator=(const GeneratorProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Waits up to `patience` for its end; whether it has ended.
  bool wait(Duration patience);
  /// Lets it end and write what it knows.
  void interrupt() const;
  /// Its exit code, 128 + N after signal N. Only when it has ended.
  [[nodiscard]] int exit_code() const { return code_; }
  /// What it has printed on standard output.
  [[nodiscard]] std::string output() const;

 private:
  pid_t pid_ = -1;
  int watch_ = -1;   // readable when it has ended
  int output_ = -1;  // a file in memory
  int code_ = 0;
  bool ended_ = false;
};

}  // namespace scalemark::study
