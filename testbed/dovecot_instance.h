// A Dovecot of its own: what all instances have in common, be they nodes or proxies.
//
// Nothing of the system's own Dovecot is read but its programs. It stays in the foreground, in the session
// that it is started in. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testbed/server.h"

namespace scalemark::testbed {

struct DovecotInstance {
  std::filesystem::path folder;  ///< for configuration, logs and sockets
  std::string name;              ///< of the instance, "mail-n1"
  std::string host_name;
  std::string protocols;                                   ///< "pop3", "pop3 lmtp"
  std::uint32_t users = 0;                                 ///< who may have a session each
  std::string settings;                                    ///< further settings, sections included
  std::vector<std::pair<std::string, std::string>> files;  ///< beside dovecot.conf: name, text
};

/// How many sessions it is made for.
[[nodiscard]] std::uint32_t dovecot_sessions(std::uint32_t users);

/// Where an instance in that folder has its configuration.
[[nodiscard]] std::filesystem::path dovecot_configuration(const std::filesystem::path& folder);
/// Where it has its sockets.
[[nodiscard]] std::filesystem::path dovecot_run_folder(const std::filesystem::path& folder);
/// A line for each session.
[[nodiscard]] std::filesystem::path dovecot_log(const std::filesystem::path& folder);

/// `program` is the full path of dovecot.
[[nodiscard]] ServiceSetup setup_dovecot(const DovecotInstance& instance,
                                         const std::filesystem::path& program);

}  // namespace scalemark::testbed
