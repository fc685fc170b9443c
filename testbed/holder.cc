#include "testbed/holder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/error.h"
#include "testbed/cluster_state.h"

namespace scalemark::testbed {
namespace {

constexpr int kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET;

// Whether this process has moved into a holder's namespaces.
bool joined = false;

/// Whether a child can do it.
bool works_in_child(bool (*attempt)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(attempt() ? 0 : 1);
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

bool write_to(const char* path, const char* text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  const auto length = static_cast<ssize_t>(std::strlen(text));
  const bool written = file >= 0 && ::write(file, text, static_cast<std::size_t>(length)) == length;
  const int error = errno;
  if (file >= 0) {
    ::close(file);
  }
  errno = error;
  return written;
}

/// What the holder needs to know, prepared before the fork.
struct Inside {
  std::string uid_map = fmt::format("0 {} 1", ::geteuid());
  std::string gid_map = fmt::format("0 {} 1", ::getegid());
  std::filesystem::path keep;  // what lies below /run and must stay visible: it and its parents
  std::vector<std::string> folders;
  bool fresh = !joined;
};

Inside prepare_inside() {
  Inside inside;
  const std::filesystem::path folder = state_folder().parent_path();
  if (folder.string().starts_with("/run/")) {
    inside.keep = folder;
    std::filesystem::path made = "/run";
    for (const auto& part : folder.lexically_relative("/run")) {
      made /= part;
      inside.folders.push_back(made.string());
    }
  }
  return inside;
}

/// Gives the calling process a /run of its own in which only the state folder of the old one shows.
bool replace_run(const Inside& inside) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return false;
  }
  const int kept = inside.keep.empty() ? -1 : ::open(inside.keep.c_str(), O_PATH | O_CLOEXEC);
  if (::mount("tmpfs", "/run", "tmpfs", 0, "mode=0755") != 0) {
    return false;
  }
  for (const std::string& folder : inside.folders) {
    ::mkdir(folder.c_str(), 0755);
  }
  if (kept >= 0) {
    std::array<char, 32> source{};
    *fmt::format_to(source.data(), "/proc/self/fd/{}", kept) = '\0';
    if (::mount(source.data(), inside.keep.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      return false;
    }
    ::close(kept);
  }
  return ::mkdir("/run/netns", 0755) == 0;
}

/// Makes the namespaces. On failure errno says why.
bool move_inside(const Inside& inside) {
  return ::unshare(kNamespaces) == 0 && write_to("/proc/self/setgroups", "deny") &&
         write_to("/proc/self/uid_map", inside.uid_map.c_str()) &&
         write_to("/proc/self/gid_map", inside.gid_map.c_str()) && replace_run(inside);
}

[[noreturn]] void hold(const Inside& inside, int gate, int answer) {
  ::setsid();
  reset_signals();
  char word = 0;
  if (::read(gate, &word, 1) != 1) {
    ::_exit(0);  // whoever would have written our number down is dead
  }
  const int error = !inside.fresh || move_inside(inside) ? 0 : errno;
  [[maybe_unused]] const auto told = ::write(answer, &error, sizeof error);
  if (error != 0) {
    ::_exit(1);
  }
  // Not a terminal, lock or pipe of the command that started us may stay open.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing, standard);
  }
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  [[maybe_unused]] const int ignored = ::chdir("/");
  for (;;) {
    ::pause();
  }
}

std::uint64_t user_namespace_of(const std::string& process) {
  struct stat found {};
  return ::stat(fmt::format("/proc/{}/ns/user", process).c_str(), &found) == 0 ? found.st_ino : 0;
}

}  // namespace

Privilege privilege() {
  if (joined) {
    return Privilege::user_namespace;
  }
  if (works_in_child([] { return ::unshare(CLONE_NEWNET | CLONE_NEWNS) == 0; })) {
    return Privilege::root;
  }
  // Some systems let anyone make such a namespace, but give no rights in it: so a right is tried, too.
  const bool own = works_in_child([] {
    return ::unshare(kNamespaces) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  });
  return own ? Privilege::user_namespace : Privilege::none;
}

void start_holder(const std::function<void(const ProcessId&)>& record) {
  const Inside inside = prepare_inside();
  std::array<int, 2> gate{};
  std::array<int, 2> answer{};
  if (::pipe2(gate.data(), O_CLOEXEC) != 0 || ::pipe2(answer.data(), O_CLOEXEC) != 0) {
    throw RunError(fmt::format("no pipe to be had: {}", std::generic_category().message(errno)));
  }
  const pid_t child = ::fork();
  if (child < 0) {
    throw RunError(fmt::format("cannot start a process: {}", std::generic_category().message(errno)));
  }
  if (child == 0) {
    ::close(gate[1]);
    hold(inside, gate[0], answer[1]);
  }
  ::close(gate[0]);
  ::close(answer[1]);
  const auto line = process_line(child);
  const ProcessId holder = line ? line->id : ProcessId{child, 0};
  int error = ECHILD;
  try {
    record(holder);
    const bool told =
        ::write(gate[1], "g", 1) == 1 && ::read(answer[0], &error, sizeof error) == sizeof error;
    error = told ? error : ECHILD;
  } catch (...) {
    ::close(gate[1]);
    ::close(answer[0]);
    throw;
  }
  ::close(gate[1]);
  ::close(answer[0]);
  if (error != 0) {
    ::waitpid(child, nullptr, 0);
    throw RunError(fmt::format("cannot make a user namespace: {}; run as root instead",
                               std::generic_category().message(error)));
  }
  join_holder(holder);
}

void join_holder(const ProcessId& holder) {
  if (user_namespace_of(std::to_string(holder.pid)) == user_namespace_of("self")) {
    return;
  }
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, holder.pid, 0));
  if (handle < 0 || !alive(holder)) {
    ::close(handle);
    throw RunError("the process that held this cluster's namespaces has gone, and the cluster with it");
  }
  std::error_code ignored;
  const auto here = std::filesystem::current_path(ignored);
  const int error = ::setns(handle, kNamespaces) == 0 ? 0 : errno;
  ::close(handle);
  if (error != 0) {
    throw RunError(
        fmt::format("cannot move into the cluster's namespaces: {}{}", std::generic_category().message(error),
                    error == EINVAL ? " (a process with threads cannot)"
                                    : "; a process can work on clusters of one user namespace only"));
  }
  joined = true;
  std::filesystem::current_path(here, ignored);  // joining has moved us to the root folder
}

}  // namespace scalemark::testbed
