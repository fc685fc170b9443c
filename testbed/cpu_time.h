// Who used how much processor time, from the kernel's table of processes.
//
// Times are what the kernel books: in clock ticks, the network's soft interrupts charged to whichever process
// ran when they came. Everything is pure but process_times(); all of it is thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/clock.h"

namespace scalemark::testbed {

/// One process, as /proc/PID/stat has it.
struct ProcessTime {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  std::uint64_t start_time = 0;   ///< ticks since the machine started; tells processes of one number apart
  std::uint64_t ticks = 0;        ///< of its own, all threads
  std::uint64_t child_ticks = 0;  ///< of children that have ended and were waited for, and of theirs
  bool kernel = false;            ///< one of the kernel's own threads

  [[nodiscard]] std::uint64_t all_ticks() const { return ticks + child_ticks; }
};

using ProcessTimes = std::unordered_map<pid_t, ProcessTime>;

/// None when the text is no such line.
[[nodiscard]] std::optional<ProcessTime> parse_process_time(std::string_view stat);

/// All processes that can be seen now.
[[nodiscard]] ProcessTimes process_times();

/// Time of a session's processes together, ended ones that were waited for included; none when it has none.
[[nodiscard]] std::optional<std::uint64_t> session_ticks(const ProcessTimes& table, pid_t session);

/// Whose processes are not foreign.
struct Household {
  std::vector<pid_t> roots;     ///< processes, with all their descendants
  std::vector<pid_t> sessions;  ///< sessions, with the descendants of their members
};

/// The household's processes.
[[nodiscard]] std::unordered_set<pid_t> members(const ProcessTimes& table, const Household& household);

/// Time that processes outside of the household used from one table to a later one, those included that began
/// and ended in between as far as somebody outside waited for them. The kernel's threads belong to nobody:
/// they do the network's work as well. What a process of the household leaves to a foreign parent when it
/// ends is not counted.
[[nodiscard]] std::uint64_t foreign_ticks(const ProcessTimes& from, const ProcessTimes& to,
                                          const Household& household);

/// A tick is a hundredth of a second on all common systems.
[[nodiscard]] Duration time_of_ticks(std::uint64_t ticks);

}  // namespace scalemark::testbed
