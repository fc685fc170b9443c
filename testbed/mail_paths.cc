#include "testbed/mail_paths.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/error.h"
#include "testbed/cluster_state.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

constexpr std::size_t kEntryBytes = 16'384;  // more than a line of the system's list of users or groups

uid_t user_number(const std::string& name) {
  std::array<char, kEntryBytes> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
    throw RunError(
        fmt::format("there is no user '{}' on this machine; install again the package that makes it", name));
  }
  return found->pw_uid;
}

gid_t group_number(const std::string& name) {
  std::array<char, kEntryBytes> buffer{};
  group entry{};
  group* found = nullptr;
  if (::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
    throw RunError(
        fmt::format("there is no group '{}' on this machine; install again the package that makes it", name));
  }
  return found->gr_gid;
}

}  // namespace

fs::path mail_folder(const ClusterPlan& plan, const std::string& place) {
  return cluster_folder(plan.name) / place;
}

fs::path mail_data_folder(const ClusterPlan& plan, const std::string& place) {
  return plan.mail.data.empty() ? mail_folder(plan, place) / "data" : mail_data_root(plan) / place;
}

fs::path mail_database_folder(const ClusterPlan& plan) {
  return cluster_folder(plan.name) / "db";
}

fs::path mail_database_socket(const ClusterPlan& plan) {
  return mail_database_folder(plan) / "socket";
}

fs::path mail_data_root(const ClusterPlan& plan) {
  return plan.mail.data.empty() ? fs::path() : fs::path(plan.mail.data) / plan.name;
}

void give_folder(const fs::path& folder, const std::string& user, const std::string& group, mode_t mode) {
  // A number is its own name: mailboxes belong to nobody in particular.
  const bool number = user.find_first_not_of("0123456789") == std::string::npos;
  const uid_t uid = number ? static_cast<uid_t>(std::stoul(user)) : user_number(user);
  const gid_t gid = number ? static_cast<gid_t>(std::stoul(group)) : group_number(group);
  if (::chown(folder.c_str(), uid, gid) != 0 || ::chmod(folder.c_str(), mode) != 0) {
    throw RunError(
        fmt::format("cannot give the folder '{}' to {}: {}", folder.string(), user, reason(errno)));
  }
}

}  // namespace scalemark::testbed
