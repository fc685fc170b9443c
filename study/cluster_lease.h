// The right of one study to the emulated cluster of a name.
//
// A study changes its cluster and takes it down, so no other study may use the name meanwhile, and a cluster
// that the user has made by hand is not the study's to take. What a killed study has left behind is: its mark
// is still there. Used from one thread.
#pragma once

#include <filesystem>
#include <string>

namespace scalemark::study {

class ClusterLease {
 public:
  /// Throws UsageError when another study holds the name, or a cluster stands that no study has made.
  explicit ClusterLease(const std::string& cluster);
  /// Gives the name back: to be let go when the cluster is down.
  ~ClusterLease();
  ClusterLease(const ClusterLease&) = delete;
  ClusterLease& operator=(const ClusterLease&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace scalemark::study
