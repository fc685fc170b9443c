// A Postfix of its own: what all instances have in common, be they nodes or gateways.
//
// Nothing of the system's own Postfix is read but its programs: configuration, queue, state and log are the
// instance's. The master process stays in the foreground and leads the session that it is started in. Makers
// of texts are pure; thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testbed/server.h"

namespace scalemark::testbed {

inline constexpr const char* kPostfixMaster = "/usr/lib/postfix/sbin/master";

struct PostfixInstance {
  std::filesystem::path folder;  ///< for configuration and log
  std::filesystem::path data;    ///< for queue and state
  std::string host_name;
  std::uint32_t sessions = 0;                             ///< that it must be able to hold at once
  std::string settings;                                   ///< lines of main.cf beside those of all instances
  std::vector<std::pair<std::string, std::string>> maps;  ///< further files of its configuration: name, text
};

/// Where an instance in that folder has its configuration: main.cf, master.cf and its maps.
[[nodiscard]] std::filesystem::path postfix_configuration(const std::filesystem::path& folder);
/// A line for each delivery, and all complaints.
[[nodiscard]] std::filesystem::path postfix_log(const std::filesystem::path& folder);

[[nodiscard]] ServiceSetup setup_postfix(const PostfixInstance& instance);

/// Gives queue and state their owners; the setup's folders exist. What `postfix check` does otherwise, at the
/// cost of a second for each instance. Throws RunError.
void own_postfix_folders(const std::filesystem::path& data);

}  // namespace scalemark::testbed
