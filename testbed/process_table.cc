// Who is who in /proc, and ending exactly those; the rest of testbed/process.h is in process.cc.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "testbed/netns.h"
#include "testbed/process.h"

namespace scalemark::testbed {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(5);
constexpr Duration kKilledWithin = std::chrono::seconds(2);

bool has_ended(char state) {
  return state == 'Z' || state == 'X';
}

/// Whether the process's network is that namespace; "": ours.
bool is_in(pid_t pid, const std::string& netns) {
  struct stat own {};
  struct stat named {};
  return ::stat(fmt::format("/proc/{}/ns/net", pid).c_str(), &own) == 0 &&
         ::stat(netns.empty() ? "/proc/thread-self/ns/net" : netns_path(netns).c_str(), &named) == 0 &&
         own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

std::vector<ProcessId> members_of(const std::vector<Daemon>& daemons) {
  const auto processes = all_processes();
  std::vector<ProcessId> members;
  for (const Daemon& daemon : daemons) {
    const auto found =
        session_members(daemon.leader, processes, [&daemon](pid_t pid) { return is_in(pid, daemon.netns); });
    members.insert(members.end(), found.begin(), found.end());
  }
  return members;
}

/// Ended daemons that are our own children stay as zombies until we ask for them.
void reap(const std::vector<Daemon>& daemons) {
  for (const Daemon& daemon : daemons) {
    if (daemon.leader.pid > 0) {
      ::waitpid(daemon.leader.pid, nullptr, WNOHANG);
    }
  }
}

bool gone_within(const std::vector<Daemon>& daemons, Duration patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    reap(daemons);
    if (members_of(daemons).empty()) {
      return true;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

}  // namespace

std::optional<ProcessLine> parse_stat(std::string_view text) {
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  ProcessLine line;
  const std::string_view number = text.substr(0, text.find(' '));
  if (std::from_chars(number.begin(), number.end(), line.id.pid).ec != std::errc{}) {
    return std::nullopt;
  }
  // man proc_pid_stat: the third field, right after the name, is the state; 14 and 15 are the times.
  std::istringstream rest{std::string(text.substr(close + 1))};
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  std::string skipped;
  long long parent = 0;
  long long group = 0;
  rest >> line.state >> parent >> group >> line.session;
  const auto skip = [&rest, &skipped](int count) {
    for (int i = 0; i < count; ++i) {
      rest >> skipped;
    }
  };
  skip(7);  // terminal to major faults of children
  rest >> user >> system;
  skip(6);  // times of children, priority, nice, threads, an old timer
  rest >> line.id.start_time;
  if (rest.fail()) {
    return std::nullopt;
  }
  line.cpu_ticks = user + system;
  return line;
}

std::optional<ProcessLine> process_line(pid_t pid) {
  // Not by a stream: the process may end between opening and reading, which a stream takes for a disaster.
  const int file = ::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  std::array<char, 1024> text{};
  const ssize_t got = ::read(file, text.data(), text.size());
  ::close(file);
  return got <= 0 ? std::nullopt : parse_stat({text.data(), static_cast<std::size_t>(got)});
}

std::vector<ProcessLine> all_processes() {
  std::vector<ProcessLine> processes;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) {
      continue;
    }
    if (const auto line = process_line(pid)) {
      processes.push_back(*line);
    }
  }
  return processes;
}

bool alive(const ProcessId& process) {
  const auto line = process.pid > 0 ? process_line(process.pid) : std::nullopt;
  return line && line->id == process && !has_ended(line->state);
}

std::vector<ProcessId> session_members(const ProcessId& leader, const std::vector<ProcessLine>& processes,
                                       const std::function<bool(pid_t)>& in_netns) {
  const auto holder = std::find_if(processes.begin(), processes.end(),
                                   [&leader](const ProcessLine& line) { return line.id.pid == leader.pid; });
  const bool led = holder != processes.end();
  // The kernel gives no number again while a session goes by it.
  if (leader.pid <= 0 || (led && holder->id != leader)) {
    return {};
  }
  std::vector<ProcessId> members;
  for (const ProcessLine& line : processes) {
    const bool ours =
        line.id == leader || (line.session == leader.pid && line.id.start_time >= leader.start_time &&
                              (led || in_netns(line.id.pid)));
    if (ours && !has_ended(line.state)) {
      members.push_back(line.id);
    }
  }
  return members;
}

std::vector<ProcessId> session_members(const Daemon& daemon) {
  return members_of({daemon});
}

bool send_signal(const ProcessId& process, int signal) {
  // The descriptor stays with the process that it was opened for, so what is checked is what is signalled.
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0));
  if (handle < 0) {
    return false;
  }
  const bool sent = alive(process) && ::syscall(SYS_pidfd_send_signal, handle, signal, nullptr, 0) == 0;
  ::close(handle);
  return sent;
}

void stop(const std::vector<Daemon>& daemons, int signal, Duration patience) {
  for (const Daemon& daemon : daemons) {
    if (!send_signal(daemon.leader, signal)) {
      for (const ProcessId& orphan : session_members(daemon)) {
        send_signal(orphan, signal);
      }
    }
  }
  if (gone_within(daemons, patience)) {
    return;
  }
  const auto deadline = std::chrono::steady_clock::now() + kKilledWithin;
  do {  // again and again: a process may have forked after it was looked for
    for (const ProcessId& process : members_of(daemons)) {
      send_signal(process, SIGKILL);
    }
    if (gone_within(daemons, 10 * kLookAgain)) {
      return;
    }
  } while (std::chrono::steady_clock::now() < deadline);
  const auto left = members_of(daemons);
  if (!left.empty()) {
    throw RunError(fmt::format("process {} does not end although it was killed", left.front().pid));
  }
}

}  // namespace scalemark::testbed
