#include "study/cluster_lease.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "core/error.h"
#include "testbed/cluster_state.h"

namespace scalemark::study {

ClusterLease::ClusterLease(const std::string& cluster)
    : path_(testbed::state_folder() / (cluster + ".study")) {
  std::error_code fault;
  std::filesystem::create_directories(path_.parent_path(), fault);
  const auto known = testbed::known_clusters();
  const bool stands = std::find(known.begin(), known.end(), cluster) != known.end();
  if (stands && !std::filesystem::exists(path_, fault)) {
    throw UsageError(fmt::format(
        "a cluster '{0}' stands already, and no study has made it; take it down with 'scalemark testbed "
        "down --name {0}', or give the study another name: --set cluster.name=...",
        cluster));
  }
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw RunError(
        fmt::format("cannot write '{}': {}", path_.string(), std::generic_category().message(errno)));
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw UsageError(
        fmt::format("another study is using the cluster '{}'; wait for it, or give this one another name: "
                    "--set cluster.name=...",
                    cluster));
  }
}

ClusterLease::~ClusterLease() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  ::close(file_);
}

}  // namespace scalemark::study
