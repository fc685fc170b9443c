#include "testbed/cpu_time.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>

namespace scalemark::testbed {
namespace {

constexpr std::uint64_t kKernelThread = 0x00200000;  // PF_KTHREAD

// Places of fields behind the program's name, from 0; proc(5) counts them from 3.
enum Field : std::size_t {
  parent = 1,
  session = 3,
  flags = 6,
  user = 11,
  system = 12,
  child_user = 13,
  child_system = 14,
  started = 19,
  field_count = 20
};

bool same(const ProcessTime& a, const ProcessTime& b) {
  return a.pid == b.pid && a.start_time == b.start_time;
}

bool lives_on(const ProcessTime& process, const ProcessTimes& later) {
  const auto found = later.find(process.pid);
  return found != later.end() && same(process, found->second);
}

std::uint64_t ticks_outside(const ProcessTimes& table, const std::unordered_set<pid_t>& inside) {
  std::uint64_t sum = 0;
  for (const auto& [pid, process] : table) {
    if (!process.kernel && !inside.contains(pid)) {
      sum += process.all_ticks();
    }
  }
  return sum;
}

/// Whether the time of a process that has ended went to somebody outside: it goes to the nearest ancestor
/// that lives on, and without one to whoever takes orphans in, who is outside.
bool left_outside(const ProcessTime& ended, const ProcessTimes& from, const ProcessTimes& to,
                  const std::unordered_set<pid_t>& inside) {
  pid_t heir = ended.parent;
  for (auto found = from.find(heir); found != from.end() && !lives_on(found->second, to);
       found = from.find(heir)) {
    heir = found->second.parent;
  }
  return !inside.contains(heir);
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

std::optional<ProcessTime> read_process(int proc, const char* pid) {
  const int file = ::openat(proc, (std::string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;  // ended meanwhile
  }
  std::array<char, 1024> text{};
  const ssize_t got = ::read(file, text.data(), text.size());
  ::close(file);
  return got <= 0 ? std::nullopt : parse_process_time({text.data(), static_cast<std::size_t>(got)});
}

}  // namespace

std::optional<ProcessTime> parse_process_time(std::string_view stat) {
  // "4711 (the name (of it)) S 1 ...": the name may hold anything, so the last bracket ends it.
  ProcessTime process;
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string_view::npos ||
      std::from_chars(stat.data(), stat.data() + stat.size(), process.pid).ec != std::errc()) {
    return std::nullopt;
  }
  stat.remove_prefix(name_end + 2);
  std::array<std::int64_t, field_count> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = std::min(stat.find_first_of(" \n"), stat.size());
    const char* last = stat.data() + end;
    // The first is the state's letter.
    if (i > 0 && std::from_chars(stat.data(), last, fields.at(i)).ptr != last) {
      return std::nullopt;
    }
    if (end == stat.size() && i + 1 < fields.size()) {
      return std::nullopt;
    }
    stat.remove_prefix(std::min(end + 1, stat.size()));
  }
  const auto number = [&fields](Field field) { return static_cast<std::uint64_t>(fields.at(field)); };
  process.parent = static_cast<pid_t>(fields[parent]);
  process.session = static_cast<pid_t>(fields[session]);
  process.kernel = (number(flags) & kKernelThread) != 0;
  process.ticks = number(user) + number(system);
  process.child_ticks = number(child_user) + number(child_system);
  process.start_time = number(started);
  return process;
}

ProcessTimes process_times() {
  ProcessTimes table;
  const std::unique_ptr<DIR, CloseFolder> proc(::opendir("/proc"));
  if (!proc) {
    return table;
  }
  while (const dirent* entry = ::readdir(proc.get())) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') {
      continue;
    }
    if (const auto process = read_process(::dirfd(proc.get()), entry->d_name)) {
      table.emplace(process->pid, *process);
    }
  }
  return table;
}

std::optional<std::uint64_t> session_ticks(const ProcessTimes& table, pid_t session) {
  std::optional<std::uint64_t> sum;
  for (const auto& [pid, process] : table) {
    if (process.session == session) {
      sum = sum.value_or(0) + process.all_ticks();
    }
  }
  return sum;
}

std::unordered_set<pid_t> members(const ProcessTimes& table, const Household& household) {
  const std::unordered_set<pid_t> sessions(household.sessions.begin(), household.sessions.end());
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  std::vector<pid_t> to_visit = household.roots;
  for (const auto& [pid, process] : table) {
    children[process.parent].push_back(pid);
    if (sessions.contains(process.session)) {
      to_visit.push_back(pid);
    }
  }
  std::unordered_set<pid_t> found;
  while (!to_visit.empty()) {
    const pid_t pid = to_visit.back();
    to_visit.pop_back();
    if (found.insert(pid).second) {
      const auto& of = children[pid];
      to_visit.insert(to_visit.end(), of.begin(), of.end());
    }
  }
  return found;
}

std::uint64_t foreign_ticks(const ProcessTimes& from, const ProcessTimes& to, const Household& household) {
  const std::unordered_set<pid_t> before = members(from, household);
  const std::unordered_set<pid_t> after = members(to, household);
  std::uint64_t known = ticks_outside(from, before);
  for (const pid_t pid : before) {
    const auto process = from.find(pid);
    if (process != from.end() && !lives_on(process->second, to) &&
        left_outside(process->second, from, to, after)) {
      known += process->second.all_ticks();
    }
  }
  const std::uint64_t now = ticks_outside(to, after);
  return now > known ? now - known : 0;
}

Duration time_of_ticks(std::uint64_t ticks) {
  static const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return std::chrono::nanoseconds(ticks * (1'000'000'000 / per_second));
}

}  // namespace scalemark::testbed
