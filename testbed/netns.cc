#include "testbed/netns.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <system_error>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

[[noreturn]] void fail_netns(const std::string& netns, int error) {
  const std::string advice = error == EPERM ? "; that takes root, or a cluster that was made without" : "";
  throw RunError(fmt::format("cannot enter the network namespace '{}': {}{}", netns,
                             std::generic_category().message(error), advice));
}

}  // namespace

std::filesystem::path netns_path(const std::string& name) {
  return std::filesystem::path("/run/netns") / name;
}

bool netns_exists(const std::string& name) {
  struct stat found {};
  return ::lstat(netns_path(name).c_str(), &found) == 0;
}

std::uint64_t netns_identity(const std::string& name) {
  struct stat found {};
  // A file that no namespace is mounted on (yet) lies on the file system of its folder.
  struct stat folder {};
  if (::stat(netns_path(name).c_str(), &found) != 0 || ::stat("/run/netns", &folder) != 0 ||
      found.st_dev == folder.st_dev) {
    return 0;
  }
  return found.st_ino;
}

void enter(const std::string& netns) {
  const int file = ::open(netns_path(netns).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail_netns(netns, errno);
  }
  const int error = ::setns(file, CLONE_NEWNET) == 0 ? 0 : errno;
  ::close(file);
  if (error != 0) {
    fail_netns(netns, error);
  }
}

NetnsVisit::NetnsVisit(const std::string& netns)
    : home_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
  if (home_ < 0) {
    fail_netns(netns, errno);
  }
  try {
    enter(netns);
  } catch (...) {
    ::close(home_);
    throw;
  }
}

NetnsVisit::~NetnsVisit() {
  // A thread that cannot go home would do everything that follows in the wrong network.
  if (::setns(home_, CLONE_NEWNET) != 0) {
    std::terminate();
  }
  ::close(home_);
}

}  // namespace scalemark::testbed
