#include "tests/support/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/sockets.h"

namespace scalemark::test_support {
namespace {

[[noreturn]] void become(char* const* words, const ChildSpec& spec, int in, int out) {
  ::setsid();  // a Ctrl-C at the terminal is for the test
  const bool is_user =
      spec.user == nullptr ||
      (::setgroups(0, nullptr) == 0 && ::setgid(spec.user->gid) == 0 && ::setuid(spec.user->uid) == 0);
  ::prctl(PR_SET_PDEATHSIG, spec.death_signal);  // after the change of user, which clears it
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  if (is_user && ::chdir("/") == 0) {
    ::execv(words[0], words);
  }
  ::_exit(127);
}

int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

ChildProcess::ChildProcess(const ChildSpec& spec) {
  // Everything that allocates comes before the fork: this process may have threads.
  std::vector<char*> words;
  words.reserve(spec.argv.size() + 1);
  for (const std::string& word : spec.argv) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  const Descriptor in(checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open"));
  const Descriptor out(
      checked(::open(spec.output.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600), "open"));
  process_ = checked(::fork(), "fork");
  if (process_ == 0) {
    become(words.data(), spec, in.get(), out.get());
  }
}

ChildProcess::~ChildProcess() {
  if (runs()) {
    ::kill(process_, SIGKILL);
    wait();
  }
}

void ChildProcess::send(int signal) const {
  if (process_ > 0) {
    ::kill(process_, signal);
  }
}

int ChildProcess::wait() {
  if (process_ > 0 && ::waitpid(process_, &status_, 0) == process_) {
    process_ = -1;
  }
  return code_of(status_);
}

bool ChildProcess::runs() {
  if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) == process_) {
    process_ = -1;
  }
  return process_ > 0;
}

void run_to_end(const ChildSpec& spec) {
  const int code = ChildProcess(spec).wait();
  if (code != 0) {
    std::ifstream output(spec.output);
    const std::string text{std::istreambuf_iterator<char>(output), {}};
    throw std::runtime_error(spec.argv.at(0) + " ended with " + std::to_string(code) + ": " + text);
  }
}

}  // namespace scalemark::test_support
