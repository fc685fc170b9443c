// The built command as a process of its own, for what only a process can show: exit codes, signals, streams.
//
// A program ends with the test that started it. Belongs to one thread; throws std::system_error when the
// system refuses.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace scalemark::app {

class Program {
 public:
  /// Starts scalemark with these words.
  explicit Program(const std::vector<std::string>& words);
  /// Kills it if it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The next line of its standard output without the line end; "" at the end of it. Waits for it.
  std::string read_line();
  /// The same of its standard error.
  std::string read_error_line();
  void send(int signal) const;
  /// Reads what is left of its output, waits for its end and returns the exit code, or -N after signal N.
  int wait();

  /// What has been read so far.
  [[nodiscard]] const std::string& out() const { return out_; }
  [[nodiscard]] const std::string& err() const { return err_; }

 private:
  pid_t process_ = -1;
  int out_pipe_ = -1;
  int err_pipe_ = -1;
  std::string out_;
  std::string err_;
};

/// A program that has ended.
struct Ended {
  int code = -1;  ///< exit code, or -N after signal N
  std::string out;
  std::string err;
};
/// Waits for its end.
Ended finish(Program& program);
/// Runs scalemark with these words to its end.
Ended run_program(const std::vector<std::string>& words);

}  // namespace scalemark::app
