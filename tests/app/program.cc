#include "tests/app/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace scalemark::app {
namespace {

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe2");
    }
  }
  std::array<int, 2> ends{};
};

/// Appends what the pipe has; false at its end.
bool read_some(int pipe, std::string& to) {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
  if (got <= 0) {
    return false;
  }
  to.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

/// The next line, read a byte at a time so that nothing after it is taken.
std::string line_from(int pipe, std::string& all) {
  std::string line;
  for (char letter = 0; ::read(pipe, &letter, 1) == 1;) {
    all += letter;
    if (letter == '\n') {
      break;
    }
    line += letter;
  }
  return line;
}

[[noreturn]] void become_command(std::vector<char*>& words, const Pipe& out, const Pipe& err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(out.ends[1], STDOUT_FILENO);
  ::dup2(err.ends[1], STDERR_FILENO);
  ::execv(words[0], words.data());
  ::_exit(127);
}

}  // namespace

Program::Program(const std::vector<std::string>& words) {
  std::vector<std::string> all = {SCALEMARK_COMMAND};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  pointers.reserve(all.size() + 1);
  for (std::string& word : all) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  const Pipe out;
  const Pipe err;
  process_ = ::fork();
  if (process_ < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (process_ == 0) {
    become_command(pointers, out, err);
  }
  ::close(out.ends[1]);
  ::close(err.ends[1]);
  out_pipe_ = out.ends[0];
  err_pipe_ = err.ends[0];
}

Program::~Program() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ::close(out_pipe_);
  ::close(err_pipe_);
}

std::string Program::read_line() {
  return line_from(out_pipe_, out_);
}

std::string Program::read_error_line() {
  return line_from(err_pipe_, err_);
}

void Program::send(int signal) const {
  ::kill(process_, signal);
}

int Program::wait() {
  std::array<pollfd, 2> pipes = {{{out_pipe_, POLLIN, 0}, {err_pipe_, POLLIN, 0}}};
  std::array<std::string*, 2> texts = {&out_, &err_};
  for (int open = 2; open > 0;) {
    ::poll(pipes.data(), pipes.size(), -1);
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      if (pipes.at(i).fd >= 0 && pipes.at(i).revents != 0 && !read_some(pipes.at(i).fd, *texts.at(i))) {
        pipes.at(i).fd = -1;  // poll() leaves it out from now on
        --open;
      }
    }
  }
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Ended finish(Program& program) {
  const int code = program.wait();
  return {code, program.out(), program.err()};
}

Ended run_program(const std::vector<std::string>& words) {
  Program program(words);
  return finish(program);
}

}  // namespace scalemark::app
