// Network namespaces by name, as `ip netns` keeps them below /run/netns.
//
// A namespace is entered by setns() alone: unlike `ip netns exec` this leaves the mounts, and with them
// /sys/fs/cgroup, as they are. The network belongs to a thread: others of the same process are not moved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace scalemark::testbed {

/// "/run/netns/NAME"
[[nodiscard]] std::filesystem::path netns_path(const std::string& name);
/// Whether something of that name is there, be it a namespace or what is left of one half made.
[[nodiscard]] bool netns_exists(const std::string& name);
/// The kernel's number of that namespace; 0 when there is none.
[[nodiscard]] std::uint64_t netns_identity(const std::string& name);

/// Moves the calling thread into the namespace for good. Throws RunError.
void enter(const std::string& netns);

/// Moves the calling thread into a namespace until the end of the scope.
class NetnsVisit {
 public:
  /// Throws RunError; the thread has not been moved then.
  explicit NetnsVisit(const std::string& netns);
  ~NetnsVisit();
  NetnsVisit(const NetnsVisit&) = delete;
  NetnsVisit& operator=(const NetnsVisit&) = delete;

 private:
  int home_ = -1;
};

}  // namespace scalemark::testbed
