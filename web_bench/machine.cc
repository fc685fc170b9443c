#include "web_bench/machine.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "web_bench/transports.h"

namespace scalemark::web {
namespace {

// Standard streams, libraries, the record, and per thread an epoll descriptor and a few more.
constexpr std::uint64_t kOwnDescriptors = 64;
constexpr std::uint64_t kDescriptorsPerThread = 8;

}  // namespace

std::uint64_t descriptors_needed(const WebPlan& plan) {
  const std::uint64_t per_user = plan.engine == Engine::curl ? kCurlDescriptorsPerUser : 1;
  return kOwnDescriptors + plan.threads * kDescriptorsPerThread + plan.connections * per_user;
}

std::uint64_t raise_descriptor_limit(std::uint64_t needed) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < needed) {
    rlimit wanted{needed, std::max<rlim_t>(limit.rlim_max, needed)};
    if (::setrlimit(RLIMIT_NOFILE, &wanted) != 0) {  // only root may raise the hard limit
      wanted = {std::min<rlim_t>(needed, limit.rlim_max), limit.rlim_max};
      ::setrlimit(RLIMIT_NOFILE, &wanted);
    }
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur;
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

}  // namespace scalemark::web
