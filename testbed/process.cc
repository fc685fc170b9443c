#include "testbed/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "testbed/netns.h"
#include "testbed/server.h"

namespace scalemark::testbed {
namespace {

constexpr int kCannotStart = 127;
constexpr std::size_t kReadAtOnce = 4096;

[[noreturn]] void fail(const std::string& what, int error) {
  throw RunError(fmt::format("{}: {}", what, words_of_error(error)));
}

/// A descriptor of ours, closed at the end of its scope.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  Fd& operator=(Fd&&) = delete;

  [[nodiscard]] int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) {
      ::close(std::exchange(fd_, -1));
    }
  }

 private:
  int fd_;
};

struct Pipe {
  Fd read;
  Fd write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    fail("cannot start a program: no pipe", errno);
  }
  return {Fd(ends[0]), Fd(ends[1])};
}

Fd open_netns(const std::string& netns) {
  if (netns.empty()) {
    return Fd();
  }
  Fd file(::open(netns_path(netns).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    fail(fmt::format("cannot enter the network namespace '{}'", netns), errno);
  }
  return file;
}

Fd open_cgroup(const std::filesystem::path& cgroup) {
  if (cgroup.empty()) {
    return Fd();
  }
  Fd file(::open((cgroup / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) {
    fail(fmt::format("cannot join the control group '{}'", cgroup.string()), errno);
  }
  return file;
}

/// The words as exec wants them, and the program's full path.
struct Words {
  explicit Words(const std::vector<std::string>& argv) : texts(argv) {
    if (texts.empty()) {
      throw RunError("no program is named");
    }
    path = texts.front();
    if (path.find('/') == std::string::npos) {
      path = find_program(path).string();
      if (path.empty()) {
        throw RunError(fmt::format("there is no program '{}' on this machine", texts.front()));
      }
    }
    for (std::string& text : texts) {
      pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
  }
  std::string path;
  std::vector<std::string> texts;
  std::vector<char*> pointers;
};

// What follows up to exec runs in a forked child of a process that may have threads: system calls only.

[[noreturn]] void child_fails(const char* what) {
  const char* why = ::strerrordesc_np(errno);
  for (const char* part : {what, ": ", why == nullptr ? "unknown error" : why, "\n"}) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, part, std::strlen(part));
  }
  ::_exit(kCannotStart);
}

void move_to(int netns) {
  if (netns >= 0 && ::setns(netns, CLONE_NEWNET) != 0) {
    child_fails("cannot enter the network namespace");
  }
}

/// Closes everything but standard input, output, error and these. What the caller has open, locks and the
/// gates of other daemons above all, must not live on in a daemon.
void close_all_but(std::array<int, 3> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = STDERR_FILENO + 1;
  for (const int fd : kept) {
    if (fd < static_cast<int>(from)) {
      continue;
    }
    const auto keep = static_cast<unsigned>(fd);
    if (keep > from) {
      ::close_range(from, keep - 1, 0);
    }
    from = keep + 1;
  }
  ::close_range(from, ~0U, 0);
}

/// Waits to be told to go; ends when nobody is left who could.
void wait_at(int gate) {
  char word = 0;
  ssize_t heard = 0;
  while ((heard = ::read(gate, &word, 1)) < 0 && errno == EINTR) {
  }
  if (heard != 1) {
    ::_exit(0);
  }
}

[[noreturn]] void become(const Words& words) {
  ::execv(words.path.c_str(), words.pointers.data());
  child_fails(words.path.c_str());
}

/// Feeds and empties the pipes of a child until it has closed its ends.
void converse(Fd& input, const std::string& text, Fd& out, Fd& err, RunResult& result) {
  std::size_t written = 0;
  std::array<char, kReadAtOnce> buffer{};
  while (out.get() >= 0 || err.get() >= 0) {
    if (written == text.size()) {
      input.reset();
    }
    std::array<pollfd, 3> ends = {
        {{input.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), -1);
    if (ends[0].revents != 0) {
      const ssize_t count = ::write(input.get(), text.data() + written, text.size() - written);
      written = count > 0 ? written + static_cast<std::size_t>(count) : text.size();
    }
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (ends.at(i).revents == 0) {
        continue;
      }
      Fd& end = i == 1 ? out : err;
      const ssize_t count = ::read(end.get(), buffer.data(), buffer.size());
      if (count > 0) {
        (i == 1 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        end.reset();
      }
    }
  }
}

/// Waits for our child and returns its exit code or -N.
int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A program that ends early closes its standard input; writing there must not end us.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~IgnoredPipeSignal() {
    const timespec at_once{};
    while (::sigismember(&before_, SIGPIPE) == 0 && ::sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

void reset_signals() {
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    ::sigaction(signal, &plain, nullptr);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

RunResult run(const std::vector<std::string>& argv, const std::string& netns, const std::string& input) {
  const Words words(argv);
  const Fd network = open_netns(netns);
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  const pid_t parent = ::getpid();
  const IgnoredPipeSignal ignored;
  const pid_t child = ::fork();
  if (child < 0) {
    fail("cannot start a program", errno);
  }
  if (child == 0) {
    reset_signals();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
      ::_exit(kCannotStart);  // the parent had gone before the signal was asked for
    }
    ::dup2(in.read.get(), STDIN_FILENO);
    ::dup2(out.write.get(), STDOUT_FILENO);
    ::dup2(err.write.get(), STDERR_FILENO);
    move_to(network.get());
    become(words);
  }
  in.read.reset();
  out.write.reset();
  err.write.reset();
  RunResult result;
  converse(in.write, input, out.read, err.read, result);
  result.code = wait_for(child);
  return result;
}

std::string run_or_throw(const std::vector<std::string>& argv, const std::string& netns,
                         const std::string& input) {
  RunResult result = run(argv, netns, input);
  if (result.code != 0) {
    while (result.err.ends_with('\n')) {
      result.err.pop_back();
    }
    throw RunError(fmt::format("'{}'{} failed: {}", fmt::join(argv, " "),
                               netns.empty() ? "" : fmt::format(" in {}", netns),
                               result.err.empty() ? fmt::format("code {}", result.code) : result.err));
  }
  return result.out;
}

Launch::Launch(const DaemonSpec& spec) {
  const Words words(spec.argv);
  const Fd network = open_netns(spec.netns);
  const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd log(::open(spec.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log.get() < 0) {
    fail(fmt::format("cannot write '{}'", spec.log.string()), errno);
  }
  const Fd group = open_cgroup(spec.cgroup);
  Pipe gate = make_pipe();
  const pid_t child = ::fork();
  if (child < 0) {
    fail("cannot start a program", errno);
  }
  if (child == 0) {
    ::setsid();
    reset_signals();
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(log.get(), STDOUT_FILENO);
    ::dup2(log.get(), STDERR_FILENO);
    close_all_but({network.get(), group.get(), gate.read.get()});
    wait_at(gate.read.get());
    if (group.get() >= 0 && ::write(group.get(), "0", 1) != 1) {
      child_fails("cannot join the control group");
    }
    move_to(network.get());
    become(words);
  }
  gate_ = gate.write.release();
  const auto line = process_line(child);
  id_ = line ? line->id : ProcessId{child, 0};
}

Launch::Launch(Launch&& other) noexcept : id_(other.id_), gate_(std::exchange(other.gate_, -1)) {}

Launch::~Launch() {
  if (gate_ >= 0) {
    ::close(gate_);
    wait_for(id_.pid);
  }
}

void Launch::go() {
  const char word = 'g';
  const IgnoredPipeSignal ignored;
  const ssize_t written = ::write(gate_, &word, 1);
  ::close(std::exchange(gate_, -1));
  if (written != 1) {
    throw RunError("a daemon was killed before it began");
  }
}

}  // namespace scalemark::testbed
