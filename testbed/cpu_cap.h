// Caps on processor time, by control groups of either version.
//
// A cap is a quota in each period of 20 ms: longer periods would put pauses of nearly their length into every
// answer, much shorter ones are coarse beside the kernel's tick. A quota buys time, and how much work is done
// in it wanders by some 10 %, so capped nodes give rougher figures than capped links. The functions that
// decide are pure; the others may be called from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scalemark::testbed {

enum class CgroupVersion { none, v1, v2 };

/// Where control groups with processor quotas can be made.
struct CpuCgroups {
  CgroupVersion version = CgroupVersion::none;
  std::filesystem::path root;  ///< groups are made in this folder
  std::string why_not;         ///< half a sentence, when there is no such place
};

/// Pure. `mounts` is /proc/self/mountinfo, `controllers` the text of cgroup.controllers at the root of
/// version 2 ("" when there is none). Version 1 is taken where it has the processor controller.
[[nodiscard]] CpuCgroups cpu_cgroups_of(std::string_view mounts, std::string_view controllers);
/// Of this machine; `none` also when this process may not make groups there.
[[nodiscard]] CpuCgroups cpu_cgroups();

/// The files and texts, in order, that give a group of that version `share` of one processor. Pure.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> cap_files(CgroupVersion version, double share);

/// Makes an empty group without a cap. Throws RunError.
void make_cgroup(const CpuCgroups& groups, const std::filesystem::path& path);
/// Throws RunError.
void cap_cgroup(const CpuCgroups& groups, const std::filesystem::path& path, double share);
/// Removes a group whose processes have ended; waits a second for the last to be gone. False: it is still
/// there. True also when there was none.
bool remove_cgroup(const std::filesystem::path& path);

}  // namespace scalemark::testbed
