// What a node's server needs before it can be started: folders, files, and a command.
//
// Everything that a server writes lies in one folder of its own, so that it neither needs nor touches the
// system's installation of the same server. All three kinds serve the same folder on port 80 of every address
// of their node, and log one line per request. They stay in the foreground, run as the user who starts them
// (root of the namespaces at least: port 80 and their own folder are all they need), and end on SIGTERM. The
// functions that make a setup are pure; all are thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "testbed/cluster_plan.h"
#include "testbed/topology.h"

namespace scalemark::testbed {

/// How the lines of a server's access log are to be read (testbed/request_log.h).
enum class LogFormat : std::uint8_t {
  status_and_bytes,  ///< "200 15320": status, bytes sent with the head
  builtin,           ///< testbed/access_log.h
  postfix,           ///< Postfix's mail log: what was delivered
};

/// A log in which a node's work can be counted.
struct WorkLog {
  std::filesystem::path path;
  LogFormat format = LogFormat::status_and_bytes;
};

/// How long a request may be missing from a node's access log after it was answered.
inline constexpr Duration kLogDelay = std::chrono::milliseconds(200);

struct ServiceSetup {
  std::vector<std::filesystem::path> folders;                        ///< to make, in this order
  std::vector<std::pair<std::filesystem::path, std::string>> files;  ///< path and text, to write
  std::vector<std::string> argv;                                     ///< to run inside the namespace
  std::filesystem::path access_log;                                  ///< "" when there is none
  LogFormat log_format = LogFormat::status_and_bytes;
  std::filesystem::path log;  ///< for its output; its complaints are there and in `error_log`
  std::filesystem::path error_log;
};

/// A node's server. `dir` is its own folder, `files` the folder to serve; both absolute. `program` is what
/// server_program() found. Throws UsageError when a path cannot stand in a configuration.
[[nodiscard]] ServiceSetup setup_node(ServerKind kind, const NodePlace& node,
                                      const std::filesystem::path& dir, const std::filesystem::path& files,
                                      const std::filesystem::path& program);

/// How that kind of server writes its access log.
[[nodiscard]] LogFormat log_format_of(ServerKind kind);

/// Where the server's program is; for the built-in one it is this program. Throws RunError that names the
/// Debian package when there is none.
[[nodiscard]] std::filesystem::path server_program(ServerKind kind);

/// The program called `name` in PATH or in the system folders that are not on everyone's PATH; "" when there
/// is none.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// Makes the folders and writes the files. Throws RunError with the path and what is wrong.
void prepare(const ServiceSetup& setup);

/// The end of what the service has complained about so far, for a sentence that says why it does not run; at
/// most some hundred characters, "" when it has said nothing.
[[nodiscard]] std::string complaint_of(const ServiceSetup& setup);

/// The path of a request that shows that a node serves `files`: the first file of the file set, or "/".
[[nodiscard]] std::string health_path(const std::filesystem::path& files);

}  // namespace scalemark::testbed
