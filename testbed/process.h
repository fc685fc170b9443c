// Other programs: run to their end, or started as daemons that outlive us and are stopped by identity.
//
// A process is known by its number and its start time: numbers are used again, so that after a crash "the
// server of node 3, 4711" might be anything. No function here signals a process of another start time. Of
// daemons each leads a session of its own, which is how the processes that it has started itself are found.
// Functions may be called from any thread, from several at once, and in processes with threads.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"

namespace scalemark::testbed {

struct ProcessId {
  pid_t pid = -1;
  std::uint64_t start_time = 0;  ///< clock ticks since the machine started, from /proc/PID/stat
  friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

/// What /proc/PID/stat says, as far as it matters here.
struct ProcessLine {
  ProcessId id;
  char state = '?';  ///< 'Z' and 'X': it has ended
  pid_t session = -1;
  std::uint64_t cpu_ticks = 0;  ///< user and system time so far, in clock ticks, without its children's
};

/// Pure. None when the text is not such a line. The program's name, which may hold blanks and brackets, is
/// passed over.
[[nodiscard]] std::optional<ProcessLine> parse_stat(std::string_view text);
/// None when there is no such process.
[[nodiscard]] std::optional<ProcessLine> process_line(pid_t pid);
/// All processes that can be seen.
[[nodiscard]] std::vector<ProcessLine> all_processes();
/// Whether that very process runs; one that has ended and only waits to be reaped does not.
[[nodiscard]] bool alive(const ProcessId& process);

struct RunResult {
  int code = 0;     ///< exit code, or -N after signal N
  std::string out;  ///< what it wrote to standard output
  std::string err;  ///< what it wrote to standard error
};

/// Runs a program (a full path, or a name that testbed/server.h's find_program() finds) to its end, in the
/// network namespace `netns` unless that is empty, with `input` as its standard input. It ends with the
/// calling thread. Throws RunError when it cannot be started.
RunResult run(const std::vector<std::string>& argv, const std::string& netns = "",
              const std::string& input = "");
/// The same; throws RunError with the program's own words unless it ends with 0. Returns its output.
std::string run_or_throw(const std::vector<std::string>& argv, const std::string& netns = "",
                         const std::string& input = "");

struct DaemonSpec {
  std::vector<std::string> argv;  ///< the first is a full path
  std::string netns;              ///< network namespace to run in; "": ours
  std::filesystem::path log;      ///< its output is appended to this file
  std::filesystem::path cgroup;   ///< control group to join first; "": none
};

/// For a forked child: every signal has its default action and none is held back.
void reset_signals();

/// A daemon that exists, so that its identity can be written down, but has not begun yet. Unless go() is
/// called - also when this process is killed - it ends without having done anything.
class Launch {
 public:
  /// Throws RunError.
  explicit Launch(const DaemonSpec& spec);
  ~Launch();
  Launch(Launch&& other) noexcept;
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  Launch& operator=(Launch&&) = delete;

  [[nodiscard]] const ProcessId& id() const { return id_; }
  void go();

 private:
  ProcessId id_;
  int gate_ = -1;  // write end of the pipe that it waits at
};

/// A daemon to be stopped.
struct Daemon {
  ProcessId leader;
  /// Where its processes are, which lets those be found whose leader has gone; "": in the caller's network.
  std::string netns;
};

/// The processes of the daemon's session. `processes` and the judgement of who is in its namespace come from
/// outside: pure. A leader's number that has been used again means that its session has ended.
[[nodiscard]] std::vector<ProcessId> session_members(const ProcessId& leader,
                                                     const std::vector<ProcessLine>& processes,
                                                     const std::function<bool(pid_t)>& in_netns);
/// The same of this machine at present.
[[nodiscard]] std::vector<ProcessId> session_members(const Daemon& daemon);

/// Sends a signal to exactly that process; false when it is gone.
bool send_signal(const ProcessId& process, int signal);
/// Asks all daemons to end by `signal`, waits up to `patience` for all of their processes, then kills what is
/// left. Throws RunError when something survives even that.
void stop(const std::vector<Daemon>& daemons, int signal, Duration patience);

}  // namespace scalemark::testbed
