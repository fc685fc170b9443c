#include "core/process_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace scalemark {
namespace {

rlimit descriptor_limits() {
  rlimit limits{};
  ::getrlimit(RLIMIT_NOFILE, &limits);
  return limits;
}

}  // namespace

std::uint64_t descriptor_limit() {
  return descriptor_limits().rlim_cur;
}

std::uint64_t descriptor_ceiling() {
  return descriptor_limits().rlim_max;
}

std::uint64_t raise_descriptor_limit(std::uint64_t needed) {
  const rlimit limits = descriptor_limits();
  if (limits.rlim_cur >= needed) {
    return limits.rlim_cur;
  }
  rlimit wanted{needed, std::max<rlim_t>(limits.rlim_max, needed)};
  if (::setrlimit(RLIMIT_NOFILE, &wanted) != 0) {  // only root may raise the hard limit
    wanted = {std::min<rlim_t>(needed, limits.rlim_max), limits.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &wanted);
  }
  return descriptor_limit();
}

std::uint64_t open_descriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator entries("/proc/self/fd", error);
  return error ? 0 : static_cast<std::uint64_t>(std::distance(begin(entries), end(entries)));
}

std::uint64_t ephemeral_ports() {
  std::ifstream in("/proc/sys/net/ipv4/ip_local_port_range");
  std::uint64_t low = 32768;
  std::uint64_t high = 60999;
  in >> low >> high;
  return high >= low ? high - low + 1 : 0;
}

std::uint64_t peak_memory_bytes() {
  // Not getrusage's figure: that one begins with the size of the process that started this one.
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    if (word == "VmHWM:") {
      std::uint64_t kilobytes = 0;
      in >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

}  // namespace scalemark
