#include "testbed/cpu_cap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/clock.h"
#include "core/error.h"
#include "core/file_text.h"

namespace scalemark::testbed {
namespace {

constexpr double kPeriod = 20'000;     // microseconds
constexpr double kLeastQuota = 1'000;  // microseconds: the kernel takes no less
constexpr Duration kLookIntoGroup = std::chrono::milliseconds(5);
constexpr int kLooks = 200;

/// Whether one of the words between `separator`s is `word`.
bool has_word(const std::string& words, char separator, std::string_view word) {
  std::istringstream parts(words);
  for (std::string part; std::getline(parts, part, separator);) {
    if (part == word) {
      return true;
    }
  }
  return false;
}

/// A line of mountinfo, as far as it matters here.
struct Mount {
  std::string place;
  std::string type;
  std::string super_options;
};

Mount parse_mount(const std::string& line) {
  Mount mount;
  std::istringstream fields(line);
  std::string skipped;
  for (int i = 0; i < 4; ++i) {
    fields >> skipped;
  }
  fields >> mount.place;
  while (fields >> skipped && skipped != "-") {  // options and any number of tags
  }
  fields >> mount.type >> skipped >> mount.super_options;
  return mount;
}

std::string without_line_ends(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// 0, or the errno of what went wrong. These files take one write each.
int write_once(const std::filesystem::path& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  const int error = ::write(file, text.data(), text.size()) < 0 ? errno : 0;
  ::close(file);
  return error;
}

void write_or_throw(const std::filesystem::path& path, const std::string& text) {
  if (const int error = write_once(path, text); error != 0) {
    throw RunError(fmt::format("cannot limit processor time: '{}' does not take '{}': {}", path.string(),
                               text, std::generic_category().message(error)));
  }
}

/// The root of version 2, if it is mounted.
std::string unified_root(std::string_view mounts) {
  std::istringstream lines{std::string(mounts)};
  for (std::string line; std::getline(lines, line);) {
    if (const Mount mount = parse_mount(line); mount.type == "cgroup2") {
      return mount.place;
    }
  }
  return {};
}

}  // namespace

CpuCgroups cpu_cgroups_of(std::string_view mounts, std::string_view controllers) {
  std::istringstream lines{std::string(mounts)};
  for (std::string line; std::getline(lines, line);) {
    const Mount mount = parse_mount(line);
    if (mount.type == "cgroup" && has_word(mount.super_options, ',', "cpu")) {
      return {CgroupVersion::v1, mount.place, ""};
    }
  }
  const std::string unified = unified_root(mounts);
  if (!unified.empty() && has_word(without_line_ends(std::string(controllers)), ' ', "cpu")) {
    return {CgroupVersion::v2, unified, ""};
  }
  return {
      CgroupVersion::none, {}, "no control group with the controller 'cpu' is mounted below /sys/fs/cgroup"};
}

CpuCgroups cpu_cgroups() {
  const std::string mounts = file_text("/proc/self/mountinfo");
  const std::string unified = unified_root(mounts);
  CpuCgroups groups = cpu_cgroups_of(
      mounts, unified.empty() ? "" : file_text(std::filesystem::path(unified) / "cgroup.controllers"));
  if (groups.version != CgroupVersion::none && ::access(groups.root.c_str(), W_OK) != 0) {
    groups = {CgroupVersion::none, {}, fmt::format("'{}' is not ours to write to", groups.root.string())};
  }
  return groups;
}

std::vector<std::pair<std::string, std::string>> cap_files(CgroupVersion version, double share) {
  // Below 5 % a quota in 20 ms would be less than the kernel takes, so the period grows.
  const double period = std::max(kPeriod, std::ceil(kLeastQuota / share));
  const double quota = std::round(period * share);
  if (version == CgroupVersion::v2) {
    return {{"cpu.max", fmt::format("{:.0f} {:.0f}", quota, period)}};
  }
  return {{"cpu.cfs_period_us", fmt::format("{:.0f}", period)},
          {"cpu.cfs_quota_us", fmt::format("{:.0f}", quota)}};
}

void make_cgroup(const CpuCgroups& groups, const std::filesystem::path& path) {
  if (groups.version == CgroupVersion::v2) {
    const auto enabled = groups.root / "cgroup.subtree_control";
    if (!has_word(without_line_ends(file_text(enabled)), ' ', "cpu")) {
      write_or_throw(enabled, "+cpu");
    }
  }
  if (::mkdir(path.c_str(), 0755) != 0) {
    throw RunError(fmt::format("cannot make the control group '{}': {}", path.string(),
                               std::generic_category().message(errno)));
  }
}

void cap_cgroup(const CpuCgroups& groups, const std::filesystem::path& path, double share) {
  for (const auto& [file, text] : cap_files(groups.version, share)) {
    write_or_throw(path / file, text);
  }
}

bool remove_cgroup(const std::filesystem::path& path) {
  for (int look = 0; look < kLooks; ++look) {
    if (::rmdir(path.c_str()) == 0 || errno == ENOENT) {
      return true;
    }
    std::this_thread::sleep_for(kLookIntoGroup);
  }
  return false;
}

}  // namespace scalemark::testbed
