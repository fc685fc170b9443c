// A program that runs beside a test and ends with it, under another user's name if need be.
//
// Belongs to one thread; throws std::system_error or std::runtime_error when the system refuses.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace scalemark::test_support {

/// Somebody without privileges.
struct User {
  uid_t uid = 0;
  gid_t gid = 0;
};

struct ChildSpec {
  std::vector<std::string> argv;  ///< the first is a full path
  std::filesystem::path
      output;  ///< what it prints is appended to this file, which is made by the caller's user
  const User* user = nullptr;  ///< null: the caller
  int death_signal = SIGKILL;  ///< what it is sent when the test dies
};

class ChildProcess {
 public:
  explicit ChildProcess(const ChildSpec& spec);
  /// Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void send(int signal) const;
  /// Waits for its end and returns the exit code, or -N after signal N.
  int wait();
  /// Whether it has not ended yet.
  [[nodiscard]] bool runs();

 private:
  pid_t process_ = -1;
  int status_ = 0;
};

/// Runs a program to its end. Throws std::runtime_error with what it has printed unless it ends with 0.
void run_to_end(const ChildSpec& spec);

}  // namespace scalemark::test_support
