#include "study/generator_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "testbed/netns.h"

namespace scalemark::study {
namespace {

constexpr int kCouldNotStart = 127;

/// Descriptors that the new process needs, opened before it exists so that a failure can be told.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    check(path);
  }
  /// A file in memory.
  Descriptor() : number_(::memfd_create("scalemark-trial", MFD_CLOEXEC)) { check("a file in memory"); }
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  /// Hands it over.
  [[nodiscard]] int take() { return std::exchange(number_, -1); }

 private:
  void check(const std::string& what) const {
    if (number_ < 0) {
      throw RunError(
          fmt::format("cannot open '{}' for a trial: {}", what, std::generic_category().message(errno)));
    }
  }

  int number_;
};

/// In the new process: becomes the program, or ends.
[[noreturn]] void become(const std::vector<char*>& argv, const Descriptor& input, const Descriptor& output,
                         const Descriptor& complaints, pid_t parent) {
  ::setsid();  // a Ctrl-C reaches us first, and we pass it on
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() == parent && ::dup2(input.number(), 0) == 0 && ::dup2(output.number(), 1) == 1 &&
      ::dup2(complaints.number(), 2) == 2) {
    ::execv("/proc/self/exe", argv.data());
  }
  ::_exit(kCouldNotStart);
}

}  // namespace

GeneratorProcess::GeneratorProcess(const std::vector<std::string>& arguments, const std::string& netns,
                                   const std::filesystem::path& log) {
  const Descriptor input("/dev/null", O_RDONLY);
  const Descriptor complaints(log.string(), O_WRONLY | O_CREAT | O_TRUNC);
  Descriptor output;
  std::vector<std::string> words = {"scalemark"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  {
    // The child is born where it is to work; this thread comes back.
    const auto start = [&] {
      pid_ = ::fork();
      if (pid_ == 0) {
        become(argv, input, output, complaints, parent);
      }
    };
    if (netns.empty()) {
      start();
    } else {
      const testbed::NetnsVisit visit(netns);
      start();
    }
  }
  if (pid_ < 0) {
    throw RunError(
        fmt::format("cannot start the generator of a trial: {}", std::generic_category().message(errno)));
  }
  watch_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  if (watch_ < 0) {
    ::kill(pid_, SIGKILL);  // nobody would end it: the destructor does not run
    ::waitpid(pid_, nullptr, 0);
    throw RunError(
        fmt::format("cannot watch the generator of a trial: {}", std::generic_category().message(errno)));
  }
  output_ = output.take();
}

GeneratorProcess::~GeneratorProcess() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(watch_);
  ::close(output_);
}

std::string GeneratorProcess::output() const {
  std::string text;
  char piece[65536];
  for (ssize_t count = 0;
       (count = ::pread(output_, piece, sizeof piece, static_cast<off_t>(text.size()))) > 0;) {
    text.append(piece, static_cast<std::size_t>(count));
  }
  return text;
}

bool GeneratorProcess::wait(Duration patience) {
  if (ended_) {
    return true;
  }
  pollfd end{watch_, POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(patience).count()));
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) {
    ended_ = true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return ended_;
}

void GeneratorProcess::interrupt() const {
  if (!ended_) {
    ::kill(pid_, SIGINT);
  }
}

}  // namespace scalemark::study
